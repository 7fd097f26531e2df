"""Running mcpeak's programs from this checkout, as a shell would."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
BIN = ROOT / "bin"


def environment(**extra: str) -> dict[str, str]:
    """This environment, in English, without the variables that change mcpeak's output."""
    kept = {
        k: v
        for k, v in os.environ.items()
        if k not in ("CI", "FORCE_COLOR", "NO_COLOR", "MCPEAK_LANG", "GITHUB_ACTIONS")
    }
    return (
        kept
        | {
            "MCPEAK_LANG": "en",
            "XDG_STATE_HOME": "none",  # no absolute path: nothing is remembered outside the test
            "PATH": f"{BIN}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        | extra
    )


def run(
    program: str, *arguments: str, stdin: bytes | str = b"", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `bin/PROGRAM` under this interpreter; stdout and stderr as bytes."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(
        [sys.executable, str(BIN / program), *arguments],
        input=data,
        capture_output=True,
        cwd=cwd,
        env=environment(**env),
        timeout=120,
        check=False,
    )
