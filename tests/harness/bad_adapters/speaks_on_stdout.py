#!/usr/bin/env python3
"""A program that knows nothing of private descriptors: JSON-RPC on stdin and stdout, after some chatter."""

import json
import sys

print("Welcome to LibFoo 3.2!", flush=True)  # noqa: T201 - chatter is the point
for line in sys.stdin:
    request = json.loads(line)
    params = request["params"]
    if request["method"] == "initialize":
        result: object = {
            "protocol": 1,
            "name": "foo",
            "version": "3.2",
            "quantities": ["mass_matrix"],
            "arrays": "nested",
        }
    elif request["method"] == "load":
        joint = {"name": params["joints"][0], "q": [0], "v": [0]}
        result = {"model": 0, "layout": {"joints": [joint], "links": [], "nq": 1, "nv": 1}}
    elif request["method"] == "evaluate":
        result = {"values": [[[row[0] * 2]] for row in params["q"]]}
    else:
        result = None
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)  # noqa: T201
