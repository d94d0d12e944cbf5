"""Imports its library at the top of the file, where it is not installed."""

from __future__ import annotations

import importlib

from robodyn_check.sdk.adapter import Adapter

importlib.import_module("no_such_library")


class Top(Adapter):
    name = "top"
    library = "no-such-library"
