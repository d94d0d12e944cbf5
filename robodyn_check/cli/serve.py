"""``robodyn-check serve FOLDER``: look at reports in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(help="A folder of reports.", metavar="FOLDER")] = Path("reports"),
    *,
    host: Annotated[str, typer.Option("--host", help="The address to listen at.", metavar="HOST")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="0 takes a free one.", metavar="N")] = 8765,
) -> int:
    """Serve a folder of reports, read-only, to this machine alone unless --host says otherwise. Ctrl-C ends it."""
    from robodyn_check.regression.serve import make_server

    server = make_server(folder, host=host, port=port)
    typer.echo(f"http://{host}:{server.server_address[1]}/ serves {folder}; Ctrl-C ends it", err=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0
    finally:
        server.server_close()
    return 0
