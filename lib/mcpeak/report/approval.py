"""What the report says about the suite's approval (CONTRACT §5; it never changes the verdict).

Rule of this file: pure; when to speak, and which words.
"""

from mcpeak.messages import label
from mcpeak.report.tally import Suite


def words(suite: Suite) -> str | None:
    """Give the approval line, or None where it would only be noise: all passed and nothing differs."""
    state = suite.started.approval
    passed = suite.status == "passed"
    if passed and state != "mismatched":
        return None
    return label(
        "report",
        f"approval_{state}_{'passed' if passed else 'failed'}",
        fingerprint=suite.started.fingerprint[:12],
        approved=(suite.started.approved_fingerprint or "")[:12],
    )
