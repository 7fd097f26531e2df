"""The AI providers: commands that people have installed themselves.

Rule of this file: data. The request goes to stdin, the answer comes on stdout; `{model}` is filled in.
Nothing of ours stands on the command line but the model's name. They may use no tool, change no file and
keep no session.
"""

from typing import NamedTuple


class Provider(NamedTuple):
    """One provider. `argv`: its command; `env`: variables of ours that it may see besides the usual ones."""

    title: str
    argv: tuple[str, ...]
    default_model: str
    env: tuple[str, ...]


PROVIDERS = {
    "codex": Provider(
        "Codex",
        (
            *("codex", "exec", "--model", "{model}", "--sandbox", "read-only"),
            *("--ephemeral", "--skip-git-repo-check", "-"),
        ),
        "gpt-5.6-luna",
        ("CODEX_HOME", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    ),
    "claude": Provider(
        "Claude",
        (
            *("claude", "--print", "--model", "{model}", "--output-format", "text"),
            *("--tools", "", "--strict-mcp-config", "--no-session-persistence"),
        ),
        "haiku",
        ("CLAUDE_CONFIG_DIR", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    ),
}

USUAL = ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SSL_CERT_FILE", "USER")
"""Variables that every provider sees: to find itself, its login and its letters."""

REQUEST_LIMIT = 512 * 1024
"""Bytes that a request may have."""

ANSWER_LIMIT = 256 * 1024
"""Bytes of an answer that are read; a longer one is refused."""

SECONDS = 180.0
"""How long a provider may take."""
