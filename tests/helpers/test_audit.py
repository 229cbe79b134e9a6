"""The audit: each question is answered rightly on records small enough to count by hand."""

import json
from html.parser import HTMLParser

import pytest
from toy_records import corpus, judged, table, write, write_lines, write_samples

from carebook import load_carebench, load_imbue
from carebook.__main__ import main
from carebook.accepted import as_toml
from carebook.audit import AS_EXPECTED, DIFFERS, NOTE, PARTS, carebench_audit, imbue_audit
from carebook.vocabulary import STATEMENTS

STORY = "my train was late and so I missed the only interview that I had hoped for all year"


@pytest.fixture(autouse=True)
def no_data_variables(monkeypatch):
    monkeypatch.delenv("CAREBENCH_DATA", raising=False)
    monkeypatch.delenv("IMBUE_DATA", raising=False)


def feel(record, positive=0, negative=0, labels=((), ())):
    record["emotion_labels"] = {
        "positive_level": "0 - Not at all positive" if not positive else "2 - Slightly positive",
        "negative_level": "0 - Not at all negative" if not negative else "2 - Slightly negative",
        "positive_emotion_labels": list(labels[0]),
        "negative_emotion_labels": list(labels[1]),
    }


@pytest.fixture
def records():
    """Three narratives, one observed by five; nobody feels anything, and nothing is repeated."""
    first, third = corpus(narratives=3, observed=1)
    for i, record in enumerate((*first, *third)):
        feel(record)
        record["participant_id"] = f"who-{i}"
    return first, third


def audited(folder, records):
    checks = carebench_audit(load_carebench(write_lines(folder, *records)))
    return {check.question: check for check in checks}


def found(folder, records, question):
    check = audited(folder, records)[question]
    return check.found, check.verdict


# --- CAREBench ---------------------------------------------------------------------------------


def test_every_part_is_asked_and_each_finding_to_mind_says_what_follows(tmp_path, records):
    checks = audited(tmp_path, records).values()
    assert {check.part for check in checks} == set(PARTS)
    assert all(check.consequence and check.chapter for check in checks if check.verdict == DIFFERS)
    assert all(1 <= check.chapter <= 5 for check in checks if check.chapter)


def test_the_size_is_held_against_the_documentation(tmp_path, records):
    checks = audited(tmp_path, records)
    assert checks["narratives"].found == "3"
    assert checks["narratives"].expected == "1,000 (documented)"
    assert checks["narratives"].verdict == DIFFERS
    assert checks["observers of each observed narrative"].found == "5 for 1 of 1 narratives"


def test_labels_at_intensity_zero_and_the_reverse(tmp_path, records):
    first, third = records
    feel(first[0], 0, 0, (["Amused, entertained"], []))  # a label at 0
    feel(first[1], 2, 0)  # an intensity without a label
    feel(first[2], 2, 2, (["Amused, entertained"], ["Sad, downhearted, unhappy"]))
    checks = audited(tmp_path, records)
    at_zero = checks["positive labels at positive intensity 0"]
    assert at_zero.found == "1 of 6 annotations at intensity 0 choose a positive group"
    without = checks["positive intensity without a label"]
    assert without.found == "1 of 2 annotations above intensity 0 choose no positive group"
    assert (at_zero.verdict, at_zero.chapter, without.verdict) == (NOTE, 4, NOTE)
    assert checks["negative labels at negative intensity 0"].verdict == AS_EXPECTED
    assert checks["negative intensity without a label"].found.startswith("0 of 1 ")


def test_a_writer_on_the_own_panel_and_a_person_twice_on_one(tmp_path, records):
    first, third = records
    third[0]["participant_id"] = first[0]["participant_id"]
    third[2]["participant_id"] = third[1]["participant_id"]
    checks = audited(tmp_path, records)
    assert (
        checks["a writer among the observers of the same story"].found == "1 of 5 observer records"
    )
    assert checks["the same person twice on one panel"].found == "1 of 5 observer records"
    people = checks["people behind the records"].found
    assert people == (
        "3 writers (0 with more than one narrative), 4 observers (1 with more than one record), "
        "1 in both roles"
    )


def test_stories_that_stand_in_other_texts(tmp_path, records):
    first, third = records
    first[0]["story_collection"]["final_scenario"] = STORY
    first[1]["story_collection"]["final_scenario"] = STORY.replace(" ", "  ")
    first[0]["cognitive_questions"]["final_scenario"] = f"To recap: {STORY.upper()}. It hurt."
    third[0]["cognitive_questions"]["final_scenario"] = " ".join(STORY.split()[:8])
    checks = audited(tmp_path, records)
    inside = checks["stories repeated inside the appraisal text"]
    assert inside.found.startswith("1 of 8 hold half of the story or more")
    told = checks["narratives told more than once"]
    assert told.found == "1 of 3 narratives repeat another one word for word"


def test_near_duplicate_annotations(tmp_path, records):
    first, third = records
    same = dict.fromkeys(STATEMENTS.values(), "Strongly agree")
    for record in (first[0], first[1], third[1]):
        record["appraisal_ratings"] |= same
    first[1]["participant_id"] = first[0]["participant_id"]
    first[1]["appraisal_ratings"][STATEMENTS["control.general"]] = "Strongly disagree"
    checks = audited(tmp_path, records)
    own = checks["near-duplicate annotations by one person on different stories"]
    assert own.found == "1 of 1 pairs differ in at most one of 22 ratings"
    panel = checks["near-duplicate annotations by two people on one story"]
    assert panel.found == "1 of 15 pairs differ in at most one of 22 ratings"
    assert checks["the same answer to all 22 statements"].found == "2 of 8 annotations"


def test_stored_scores_are_told_with_their_range(tmp_path, records):
    for record in (*records[0], *records[1]):
        record["BigFive_scores"] = dict.fromkeys(record["BigFive_scores"], 0)
    said, verdict = found(tmp_path, records, "stored against recomputed Big Five")
    assert said.endswith("they lie between 0 and 0, 40 of them at 0")
    assert verdict == DIFFERS


def test_departures_and_unknown_fields_are_part_of_the_audit(tmp_path, records):
    first, third = records
    first[0]["mood"] = 1
    del first[0]["demographics"]["Age"]
    entry = '[[accept]]\ndeparture = "missing"\nfield = "demographics.Age"\n'
    write(tmp_path / "exceptions.toml", entry)
    checks = audited(tmp_path, records)
    assert checks["fields that are not documented"].found == "1: mood"
    assert checks["departures accepted in exceptions.toml"].found == "1"
    assert "real records" in checks["licence"].found


# --- IMBUE -------------------------------------------------------------------------------------


def test_imbue_is_asked_what_its_card_leaves_open(tmp_path):
    rows = [
        judged(
            "1", "1", "e1", label_assert="None", suggestion_assert="Ask.", rewrite_mindful="Go."
        ),
        judged("1", "1", "e2", label_assert="strong", suggestion_assert="Less."),
        judged("1", "2", "e1", message_text="Message 1, of 1"),
    ]
    write(tmp_path / "imbue.csv", table(rows))
    checks = {check.question: check for check in imbue_audit(load_imbue(tmp_path))}
    assert checks["labels that a plain read_csv takes for missing"].found == "1 of 21"
    assert checks["messages judged by more than one expert"].found == "1 of 2"
    assert checks["suggestions, by the label beside them"].found == "none 1, strong 1"
    assert checks["rewrites without a suggestion"].found == "1 of 1 rewrites"
    assert checks["messages written more than once"].found.startswith("1 of 2 ")
    assert checks["cells whose reading is unclear"].found.startswith("1 of 21 ")
    assert checks["smallest class of a skill"].found == "assert, strong: 1"
    assert checks["experts"].expected == "6 (documented)"


# --- as text, JSON and a page ------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, records):
    first, third = records
    first[0]["<img src=x onerror=alert(1)>\u202e\x1b[31m"] = 1
    write(tmp_path / "data" / "imbue.csv", table([judged()]))
    return write_lines(tmp_path / "data", first, third)


def test_the_terminal_shows_each_question_what_differs_and_what_follows(folder, capsys):
    assert main(["check", str(folder)]) == 0
    text = capsys.readouterr().out
    assert "  !! narratives: 3 (expected: 1,000 (documented))" in text
    assert "quote no published number beside it. (chapter 2)" in " ".join(text.split())
    assert "Audit of CAREBench" in text and "Audit of IMBUE expert annotations" in text
    assert max(map(len, text.split("\n"))) <= 100
    assert "\x1b" not in text and "\u202e" not in text


def test_json_holds_every_check(folder, capsys):
    assert main(["check", str(folder), "--json"]) == 0
    audit = json.loads(capsys.readouterr().out)["audit"]
    assert audit["carebench"][0] == {
        "part": "scope",
        "question": "narratives",
        "found": "3",
        "expected": "1,000 (documented)",
        "verdict": "differs",
        "consequence": "You may have another release: say which one, and quote no published number "
        "beside it.",
        "chapter": 2,
    }
    assert {check["part"] for check in audit["imbue"]} == set(PARTS)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


def test_the_page_is_whole_loads_nothing_and_shows_markup_as_text(folder, tmp_path, capsys):
    path = tmp_path / "audit.html"
    assert main(["check", str(folder), "--html", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert not [tag for tag, _ in tags.seen if tag in ("script", "link", "iframe")]
    images = [about for tag, about in tags.seen if tag == "img"]
    assert len(images) >= 4
    assert all(about["src"].startswith("data:image/png;base64,") for about in images)
    assert all(len(about["alt"]) > 40 for about in images)
    assert "http" not in text.replace("http-equiv", "")
    assert "&lt;img src=x onerror=alert(1)&gt;\\u202e\\x1b[31m" in text
    assert "\u202e" not in text and "who-" not in text  # nobody is named
    assert main(["check", str(folder), "--html", str(path)]) == 0  # ours: made again


def test_the_page_of_data_that_depart_tells_why(folder, tmp_path, capsys):
    write(folder / "first_person.jsonl", "")
    path = tmp_path / "audit.html"
    assert main(["check", str(folder), "--html", str(path)]) == 1
    assert "found nothing: the file is empty" in path.read_text(encoding="utf-8")
    assert "It names records and shows what stood in them" in capsys.readouterr().out


def test_the_page_names_no_sample_though_its_files_and_the_exceptions_do(tmp_path, capsys):
    first, third = corpus()
    third = [record for record in third if record["observer_index"] != 4]
    renamed = {record["sample_id"]: f"s-{record['sample_id']}" for record in first}
    for record in first + third:
        record["sample_id"] = renamed[record["sample_id"]]
    write_samples(tmp_path / "data", first, third)
    entry = {"departure": "panel", "sample_id": third[0]["sample_id"]}
    write(tmp_path / "data" / "exceptions.toml", as_toml(entry))
    page = tmp_path / "audit.html"
    assert main(["check", str(tmp_path / "data"), "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "per sample (first_person/: 3 files, third_person/: 1 file)" in text
    assert "one narrative used with observers 1, 2, 3, 5 only." in text
    assert "s-0" not in text and "names nobody" in capsys.readouterr().out


def test_a_page_never_replaces_another_file_or_folder(folder, tmp_path, capsys):
    write(tmp_path / "thesis.html", "<p>mine</p>")
    (tmp_path / "sub").mkdir()
    for name, said in (
        ("thesis.html", "another file, and stays as it is"),
        ("sub", "is a folder: nothing was written"),
        ("no/such/place.html", "could not be written"),
    ):
        assert main(["check", str(folder), "--html", str(tmp_path / name)]) == 1
        assert said in capsys.readouterr().out
    assert (tmp_path / "thesis.html").read_text(encoding="utf-8") == "<p>mine</p>"
    assert not list(tmp_path.glob(".audit-*"))
