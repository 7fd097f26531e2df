"""MCP with I/O: child processes, stdio and HTTP, and the one face that programs see of a server (client.py).

Rule of this room: it imports wire, protocol and command, and no program. psutil, anyio and httpx are imported
only here (and where DESIGN.md names it), late, on the path that needs them.
"""
