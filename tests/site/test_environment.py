"""Setting up costs nothing when it is done, and says plainly what this machine lacks."""

import json
import subprocess
import sys

import commands
import environment
import make
import pytest


@pytest.fixture
def root(tmp_path):
    """A repository that has a lock and a list of dependencies."""
    (tmp_path / "requirements.txt").write_text("uv==0.1\nhatchling==1.2 ; x\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = []\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def steps(monkeypatch):
    """Record the set-up's steps instead of running them; an environment's Python appears."""
    done = []

    def run(command, **options):
        done.append([str(word) for word in command])
        if "venv" in done[-1]:
            python = environment.python_of(environment.Path(done[-1][-1]))
            python.parent.mkdir(parents=True)
            python.touch()

    monkeypatch.setattr(environment, "run", run)
    return done


def quiet(text: str) -> None:
    """Say nothing."""


def test_the_first_set_up_installs_what_the_command_needs_from_the_lock(root, steps):
    environment.ensure(root, "book", say=quiet)
    assert steps[1][-2:] == ["uv==0.1", "hatchling==1.2"]
    assert "--constraint" in steps[2] and steps[2][-1].startswith(".[book,")
    assert "test" not in steps[2][-1]


def test_an_environment_that_is_up_to_date_costs_no_step(root, steps):
    environment.ensure(root, "book", say=quiet)
    steps.clear()
    environment.ensure(root, "book", say=quiet)
    assert steps == []


def test_another_command_adds_its_extras_to_those_that_are_there(root, steps):
    environment.ensure(root, "book", say=quiet)
    steps.clear()
    environment.ensure(root, "lab", say=quiet)
    assert "book" in steps[0][-1] and "lab" in steps[0][-1]


@pytest.mark.parametrize("file", ["requirements.txt", "pyproject.toml"])
def test_an_edited_lock_or_dependency_installs_again(root, steps, file):
    environment.ensure(root, "book", say=quiet)
    steps.clear()
    text = (root / file).read_text(encoding="utf-8").replace("[]", '["numpy"]')
    (root / file).write_text(text.replace("uv==0.1", "uv==0.2"), encoding="utf-8")
    environment.ensure(root, "book", say=quiet)
    assert steps


def test_an_edited_tool_setting_installs_nothing(root, steps):
    environment.ensure(root, "book", say=quiet)
    steps.clear()
    with (root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("[tool.ruff]\nline-length = 90\n")
    environment.ensure(root, "book", say=quiet)
    assert steps == []


def test_where_uv_cannot_install_pip_does_and_says_so(root, monkeypatch):
    commands, said = [], []

    def run(command, **options):
        commands.append([str(word) for word in command])
        if "uv" in commands[-1]:
            raise subprocess.CalledProcessError(2, command, "", "error: no route")

    monkeypatch.setattr(environment, "run", run)
    environment.install(root, root / ".venv", ["numpy"], said.append)
    assert commands[1][1:4] == ["-m", "pip", "install"]
    assert "no route" in said[0] and "pip" in said[0]


def test_a_failed_set_up_is_not_stamped_and_shows_the_installers_words(root, steps, monkeypatch):
    def install(*arguments):
        raise subprocess.CalledProcessError(1, "pip", "", "No space left")

    monkeypatch.setattr(environment, "install", install)
    with pytest.raises(environment.EnvironmentProblem, match="No space left"):
        environment.ensure(root, "book", say=quiet)
    assert environment.read_stamp(root / ".venv") == {}


def test_another_python_makes_the_environment_anew(root, steps):
    environment.ensure(root, "book", say=quiet)
    stamp = root / ".venv" / environment.STAMP
    content = json.loads(stamp.read_text(encoding="utf-8"))
    stamp.write_text(json.dumps({**content, "key": "", "python": "3.9"}), encoding="utf-8")
    steps.clear()
    environment.ensure(root, "book", say=quiet)
    assert "venv" in steps[0]


def test_a_python_without_venv_is_told_which_package_to_install(monkeypatch):
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(environment.EnvironmentProblem, match="apt-get install python3.*-venv"):
        environment.require_venv()


def test_an_older_python_is_told_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    assert make.main(["book"]) == 1
    message = capsys.readouterr().err
    assert "3.11 or later" in message and "3.10.4" in message and "PYTHON=" in message


def test_a_slip_in_a_command_is_answered(capsys):
    assert make.main(["bokk"]) == 2
    assert "Did you mean book?" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["abc", "0", "-1", "70000"])
def test_what_is_no_port_is_refused_before_anything_is_built(port, capsys):
    assert commands.serve([port]) == 1
    assert "is no port" in capsys.readouterr().out


def test_an_unknown_command_lists_the_known_ones(capsys):
    assert make.main(["bok"]) == 2
    assert "make book" in capsys.readouterr().out
