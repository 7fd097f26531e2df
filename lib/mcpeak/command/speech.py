"""The options that say how to speak to a server; `link.manner.manner_of` makes values of them.

Apart from there because a program's `--help` need not import the protocol.
"""

import argparse

from mcpeak.command.options import Later, describe


def add_manner(parser: argparse.ArgumentParser) -> None:
    """Add `--protocol`, `--roots`, `--answers`, `--ca`, `--proxy`."""
    group = parser.add_argument_group(Later("http", "label", "speech"))
    group.add_argument("--protocol", metavar="WHICH", help=describe("http", "protocol"))
    group.add_argument("--roots", action="append", metavar="DIR", help=describe("http", "roots"))
    group.add_argument("--answers", metavar="FILE", help=describe("http", "answers"))
    group.add_argument("--ca", metavar="FILE", help=describe("http", "ca"))
    group.add_argument("--proxy", metavar="URL", help=describe("http", "proxy"))
