"""One schema document: its parts by JSON pointer, and what its references point to.

Rule of this file: references are followed within the document only; nothing is fetched.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from mcpeak.schema.validator import Parts

ONE = ("not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "additionalItems")
ONE_MORE = ("unevaluatedProperties", "unevaluatedItems", "items", "contentSchema")
MANY = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
DEEPEST = 200


class Node(NamedTuple):
    """A schema and where it stands. `base`: the address that its references are relative to."""

    pointer: str
    schema: Any
    base: str


class Document:
    """A schema document; `root` is its outermost schema."""

    def __init__(self, schema: dict[str, Any] | bool, dialect: str) -> None:
        self.dialect = dialect
        self.parts = Parts(schema, dialect)
        self.root = Node("", schema, _base(schema, ""))
        self._known: dict[str, Node] | None = None

    def child(self, node: Node, *keys: str | int) -> Node:
        """Go down from a node by keys."""
        schema, pointer = node.schema, node.pointer
        for key in keys:
            schema = schema[key]
            pointer = f"{pointer}/{_escape(str(key))}"
        return Node(pointer, schema, _base(schema, node.base))

    def target(self, node: Node, reference: str) -> Node | None:
        """Follow a reference of a node; None where it leaves the document or leads nowhere."""
        known = self._addresses()
        address, fragment = urldefrag(urljoin(node.base, reference))
        if not fragment.startswith("/"):
            return known.get(f"{address}#{fragment}")
        start = known.get(f"{address}#")
        return None if start is None else self._walk(start, unquote(fragment))

    def describes(self, name: str) -> bool:
        """Tell whether any object of the document has a field of this name."""
        return any(name in node.schema.get("properties", ()) for node in self._all(self.root, 0))

    def _walk(self, start: Node, pointer: str) -> Node | None:
        node = start
        for word in pointer.split("/")[1:]:
            key: str | int = word.replace("~1", "/").replace("~0", "~")
            if isinstance(node.schema, list) and str(key).isdecimal():
                key = int(key)
            try:
                node = self.child(node, key)
            except (KeyError, IndexError, TypeError):
                return None
        return node if isinstance(node.schema, dict | bool) else None

    def _addresses(self) -> dict[str, Node]:
        """Every `$id` and anchor of the document, gathered when the first reference is followed."""
        if self._known is None:
            self._known = {"#": self.root, f"{self.root.base}#": self.root}
            for node in self._all(self.root, 0):
                self._learn(node, self._known)
        return self._known

    def _learn(self, node: Node, known: dict[str, Node]) -> None:
        own = node.schema.get("$id", node.schema.get("id") if self.dialect == "Draft4" else None)
        if isinstance(own, str):  # drafts up to 07 name an anchor by an id that is only a fragment
            known.setdefault(f"{node.base}{own}" if own.startswith("#") else f"{node.base}#", node)
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = node.schema.get(keyword)
            if isinstance(anchor, str):
                known.setdefault(f"{node.base}#{anchor}", node)

    def _all(self, node: Node, depth: int) -> Iterator[Node]:
        if not isinstance(node.schema, dict) or depth > DEEPEST:
            return
        yield node
        for child in self._children(node):
            yield from self._all(child, depth + 1)

    def _children(self, node: Node) -> Iterator[Node]:
        for key, value in node.schema.items():
            if key in NAMED and isinstance(value, dict):
                yield from (self.child(node, key, name) for name in value)
            elif key in MANY and isinstance(value, list):
                yield from (self.child(node, key, place) for place in range(len(value)))
            elif key in ONE or key in ONE_MORE:
                yield self.child(node, key)


def _base(schema: object, outer: str) -> str:
    own = schema.get("$id") if isinstance(schema, dict) else None
    if isinstance(own, str) and not own.startswith("#"):
        return urldefrag(urljoin(outer, own))[0]
    return outer


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
