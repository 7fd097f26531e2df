"""Run mcpeak-run as its program does, and write its peak of resident memory, in bytes, into a file.

Arguments: FILE, then those of mcpeak-run. The peak comes from /proc/self/status: what getrusage tells
includes the process that started us.
"""

import sys
from pathlib import Path

from mcpeak.run.tool import main

code = main(sys.argv[2:])
status = Path("/proc/self/status").read_text("ascii")
(peak,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
Path(sys.argv[1]).write_text(str(int(peak) * 1024), "ascii")
sys.exit(code)
