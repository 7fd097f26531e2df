"""The records that stages exchange, the stream they travel in, and JSON beyond msgspec's reach.

Rule of this room: it imports msgspec and the standard library only, and no other room of mcpeak.
"""

import sys

# msgspec takes from typing_extensions, where that is installed, what `typing` has had since Python 3.11. The
# detour costs a quarter of a filter's start, so msgspec is imported here first, with that door closed.
if "msgspec" in sys.modules or "typing_extensions" in sys.modules:
    import msgspec as msgspec
else:
    sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # the import system's way to say no
    try:
        import msgspec as msgspec
    finally:
        del sys.modules["typing_extensions"]
