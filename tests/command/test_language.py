"""`--lang`, then MCPEAK_LANG, then the locale."""

import pytest

from mcpeak import messages
from mcpeak.command.language import choose


@pytest.fixture(autouse=True)
def _english_again():
    yield
    messages.use("en")


@pytest.mark.parametrize(
    ("flag", "environ", "language"),
    [
        (None, {}, "en"),
        ("ko", {"MCPEAK_LANG": "en"}, "ko"),
        ("en", {"MCPEAK_LANG": "ko", "LANG": "ko_KR.UTF-8"}, "en"),
        (None, {"MCPEAK_LANG": "ko"}, "ko"),
        (None, {"LANG": "ko_KR.UTF-8"}, "ko"),
        (None, {"LC_ALL": "C", "LANG": "ko_KR.UTF-8"}, "en"),
        (None, {"LC_MESSAGES": "ko_KR", "LANG": "en_US.UTF-8"}, "ko"),
        (None, {"LANG": "kok_IN"}, "en"),
        ("fr", {"MCPEAK_LANG": "ko"}, "ko"),
    ],
)
def test_the_nearest_wish_wins(flag: str | None, environ: dict[str, str], language: str):
    assert choose(flag, environ) == language
