"""Build wheel and sdist into dist/, check them, install the wheel cleanly, start every program.

Exit 0 when all of it worked; the first thing that did not is shown as its own program says it.
"""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
CLEAN = ROOT / "build" / "wheel"
BARE = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")}


def main() -> int:
    """Build, check, install, start."""
    shutil.rmtree(DIST, ignore_errors=True)
    do([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(DIST), str(ROOT)])
    built = sorted(str(path) for path in DIST.iterdir())
    do([sys.executable, "-m", "twine", "check", "--strict", *built])
    venv.EnvBuilder(with_pip=True, clear=True, symlinks=True).create(CLEAN)
    wheel = next(path for path in built if path.endswith(".whl"))
    do(
        [
            str(CLEAN / "bin" / "python"),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            wheel,
        ]
    )
    for program in sorted(path.name for path in (ROOT / "bin").iterdir()):
        for word in ("--version", "--help"):
            do([str(CLEAN / "bin" / program), word], quiet=True, env=BARE)
        sys.stdout.write(f"{program} starts\n")
    return 0


def do(command: Sequence[str], *, quiet: bool = False, env: Mapping[str, str] | None = None) -> None:
    """Run a command, or end with its exit code."""
    out = subprocess.DEVNULL if quiet else None
    code = subprocess.run(command, stdout=out, env=env, cwd=ROOT, check=False).returncode
    if code:
        sys.exit(code)


if __name__ == "__main__":
    sys.exit(main())
