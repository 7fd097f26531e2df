"""mcpeak: Unix-style programs that test MCP servers. One room a program; rooms meet only through records."""

__version__ = "0.1.0"
