"""The bytes of JSON-RPC answers: the client's id as it came, then what was prepared.

Rule of this file: pure concatenation; nothing that was prepared is encoded again.
"""

from mcpeak.mock.stringify import encode
from mcpeak.protocol.errors import INTERNAL_ERROR


class Refusal(Exception):  # noqa: N818 - an answer, not a failure of ours
    """A request that is answered with a JSON-RPC error. `status`: of the HTTP answer that carries it."""

    def __init__(self, code: int, message: str, data: object = None, status: int = 200) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status


def good(request_id: bytes, result: bytes) -> bytes:
    """Build the answer with a result (a JSON object)."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (request_id, result)


def bad(request_id: bytes, wrong: Refusal) -> bytes:
    """Build the answer with an error."""
    error: dict[str, object] = {"code": wrong.code or INTERNAL_ERROR, "message": wrong.message}
    if wrong.data is not None:
        error["data"] = wrong.data
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (request_id or b"null", encode(error))


def notification(method: str, params: dict[str, object] | None = None) -> bytes:
    """Build a notification."""
    message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        message["params"] = params
    return encode(message)


def request(request_id: str, method: str, params: object) -> bytes:
    """Build a request to the client (legacy revisions only)."""
    return encode({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
