from itertools import chain

import pytest

from mcpeak.front.arguments import COMMAND
from mcpeak.front.help import command_page, overview, sentence
from mcpeak.front.parsers import program_parser
from mcpeak.front.programs import built
from mcpeak.front.table import load
from mcpeak.messages import LANGUAGES, label, use

KNOWN = load()
COMMANDS = sorted(KNOWN.commands)


@pytest.fixture(params=LANGUAGES)
def language(request):
    use(request.param)
    yield request.param
    use("en")


def stages_of(option):
    return option.to if isinstance(option.to, list) else list(option.to)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_stage_is_a_program_of_the_house(name):
    assert {stage.program for stage in KNOWN.commands[name].stages} <= set(KNOWN.programs)


@pytest.mark.parametrize("name", COMMANDS)
def test_options_go_to_stages_of_their_command(name):
    command = KNOWN.commands[name]
    wrappers = {option.wrap[0].partition("-")[2] for option in command.options.values() if option.wrap}
    stages = {stage.program for stage in command.stages} | wrappers
    asked = set(chain.from_iterable(stages_of(option) for option in command.options.values()))
    assert asked | set(command.command) | ({command.files} - {None}) <= stages


@pytest.mark.parametrize("name", COMMANDS)
def test_rules_name_options_that_are_there(name):
    command = KNOWN.commands[name]
    named = chain(
        chain.from_iterable(command.exclusive),
        command.needs,
        chain.from_iterable(command.needs.values()),
        command.words,
        command.targets,
    )
    conditions = chain.from_iterable([*stage.when, *stage.unless] for stage in command.stages)
    assert set(named) | set(conditions) <= {COMMAND, *command.options}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_does_something(name):
    command = KNOWN.commands[name]
    conditions = set(chain.from_iterable([*stage.when, *stage.unless] for stage in command.stages))
    idle = [
        name
        for name, option in command.options.items()
        if not (option.to or option.wrap or name in conditions or name in command.words)
    ]
    assert set(idle) <= {"--explain", "--failed", "--no-project", "--watch"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_built_room_has_its_sentence(name, language):
    lacking = []
    for option, described in KNOWN.commands[name].options.items():
        if built(described.help.partition(".")[0]) or described.help.startswith(("front.", "command.")):
            try:
                assert sentence(described)
            except (KeyError, FileNotFoundError):
                lacking.append((option, described.help))
    assert lacking == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_group_of_a_command_has_its_heading(name, language):
    groups = {option.group for option in KNOWN.commands[name].options.values()}
    assert all(label("front", f"group_{group}") for group in groups)


def test_the_overview_names_every_command_and_program(language):
    page = overview()
    assert [
        word for word in (*KNOWN.commands, *(f"mcpeak-{each}" for each in KNOWN.programs)) if word not in page
    ] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_page_names_every_option(name, language):
    command = KNOWN.commands[name]
    page = command_page(name, command)
    assert [option for option in command.options if option not in page] == []


SERVER_OPTIONS = {
    option for option, told in KNOWN.commands["generate"].options.items() if told.group == "target"
}


@pytest.mark.parametrize("name", ["call", "review", "run", "tools"])
def test_whatever_reaches_a_server_is_told_so_in_the_same_options(name):
    assert SERVER_OPTIONS - set(program_parser(name)._option_string_actions) == set()


def test_the_wired_commands_know_every_option_that_says_which_server():
    test = {option for option, told in KNOWN.commands["test"].options.items() if told.group == "target"}
    assert test - {"--reset-cmd", "--strict-stdio"} <= SERVER_OPTIONS
