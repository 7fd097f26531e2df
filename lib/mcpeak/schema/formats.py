"""Formats and a value of each (JSON Schema 2020-12 §7.3; the first ones as CONTRACT §7).

Rule of this file: a table. Each value is one that everybody may use: documentation addresses and example
names (RFC 2606, RFC 5737, RFC 3849).
"""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "date-time": ("2000-01-01T00:00:00Z", "2000-01-02T00:00:00Z"),
    "date": ("2000-01-01", "2000-01-02"),
    "time": ("00:00:00Z", "01:00:00Z"),
    "duration": ("P1D", "PT1H"),
    "email": ("user@example.com", "a@b.co", "other@example.com"),
    "idn-email": ("user@example.com", "a@b.co", "other@example.com"),
    "hostname": ("example.com", "a", "www.example.com"),
    "idn-hostname": ("example.com", "a", "www.example.com"),
    "ipv4": ("192.0.2.1", "192.0.2.2"),
    "ipv6": ("2001:db8::1", "::1", "2001:db8::2"),
    "uri": ("https://example.com", "a:b", "https://example.com/path", "https://example.com/a/longer/path"),
    "uri-reference": ("https://example.com", "/", "/path", "https://example.com/a/longer/path"),
    "iri": ("https://example.com", "a:b", "https://example.com/path"),
    "iri-reference": ("https://example.com", "/", "/path"),
    "uri-template": ("https://example.com/{id}", "/{id}"),
    "uuid": ("00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000001"),
    "json-pointer": ("/example", "", "/a"),
    "relative-json-pointer": ("0", "1/a"),
    "regex": ("example", "^a$", ""),
    "json": ("{}", "[]", '{"example": true}'),
    "byte": ("ZXhhbXBsZQ==", "", "YQ=="),
    "binary": ("example",),
    "password": ("example",),
}
