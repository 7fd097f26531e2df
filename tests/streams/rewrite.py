"""Write every golden file anew: `make golden`, then read the diff."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from streams.stories import FILES, HERE, STORIES, made


def main() -> int:
    """Rewrite the stories that are named, or all."""
    for name in sys.argv[1:] or STORIES:
        for file in FILES:
            (HERE / name / file).write_bytes(made(name, file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
