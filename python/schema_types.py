# SPDX-License-Identifier: Apache-2.0
"""Prints regild/types.py, made of the JSON Schema of `regild compare --json`.

usage: python3 python/schema_types.py SCHEMA.json >types.py
"""

import json
import keyword
import sys

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""What `regild compare --json` writes: made of its JSON Schema by python/schema_types.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional

from ._frame import number, numbers, to_frame
'''

SIMPLE = {"string": "str", "boolean": "bool", "integer": "int", "number": "float"}
REFERENCES = {"#/$defs/number": "float", "#/$defs/whole": "int"}


class Types:
    def __init__(self):
        self.names = {}
        self.text = []

    def type_of(self, schema, name):
        """A schema's type, and how its value is made of JSON's: an expression with {}, or None for itself."""
        if "$ref" in schema:
            kind = REFERENCES[schema["$ref"]]
            return kind, "number({})" if kind == "float" else "int({})"
        if "anyOf" in schema:
            some = [one for one in schema["anyOf"] if one.get("type") != "null"]
            if len(some) != 1:
                return "Any", None
            return self.optional(*self.type_of(some[0], name))
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        some = [kind for kind in kinds if kind != "null"]
        if len(some) != 1:
            return "Any", None
        found = self.single(schema, some[0], name)
        return self.optional(*found) if len(some) < len(kinds) else found

    def single(self, schema, kind, name):
        if kind == "object" and "properties" in schema:
            made = self.add(schema, name)
            return made, made + ".from_json({})"
        if kind == "array":
            item, make = self.type_of(schema.get("items", {}), name)
            if item == "float":
                return "Any", "numbers({})"
            return f"List[{item}]", f"[{make.replace('{}', 'each')} for each in {{}}]" if make else None
        return SIMPLE.get(kind, "Any"), None

    @staticmethod
    def optional(kind, make):
        return (kind if kind == "Any" else f"Optional[{kind}]"), f"({make} if {{}} is not None else None)" if make else None

    def add(self, schema, name):
        """The class of an object; objects with the same fields share one."""
        same = json.dumps(schema["properties"], sort_keys=True)
        if same in self.names:
            return self.names[same]
        required = schema.get("required", [])
        fields = sorted(schema["properties"].items(), key=lambda field: field[0] not in required)
        inner = "" if name == "Comparison" else name
        lines, made = [], []
        for key, field in fields:
            own = key + "_" if keyword.iskeyword(key) else key
            kind, make = self.type_of(field, inner + class_name(key, field.get("type") == "array"))
            if key not in required:
                kind, make = self.optional(kind, make) if not kind.startswith("Optional") else (kind, make)
            lines.append(f"    {own}: {kind}{'' if key in required else ' = None'}  # {field['description']}")
            got = f"json[{key!r}]" if key in required else f"json.get({key!r})"
            made.append(f"            {own}={(make or '{}').replace('{}', got)},")
        assert name not in self.names.values(), name
        self.names[same] = name
        self.text.append("\n".join(
            ["", "", "@dataclass(frozen=True)", f"class {name}:", f"    {schema.get('description', name)!r}", "", *lines, "",
             "    @classmethod", "    def from_json(cls, json):", "        return cls(", *made, "        )"]
            + (["", "    def to_frame(self):", '        """The rows as a pandas.DataFrame."""', "        return to_frame(self.rows)"]
               if name == "Comparison" else [])))
        return name


def class_name(key, many):
    """Of a list's items: without its plural's s."""
    words = (key[:-1] if many and key.endswith("s") else key).split("_")
    return "".join(word.capitalize() for word in words)


types = Types()
with open(sys.argv[1], encoding="utf-8") as file:
    types.add(json.load(file), "Comparison")
print(HEAD + "\n".join(types.text))
