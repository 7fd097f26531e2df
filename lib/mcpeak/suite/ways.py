"""JSON Schema's words that the suite format does not have, by the way out that is left. Pure.

The sentences stand in the catalogue under `way_…`.
"""

from typing import Final

_WORDS: Final = {
    "way_array": ("maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems"),
    "way_text": ("pattern", "format", "contentEncoding", "contentMediaType"),
    "way_keys": (
        "maxProperties",
        "minProperties",
        "patternProperties",
        "propertyNames",
        "unevaluatedProperties",
    ),
    "way_number": ("exclusiveMaximum", "exclusiveMinimum", "multipleOf"),
    "way_choice": (
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "nullable",
        "dependentRequired",
        "dependentSchemas",
    ),
    "way_reference": ("$ref", "$defs", "definitions", "$id", "$anchor", "$dynamicRef"),
    "way_remark": ("$schema", "$comment", "title", "description", "default", "examples", "deprecated"),
}
WAYS: Final = {word: way for way, words in _WORDS.items() for word in words}
