"""An HTTP client of the product on one URL, opened and closed around a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mcpeak.command.redact import Redactor
from mcpeak.command.target import Target
from mcpeak.link.client import Manner
from mcpeak.link.http import HttpClient, http_client
from mcpeak.protocol.answers import Answers
from mcpeak.protocol.events import Answer
from mcpeak.protocol.revisions import wish
from support.http_server import HttpServer

OK = {"content": [{"type": "text", "text": "{}"}]}


@contextmanager
def client_of(
    url: str, word: str = "auto", *, answers: Answers | None = None, opened: bool = True, **target: Any
) -> Iterator[HttpClient]:
    heard: list[Any] = []
    made = Target(target.get("command"), url, target.get("headers", {}), ())
    manner = Manner(wish(word), answers or Answers(), target.get("ca"), target.get("proxy"))
    client = http_client(made, manner, heard.append, redactor=Redactor(), interrupts=target.get("interrupts"))
    client.heard = heard  # type: ignore[attr-defined] # for the tests
    try:
        if opened:
            client.open(10)
        yield client
    finally:
        client.close()


def called(client: HttpClient, name: str = "add", arguments: bytes = b"{}", limit: float = 10) -> Any:
    return client.wait(client.call(name, arguments), limit)


def good(outcome: Any) -> bool:
    return isinstance(outcome, Answer) and outcome.result is not None


def headers_of(server: HttpServer, method: str) -> list[dict[str, str]]:
    return [{k.lower(): v for k, v in headers.items()} for name, headers, _ in server.seen if name == method]
