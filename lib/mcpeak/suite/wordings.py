"""How servers say that they refused an input, that they broke, or that they know no such tool.

Rule of this file: tables of regular expressions, read without regard to case. They come from what the SDKs
and validators that servers are built with really write; a test holds an example of each.
"""

BROKEN = (
    r"traceback \(most recent call last\)",
    r"^\s+at .+:\d+:\d+\)?$",
    r"\b(?:Type|Reference|Syntax|Range|Attribute|Key|Index|Name|ZeroDivision|Recursion)Error\b",
    r"cannot read propert(?:y|ies) of (?:undefined|null)",
    r"(?:undefined|null) is not (?:a function|an object|iterable)",
    r"is not a function\b",
    r"object has no attribute",
    r"object is not (?:subscriptable|callable|iterable)",
    r"null ?pointer|nil pointer|segmentation fault|stack overflow",
    r"panicked at|^panic:|goroutine \d+",
    r"internal (?:server )?error",
    r"\bE(?:NOENT|ACCES|CONNREFUSED|CONNRESET|TIMEDOUT|PIPE)\b",
    r"unhandled|uncaught",
)
"""Words of a program that broke: they outweigh every other."""

UNKNOWN_TOOL = (
    r"\b(?:unknown|no such|unrecognized|unsupported) (?:tool|method)\b",
    r"\btool\b.{0,200}\b(?:not found|does not exist|is not known|unknown|disabled)\b",
    r"method not found",
)
"""The tool was refused, not its input."""

SDKS = (
    r"input validation error|invalid arguments for tool|invalid tool arguments",  # TypeScript, Python
    r"\d+ validation errors? for\b",  # pydantic, behind the Python SDKs
    r"validation (?:error|failed|failure)\b|failed validation",
    r"validating \W?(?:root|arguments)|missing properties:|cannot unmarshal .+ into go",  # Go
    r"failed to (?:deserialize|parse) (?:the )?(?:param|argument|input)",  # Rust
    r"missing field `|unknown (?:field|variant) `|invalid type: .+, expected",  # serde, behind the Rust SDK
    r"arguments dictionary is missing|could not be converted to",  # C#
    r"(?:required|missing) (?:argument|parameter|property|field|key|input)s?\b",
    r"(?:argument|parameter|property|field|key|input)s?\b.{0,80}\b(?:is|are) (?:required|missing)",
    r"missing (?:a |the |\d+ )?(?:required|mandatory|value for)",
)

VALIDATORS = (
    r"invalid[_ ](?:type|enum|literal|union|string|value|input|option|format|date|uuid|url|email)",  # zod
    r"invalid[_ ](?:argument|parameter|param|request)",
    r"expected .{1,80}(?:received|got|but)\b|too[_ ](?:small|big|short|long)\b|unrecognized[_ ]keys?",
    r"is a required property|is not of type|is not (?:one|any) of|is not valid under",  # jsonschema
    r"must have required property|additional propert(?:y|ies)",  # ajv
    r"unexpected (?:additional )?(?:propert|keyword|argument|parameter|field|key)",
    r"field required|input should be|value is not a valid|string should",  # pydantic
    r"do(?:es)? not match (?:the )?(?:[\w']+ )?(?:pattern|regex|format|(?:input)?schema)",
    r"required, but missing",
    r"(?:less|greater) than (?:or equal to )?(?:the )?(?:minimum|maximum|-?\d)",
    r"out of (?:range|bounds)",
)

PEOPLE = (
    r"\bmust (?:not )?(?:be|have|contain|match|start|end|specify|provide|include|equal|exceed)\b",
    r"\bshould (?:not )?(?:be|have|contain|match)\b",
    r"\bcannot be (?:empty|null|blank|negative|zero|less|more|greater)",
    r"\b(?:is|are) required\b|\brequires? (?:a|an|the|either|one|at least)\b",
    r"\bnot (?:a )?valid\b|\binvalid\b|\bbad request\b",
    r"\b(?:no|empty|missing) (?:\w+ )?(?:provided|specified|given|supplied)",
    r"필수|누락|범위를 벗어|여야 합니다",
    r"(?:잘못된|올바르지 않은|유효하지 않은) (?:입력|인자|인수|값|형식|매개변수|요청)",
)

REFUSED = SDKS + VALIDATORS + PEOPLE
"""Words of a program that refused its input."""
