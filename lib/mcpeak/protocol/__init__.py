r"""MCP without I/O: messages in, events and messages out; both eras, every released revision.

Rule of this room: bytes and values only. No clock, no process, no socket, and none of our other rooms;
whoever has those (`link/`, the mock) drives this one.

How a session is driven (`link/stdio.py` and `link/http.py` do it for everybody else):

    session = Session(wish("auto"), "stdio", ClientInfo("mcpeak", "1.0"), Answers())
    for line in session.open(): send(line)             # a line here has no "\n"; framing is the link's
    for event in session.received(line): …             # one message; Send events must be sent at once
    for line in session.silence(): send(line)          # PROBE_SECONDS passed while session.probing
    id, line = session.call(name, arguments)           # raw JSON in, one line out; also session.request(…)
    line = session.cancel(id, "timed out")             # None: close the response stream instead (modern HTTP)

The files: `revisions` (which exist and what they can), `errors` (codes, the two kinds of mistake), `messages`
(shapes and builders), `careful` (lines that the fast decoder refuses), `states` (the tables), `events`,
`session`, `answers` (what a client may be asked), `pages` (following nextCursor), `headers` (modern HTTP).
"""
