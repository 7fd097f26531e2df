"""What the report says about the suite's approval (CONTRACT §5; it never changes the verdict).

Rule of this file: pure; when to speak, and which words.
"""

from collections.abc import Sequence

from mcpeak.messages import label
from mcpeak.report.tally import Suite


def words(suite: Suite) -> str | None:
    """Give the approval line, or None where it would only be noise: all passed and nothing differs."""
    state = suite.started.approval
    passed = suite.status == "passed"
    if passed and state != "mismatched":
        return None
    if state == "absent":
        return absent([suite])
    return label(
        "report",
        f"approval_{state}_passed" if passed else f"approval_{state}_{_failed(suite)}",
        fingerprint=suite.started.fingerprint[:12],
        approved=(suite.started.approved_fingerprint or "")[:12],
    )


def absent(suites: Sequence[Suite]) -> str | None:
    """Give one line for all red suites without an approval; None where there is none such."""
    count = sum(map(silent, suites))
    if not count:
        return None
    if len(suites) == 1:
        return label("report", "approval_absent_failed")
    return label("report", "approval_absent_one" if count == 1 else "approval_absent_many", count=count)


def silent(suite: Suite) -> bool:
    """Tell whether a red suite has no approval that could say whether it changed."""
    return suite.started.approval == "absent" and suite.status != "passed"


def _failed(suite: Suite) -> str:
    """Tell whether what failed was recorded as failing at the approval: all of it, some of it, or none."""
    failed = [case.id for case in suite.cases if case.status in ("failed", "timedOut")]
    known = [key for key in failed if key in suite.defects]
    if suite.started.approval != "matched" or not known:
        return "failed"
    return "known" if len(known) == len(failed) else "some_known"
