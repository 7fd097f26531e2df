"""Exit codes of the single programs, in one place (DESIGN: Exit codes)."""

GOOD = 0
NO = 1  # the answer is no: a case failed, a suite is invalid, a fingerprint mismatches
USAGE = 2
UNREADABLE = 3  # unreadable or cut input, bad definition
UNREACHABLE = 4  # the server could not be started or reached
BUG = 70
INTERRUPTED = 130
STDOUT_CLOSED = 141
TERMINATED = 143
