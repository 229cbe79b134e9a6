"""What a visitor of the repository relies on: its guides, forms, workflows and citation."""

import datetime
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import commands
import environment
import make
import pytest
import yaml

import carebook

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
GUIDES = ["README.md", "CONTRIBUTING.md", "book/instructors.md"]
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted((GITHUB / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def without_comment(line: str) -> str:
    return line.split("  #")[0].strip()


def shell_lines(guide: str) -> list[str]:
    """The commands that a guide shows in its code blocks, and those between backticks."""
    text = read(guide)
    blocks = re.findall(r"^```(?:bash|powershell)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [without_comment(line) for block in blocks for line in block.splitlines()]
    return [*lines, *re.findall(r"(?<!`)`((?:make|py|python) [^`\n]+)`", text)]


def made(line: str) -> list[str]:
    """The commands of the book that a shell line calls, such as ``book`` in ``make book``."""
    return re.findall(r"(?:\bmake |book/ext/make\.py )([a-z]+)", line)


# --- the commands that the guides name ----------------------------------------------------------


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_only_commands_that_exist(guide):
    named = [name for line in shell_lines(guide) for name in made(line)]
    assert named and set(named) <= set(make.COMMANDS)


def test_each_command_has_an_environment_a_target_and_a_program():
    (phony,) = re.findall(r"^\.PHONY: (.*)$", read("Makefile"), re.MULTILINE)
    assert set(phony.split()) == set(make.COMMANDS)
    assert set(environment.EXTRAS) == set(make.COMMANDS) - {"help", "clean"}
    assert set(commands.COMMANDS) == set(environment.EXTRAS)


def test_the_commands_are_listed_without_an_environment():
    listed = subprocess.run(
        [sys.executable, "-I", "book/ext/make.py", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert listed.returncode == 0 and "make book" in listed.stdout


def carebook_lines() -> list[tuple[str, str]]:
    """Guide and command line of each ``python -m carebook`` that a guide shows."""
    return [
        (guide, re.search(r"-m carebook .*", line)[0])
        for guide in GUIDES
        for line in shell_lines(guide)
        if "-m carebook" in line
    ]


@pytest.mark.parametrize("guide", ["README.md"])
def test_the_package_commands_of_the_guide_work_as_they_are_typed(guide, tmp_path):
    """`make book` and `make test` are what hosted CI runs; these are the guide's other commands."""
    lines = [line for name, line in carebook_lines() if name == guide and "path/to" not in line]
    assert len(lines) == 3
    for line in lines:
        words = shlex.split(line)
        if "practice" in words:  # a small one is as good
            words += ["--narratives", "60", "--conversations", "6"]
        path = {"PYTHONPATH": str(ROOT / "notebooks")}
        ran = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env={**os.environ, **path},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"


@pytest.mark.parametrize("line", sorted({line for _, line in carebook_lines()}))
def test_the_package_knows_the_commands_and_options_that_guides_show(line):
    words = shlex.split(line)[2:]
    shown = subprocess.run(
        [sys.executable, "-m", "carebook", words[0], "--help"],
        cwd=ROOT / "notebooks",
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert shown.returncode == 0
    assert all(word in shown.stdout for word in words[1:] if word.startswith("--"))


def test_the_tests_that_the_contributors_guide_runs_exist():
    paths = re.findall(
        r"\b(?:tests|book|notebooks)/[\w/.]+\.(?:py|ipynb|md|bib)\b", read(GUIDES[1])
    )
    assert paths and [path for path in paths if not (ROOT / path).exists()] == []


def test_the_explorer_that_the_contributors_guide_shows_has_a_view_for_each_statement():
    (code,) = re.findall(
        r"^```python\n(.*?explorer\(.*?)^```", read(GUIDES[1]), re.DOTALL | re.MULTILINE
    )
    code = code.rpartition("```python\n")[2]
    *before, last = code.strip().splitlines()
    names = {}
    exec("\n".join(before), names)
    assert len(eval(last, names).labels) == 22


def test_the_folders_that_the_readme_lists_exist():
    listed = re.findall(r"^\| (`.*`) \|", read("README.md").partition("## Where")[2], re.MULTILINE)
    paths = [path for cell in listed for path in re.findall(r"`([^`]+)`", cell)]
    assert len(paths) > 5 and all((ROOT / path).exists() for path in paths)


# --- hosted checks and forms --------------------------------------------------------------------


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_parses_and_calls_commands_that_exist(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    # YAML 1.1 reads the key `on` as true.
    assert {"name", True, "permissions", "jobs"} <= set(workflow)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", s["uses"]) for s in steps if "uses" in s)
    assert all("timeout-minutes" in job or "needs" in job for job in workflow["jobs"].values())
    called = {name for step in steps for name in made(step.get("run", ""))}
    assert called and called <= set(make.COMMANDS)


def test_hosted_checks_run_everything_on_each_python_that_the_lock_covers():
    job = yaml.safe_load(read(".github/workflows/test.yml"))["jobs"]["everything"]
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    assert any("make test" in step.get("run", "") for step in job["steps"])


def form_problems(form: dict) -> list[str]:
    """What GitHub would refuse in an issue form, as far as its documentation says."""
    problems = [name for name in ("name", "description") if not isinstance(form.get(name), str)]
    ids = [field.get("id") for field in form["body"] if field["type"] != "markdown"]
    if len(set(ids)) < len(ids) or not ids:
        problems.append("ids")
    for field in form["body"]:
        attributes, kind = field["attributes"], field["type"]
        if kind not in {"markdown", "input", "textarea", "dropdown", "checkboxes"}:
            problems.append(f"type {kind}")
        if not attributes.get("value" if kind == "markdown" else "label"):
            problems.append(f"text of {field.get('id')}")
        if kind in {"dropdown", "checkboxes"}:
            options = attributes.get("options", [])
            labels = [o["label"] if kind == "checkboxes" else o for o in options]
            if not labels or not all(isinstance(label, str) for label in labels):
                problems.append(f"options of {field['id']}")
    return problems


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_github_asks_for(path):
    assert form_problems(yaml.safe_load(path.read_text(encoding="utf-8"))) == []


def test_there_is_a_form_for_a_typo_a_broken_cell_and_a_data_problem():
    assert [path.stem for path in FORMS] == ["1-typo", "2-broken-cell", "3-data-problem"]


def test_the_data_form_keeps_what_people_wrote_out():
    form = yaml.safe_load(read(".github/ISSUE_TEMPLATE/3-data-problem.yml"))
    (box,) = [field for field in form["body"] if field.get("id") == "privacy"]
    assert box["attributes"]["options"][0]["required"] is True


def test_the_git_hook_uses_only_what_the_environment_holds():
    repos = yaml.safe_load(read(".pre-commit-config.yaml"))["repos"]
    assert [repo["repo"] for repo in repos] == ["local"]
    for hook in repos[0]["hooks"]:
        assert hook["language"] == "system" and hook["entry"].startswith("sh book/ext/venv.sh ")
        for path in re.findall(r"\S+\.(?:py|sh)\b", hook["entry"]):
            assert (ROOT / path).exists()


def test_binder_installs_the_light_set_from_the_lock():
    text = read(".binder/postBuild")
    assert "--constraint requirements.txt" in text and "[" not in re.sub(r"#.*", "", text)
    assert re.fullmatch(r"python-3\.1[123]\n", read(".binder/runtime.txt"))


def test_no_guide_or_form_names_an_address_of_the_repository():
    """Its address isn't known yet; where it goes, a placeholder stands."""
    files = [ROOT / name for name in [*GUIDES, "CITATION.cff", "CHANGELOG.md", "book/cite.md"]]
    files += [path for path in GITHUB.rglob("*") if path.is_file()]
    named = r"(?:github\.com|github\.io|gitlab\.com|mybinder\.org)/\w"
    assert [path.name for path in files if re.search(named, path.read_text("utf-8"))] == []


# --- citation and versions ----------------------------------------------------------------------


@pytest.fixture
def citation():
    return yaml.safe_load(read("CITATION.cff"))


def test_the_citation_holds_to_the_format(citation):
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0" and citation["type"] in {"software", "dataset"}
    optional = {"abstract", "date-released", "keywords", "license", "preferred-citation", "version"}
    assert set(citation) <= optional | {"cff-version", "message", "title", "authors", "type"}
    assert datetime.date.fromisoformat(citation["date-released"])
    assert {"type", "title", "authors"} <= set(citation["preferred-citation"])
    for authors in (citation["authors"], citation["preferred-citation"]["authors"]):
        assert authors and all({"name"} == set(a) or "family-names" in a for a in authors)
    assert len(set(citation["keywords"])) == len(citation["keywords"])


def test_one_version_and_one_date_stand_everywhere(citation):
    version, date = citation["version"], citation["date-released"]
    assert version == carebook.__version__ == citation["preferred-citation"]["version"]
    released = re.findall(r"^## (\d+\.\d+\.\d+) \((.*)\)$", read("CHANGELOG.md"), re.MULTILINE)
    assert released[0] == (version, date)
    assert citation["preferred-citation"]["year"] == int(date[:4])


def test_the_page_on_citing_says_what_the_citation_file_says(citation):
    page = read("book/cite.md")
    book = citation["preferred-citation"]
    for text in (book["title"], book["authors"][0]["name"], str(book["year"]), book["version"]):
        assert page.count(text) >= 2


def test_versions_are_listed_newest_first_and_what_is_not_released_says_something():
    text = read("CHANGELOG.md")
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    if heads[0] == "Not yet released":
        assert re.search(r"^- ", text.partition("\n## ")[2].partition("\n## ")[0], re.MULTILINE)
        heads = heads[1:]
    numbers = [tuple(map(int, head.split()[0].split("."))) for head in heads]
    assert numbers == sorted(set(numbers), reverse=True)
