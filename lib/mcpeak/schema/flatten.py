"""Several schemas that must hold at once, taken apart: references and combinations followed, way by way.

Rule of this file: `allOf` and `$ref` add, `anyOf`, `oneOf` and `if` offer ways. A way is a list of plain
nodes whose own keywords are all that is left to satisfy; what it cannot express (`not`, "exactly one") is
checked on the value afterwards.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, product

from mcpeak.schema.document import Document, Node
from mcpeak.schema.shapes import sane

WAYS = 200
"""Combinations of branches that are tried for one place."""

ALONE = frozenset({"Draft4", "Draft6", "Draft7"})
"""The dialects in which `$ref` silences the keywords beside it."""


class Outside(Exception):  # noqa: N818 - a dead end of the search, not an error of ours
    """A reference leads out of the document. `pointer`: where it stands."""

    def __init__(self, pointer: str) -> None:
        super().__init__(pointer)
        self.pointer = pointer


def ways(
    document: Document, nodes: Iterable[Node], known: frozenset[str] = frozenset()
) -> Iterator[list[Node]]:
    """Yield the ways to satisfy all nodes, the first branch of each choice first; none when one is `false`.

    `known`: pointers of nodes that are being satisfied already and need not be looked at again.
    """
    return islice(_ways(document, list(nodes), known), WAYS)


def _ways(document: Document, nodes: list[Node], known: frozenset[str]) -> Iterator[list[Node]]:
    plain, choices = flat(document, nodes, known)
    if plain is None:
        return
    if not choices:
        yield plain
        return
    for picked in product(*choices):
        chosen = [node for branch in picked for node in branch]
        for rest in _ways(document, chosen, known | {node.pointer for node in plain}):
            yield plain + rest


def flat(
    document: Document, nodes: Iterable[Node], known: frozenset[str]
) -> tuple[list[Node] | None, list[list[list[Node]]]]:
    """Follow references and `allOf`; give the plain nodes (None: one is `false`) and the choices."""
    plain: list[Node] = []
    choices: list[list[list[Node]]] = []
    seen = set(known)
    todo = list(reversed(list(nodes)))
    while todo:
        node = todo.pop()
        if node.schema is False:
            return None, []
        if not isinstance(node.schema, dict) or node.pointer in seen:
            continue
        seen.add(node.pointer)
        node = sane(node)
        todo += reversed(_added(document, node))
        if not silenced(document, node):
            plain.append(node)
            choices += _choices(document, node)
    return plain, choices


def silenced(document: Document, node: Node) -> bool:
    """Tell whether a `$ref` makes the other keywords of this node mean nothing."""
    return "$ref" in node.schema and document.dialect in ALONE


def _added(document: Document, node: Node) -> list[Node]:
    added = [
        _target(document, node, word)
        for word in ("$ref", "$dynamicRef", "$recursiveRef")
        if word in node.schema
    ]
    if silenced(document, node):
        return added
    every = node.schema.get("allOf")
    return added + _branches(document, node, "allOf") if isinstance(every, list) else added


def _target(document: Document, node: Node, keyword: str) -> Node:
    reference = node.schema[keyword]
    target = document.target(node, reference) if isinstance(reference, str) else None
    if target is None:
        raise Outside(node.pointer)
    return target


def _branches(document: Document, node: Node, keyword: str) -> list[Node]:
    return [document.child(node, keyword, place) for place in range(len(node.schema[keyword]))]


def _choices(document: Document, node: Node) -> Iterator[list[list[Node]]]:
    for keyword in ("anyOf", "oneOf"):
        if isinstance(node.schema.get(keyword), list):
            yield [[branch] for branch in _branches(document, node, keyword)]
    if "if" in node.schema and document.dialect not in ("Draft4", "Draft6"):
        then = [document.child(node, word) for word in ("if", "then") if word in node.schema]
        otherwise = [[document.child(node, "else")]] if "else" in node.schema else []
        yield [[], then, *otherwise]
