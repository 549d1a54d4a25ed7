# SPDX-License-Identifier: Apache-2.0
"""The core in C, by ctypes, as its headers, which are in the package, declare and explain it. A pointer is an address or what ctypes makes one
of; a constant text is bytes."""
from __future__ import annotations

import ctypes
import os
import re
import sys
from typing import Any, Dict, Iterator, Tuple

FOLDER = os.path.dirname(os.path.abspath(__file__))

lib = ctypes.CDLL(os.path.join(FOLDER, "_ply11.dll" if sys.platform == "win32" else "_ply11.so"))

_types: Dict[str, Any] = {"void": None, "int": ctypes.c_int, "unsigned": ctypes.c_uint, "size_t": ctypes.c_size_t}
for _n in ("int8", "int16", "int32", "int64"):
    _types[_n + "_t"], _types["u" + _n + "_t"] = getattr(ctypes, "c_" + _n), getattr(ctypes, "c_u" + _n)


def _fields(text: str) -> Iterator[Tuple[str, Any]]:
    for kind, names in re.findall(r"(\w+) (\*?\w[^;]*);", text.replace("const ", "")):
        for pointer, name, n in re.findall(r"(\*?)(\w+)(?:\[(\d+)\])?", names):
            yield name, ctypes.c_void_p if pointer else _types[kind] * int(n) if n else _types[kind]


def _argument(text: str) -> Any:
    if re.match(r"const char \*\w", text):
        return ctypes.c_char_p
    return ctypes.c_void_p if re.search(r"[*[]", text) else _types[text.split()[0]]


for _n in ("ply11.h", "host.h"):
    with open(os.path.join(FOLDER, _n), encoding="utf-8") as _f:
        _text = re.sub(r"(?s)/\*.*?\*/", "", _f.read())
    for _enum, _struct, _body, _result, _pointer, _name, _list in re.findall(
            r"(?m)^typedef (?:enum (\w+)|struct (\w+) \{([^(}]*)\})|^(?:const )?(\w+) (\*?)(\w+)\(([^)]*)\);", _text):
        if _enum:
            _types[_enum] = ctypes.c_int
        elif _struct:
            _types[_struct] = type(_struct, (ctypes.Structure,), {"_fields_": list(_fields(_body))})
        else:
            _function = getattr(lib, _name)
            _function.restype = (ctypes.c_char_p if _result == "char" else ctypes.c_void_p) if _pointer else _types[_result]
            _function.argtypes = [_argument(a.strip()) for a in _list.split(",")]

Position, Event, Reader, Fault, Source, Block, Window, Rows, Counts, Branch, Tree = (_types[n] for n in (
    "ply11_position ply11_event ply11_reader ply11_fault host_source ply11_block ply11_window ply11_rows ply11_counts ply11_branch ply11_tree").split())


def text(status: int) -> str:
    """What a status means."""
    return str(lib.ply11_status_text(status).decode())
