"""A call to try first: a tool that only reads, where one says so, and arguments that it allows. Pure."""

import json
from collections.abc import Sequence
from typing import Any

LONGEST = 200  # characters of arguments that anybody would paste
NONE = "{}"


def sample(tools: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """Give the name of a tool and its arguments as JSON; `{}` where none can be found."""
    tool = next((each for each in tools if _only_reads(each)), tools[0])
    return tool["name"], _arguments(tool.get("inputSchema"))


def _only_reads(tool: dict[str, Any]) -> bool:
    told = tool.get("annotations")
    return isinstance(told, dict) and told.get("readOnlyHint") is True


def _arguments(schema: Any) -> str:
    from mcpeak.schema.find import DeadEnd
    from mcpeak.schema.sampler import Sampler
    from mcpeak.schema.validator import SchemaProblem

    if not isinstance(schema, dict):
        return NONE
    try:
        value = Sampler(schema).value()
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (DeadEnd, SchemaProblem, ValueError, RecursionError):
        return NONE  # only a suggestion is lost
    return text if len(text) <= LONGEST else NONE
