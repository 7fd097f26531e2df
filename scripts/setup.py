"""Make the environment: `setup.py FOLDER` gives it mcpeak, editable, and the tools of the group `dev`.

Rule of this file: standard library only, for it runs before anything is installed. pip reads dependency
groups only since 25.1, and many systems have an older one, so this reads the group itself.
"""

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(folder: Path) -> int:
    """Make the environment where it is missing or broken, and bring it up to date."""
    if folder.resolve() == ROOT:
        sys.exit("setup.py: an environment in the root would fill bin/ and lib/; use .venv")
    python = folder / "bin" / "python"
    if not _works(python):
        venv.EnvBuilder(with_pip=True, clear=folder.exists(), symlinks=True).create(folder)
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["dev"]
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
    return subprocess.run([*pip, "--editable", str(ROOT), *tools], check=False).returncode


def _works(python: Path) -> bool:
    if not python.exists():
        return False
    return (
        subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
