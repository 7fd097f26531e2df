"""How long mcpeak-report takes for 100,000 cases, human and JUnit, against only reading the stream.

usage: report.py [PAIRS]   prints the median of the ratios of CPU time; the target is at most 6.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CASES = 100_000
READ = """
import sys
sys.path.insert(0, sys.argv[2])
import msgspec
from mcpeak.wire.records import AnyRecord
decode = msgspec.json.Decoder(AnyRecord).decode
for line in open(sys.argv[1], "rb"):
    decode(line)
"""


def stream(path: Path) -> None:
    """Write the stream of a run of 100,000 cases, every hundredth failed."""
    sys.path[:0] = [str(ROOT / "lib"), str(ROOT / "tests")]
    from mcpeak.wire.records import Begin, Counts, End
    from mcpeak.wire.writer import encode
    from support.streams import case, finished, started

    statuses = ["failed" if index % 100 == 0 else "passed" for index in range(CASES)]
    models = {status: b"\n".join(map(encode, case(0, "@", status))) for status in ("passed", "failed")}
    with path.open("wb") as file:
        file.write(encode(Begin(stage="run", stream=1)) + b"\n" + encode(started(CASES)) + b"\n")
        for index, status in enumerate(statuses):
            lines = models[status].replace(b'"index":0', b'"index":%d' % index)
            file.write(lines.replace(b"@", b"case-%d" % index) + b"\n")
        file.write(encode(finished(*statuses)) + b"\n" + encode(End(stage="run", counts=Counts())) + b"\n")


def seconds(command: list[str]) -> float:
    """Give the CPU seconds of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure and print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.ndjson"
        stream(path)
        read = [sys.executable, "-c", READ, str(path), str(ROOT / "lib")]
        junit = str(Path(folder) / "junit.xml")
        report = [sys.executable, str(ROOT / "bin" / "mcpeak-report"), "--junit", junit, str(path)]
        ratios = [seconds(report) / seconds(read) for _ in range(pairs)]
    sys.stdout.write(f"report of {CASES} cases: {statistics.median(ratios):.2f} x reading (target 6)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
