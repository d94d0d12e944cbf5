"""From the bytes of an XML file to its text: byte-order marks, declared encodings, and nothing guessed."""

from __future__ import annotations

import codecs
import re

from robodyn_check.errors import Fault, ModelError

#: Marks at the start of a file, longest first: UTF-32 LE begins with the mark of UTF-16 LE.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: The first two characters of an XML file without a mark, as XML 1.0 appendix F lists them.
_UNMARKED = ((b"<\0\0\0", "utf-32-le"), (b"\0\0\0<", "utf-32-be"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
#: Python's names of the encodings of text that XML tools write; its codecs for other uses (base64, idna) are none.
_SUPPORTED = re.compile(r"utf-(8|16|32)|ascii$|iso8859|cp\d|koi8|gb|big5|euc_|shift_jis|mac-roman")
_DECLARATION = re.compile(r"""<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


def decode(data: bytes, file: str) -> str:
    """Return the text of an XML file.

    Raises:
        ModelError: The declared encoding is unknown or contradicts the bytes, or the bytes do not fit it.
    """
    mark, found = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
    body = data[len(mark) :]
    if not found:
        found = next((name for head, name in _UNMARKED if body.startswith(head)), "")
    declared = _declared(body, found)
    name = found or _known(declared, file) or "utf-8"
    if found and declared and not _same_family(declared, found):
        raise _refused(
            file,
            f"the file declares encoding '{declared}' but its bytes are {found.upper()}; save it as UTF-8 with "
            'encoding="utf-8"',
        )
    if not found and name.startswith(("utf-16", "utf-32")):
        raise _refused(
            file, f"the file declares encoding '{declared}' but its bytes are not {name.upper()}; save it as UTF-8"
        )
    try:
        return body.decode(name)
    except UnicodeDecodeError as error:
        line = body[: error.start].count(b"\n") + 1
        raise _refused(
            file,
            f"byte 0x{body[error.start]:02x} is not {name.upper()}, the encoding of this file; "
            "save it as UTF-8 or declare its encoding in <?xml ... encoding=?>",
            line,
        ) from None


def _declared(body: bytes, found: str) -> str:
    """Return the encoding named in the XML declaration, or the empty string."""
    head = body[:400].decode(found or "latin-1", errors="ignore")
    match = _DECLARATION.match(head)
    return match.group(1) if match else ""


def _known(declared: str, file: str) -> str:
    """Return Python's name of a declared encoding; the empty string where none is declared."""
    if not declared:
        return ""
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        name = ""
    if not _SUPPORTED.match(name):
        raise _refused(file, f"encoding '{declared}' is not supported; save the file as UTF-8")
    return name


def _same_family(declared: str, found: str) -> bool:
    """Tell whether a declared name (utf-16, UTF-16LE, utf8) can describe the bytes found."""
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        return False
    return name == found or found.startswith(name + "-") or (name, found) == ("utf-8-sig", "utf-8")


def _refused(file: str, message: str, line: int = 1) -> ModelError:
    return ModelError((Fault(file=file, line=line, message=message, cause="unsupported-encoding"),))
