"""`mcpeak-run`: suite records in, run records out, as they happen.

`tool` reads the command line and the stream; `suites` starts a server for each suite and keeps the order;
`runner` runs the cases of one suite; `judge` turns an outcome into a verdict and `words` into sentences, both
pure; `heard` turns what a server does wrong besides into notices.
"""
