"""Compile the library and the catalogues of messages, so that every start finds them ready.

Python does so by itself on the first start, but not where PYTHONDONTWRITEBYTECODE is set, as in many
containers; there each start of each stage would compile everything anew.
"""

import compileall
import sys
from pathlib import Path

LIB = Path(__file__).resolve().parent.parent / "lib"


def main() -> int:
    """Compile what is out of date."""
    sys.dont_write_bytecode = False
    good = compileall.compile_dir(LIB, quiet=1)
    sys.path.insert(0, str(LIB))
    from mcpeak.messages import table

    for path in (LIB / "mcpeak" / "messages").glob("*/*.toml"):
        table(path.stem, path.parent.name)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
