"""The draft under review: the suite, how its cases ended, and what was decided about them.

Rule of this file: pure; every change gives a new draft, so that going back is keeping the old one.
"""

from typing import Any, NamedTuple

from mcpeak.suite.canonical import fingerprint
from mcpeak.wire.json import dumps_line

DEFECT = "serverDefect"
PASSED = "passed"
UNTRIED = ("notRun", "cancelled")


class Result(NamedTuple):
    """How a case ended. `notes`: why, for people; `unverified`: its error may be a crash, not a refusal.

    `refused`: the server answered with an error where none was expected.
    """

    status: str
    notes: tuple[str, ...] = ()
    unverified: bool = False
    body: str | None = None
    refused: bool = False


class Draft(NamedTuple):
    """A suite under review. `results`: by case id, as far as tried; `defects`: kept as the server's.

    `edited`: changed since they were tried; `held`: left out of the dry run, as their tool says that it is
    destructive; `guesses`: id → fields of the input whose values nobody gave.
    """

    suite: dict[str, Any]
    results: dict[str, Result]
    defects: frozenset[str] = frozenset()
    edited: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    guesses: dict[str, list[str]] = {}  # noqa: RUF012 - a NamedTuple's default, which nobody changes

    @property
    def cases(self) -> list[dict[str, Any]]:
        """The cases of the suite."""
        cases: list[dict[str, Any]] = self.suite["cases"]
        return cases

    def case(self, name: str) -> dict[str, Any] | None:
        """Find a case by its id."""
        return next((case for case in self.cases if case["id"] == name), None)

    def fingerprint(self) -> str:
        """Digest the suite as it stands."""
        return fingerprint(self.suite)

    def pending(self) -> list[str]:
        """Give the ids of cases that were tried, did not pass, and wait for a decision."""
        return [
            case["id"] for case in self.cases if self._failing(case["id"]) and case["id"] not in self.defects
        ]

    def waiting(self) -> list[str]:
        """Give the ids of all cases that wait: those that failed, and those changed and not tried since."""
        pending = self.pending()
        return [case["id"] for case in self.cases if case["id"] in pending or case["id"] in self.edited]

    def _failing(self, name: str) -> bool:
        return name in self.results and self.results[name].status not in (PASSED, *UNTRIED)

    def defect(self, name: str) -> "Draft":
        """Keep a case as a defect of the server."""
        return self._replace(defects=self.defects | {name})

    def dropped(self, name: str) -> "Draft":
        """Take a case out."""
        return self._with([case for case in self.cases if case["id"] != name])

    def changed(self, name: str, case: dict[str, Any]) -> "Draft":
        """Put a case in the place of another; how the old one ended says nothing of it."""
        return self._with([case if old["id"] == name else old for old in self.cases])

    def added(self, case: dict[str, Any]) -> "Draft":
        """Add a case at the end."""
        return self._with([*self.cases, case])

    def replaced(self, suite: dict[str, Any]) -> "Draft":
        """Take another suite; results and decisions stay with the cases that it leaves as they were."""
        bare = {key: value for key, value in suite.items() if key != "approval"}
        return _kept(self._replace(suite=bare), self.cases)

    def tried(self, name: str, result: Result) -> "Draft":
        """Take in how a case ended when it was tried again."""
        return self._replace(
            results=self.results | {name: result},
            defects=self.defects - {name},
            edited=self.edited - {name},
            held=self.held - {name},
        )

    def _with(self, cases: list[dict[str, Any]]) -> "Draft":
        return _kept(self._replace(suite=self.suite | {"cases": cases}), self.cases)

    def statuses(self) -> list[dict[str, str]]:
        """Give how each case is approved; one that was changed and not tried again has no status."""
        known = []
        for case in self.cases:
            name = case["id"]
            result = self.results.get(name)
            if name in self.defects:
                known.append({"id": name, "status": DEFECT})
            elif result is not None and result.status == PASSED:
                known.append({"id": name, "status": PASSED})
        return known

    def approved(self) -> dict[str, Any]:
        """Give the suite with its approval block."""
        block: dict[str, Any] = {"fingerprint": self.fingerprint()}
        statuses = self.statuses()
        return self.suite | {"approval": block | ({"cases": statuses} if statuses else {})}


def _kept(draft: Draft, before: list[dict[str, Any]]) -> Draft:
    """Forget results and decisions of cases that are not what they were."""
    old = {case["id"]: dumps_line(case) for case in before}
    same = {case["id"] for case in draft.cases if old.get(case["id"]) == dumps_line(case)}
    results = {name: result for name, result in draft.results.items() if name in same}
    names = {case["id"] for case in draft.cases}
    return draft._replace(
        results=results,
        defects=draft.defects & same,
        edited=(draft.edited & names) | (names - same),
        held=draft.held & same,
        guesses={name: fields for name, fields in draft.guesses.items() if name in same},
    )
