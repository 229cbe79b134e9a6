"""The text banks can be read, and a wrong entry is named: file, entry, field, what to do."""

import copy
import re
from pathlib import Path

import pytest

from carebook.practice.answers import ASKED
from carebook.practice.banks import (
    FLAWS,
    LACKS,
    REASONS,
    VOICES,
    BankError,
    check_banks,
    five_grams,
    needs_somebody,
    read_banks,
    spoken,
)
from carebook.practice.describe import (
    parameters,
    parameters_markdown,
    sign_matrix,
    sign_sources,
    worlds_markdown,
)
from carebook.practice.model import Model
from carebook.practice.worlds import (
    SIGNS,
    WorldError,
    read_signs,
    read_world,
    sign_table,
    world_names,
)
from carebook.vocabulary import DIMENSIONS, LABELS, SKILLS, STRENGTH_SKILLS

REFERENCES = Path(__file__).parents[2] / "book" / "references.bib"
BIBLIOGRAPHY = set(re.findall(r"^@\w+\{(\w+),", REFERENCES.read_text(encoding="utf-8"), re.M))


def test_the_bundled_banks_have_no_faults():
    assert [str(problem) for problem in check_banks() if problem.fault] == []


# --- a tiny bank, and ways to spoil it --------------------------------------------------------

STRONG_EXPRESS = ("express", "strong")
TEXT = "This happened on a Tuesday and it was about {}, as far as anyone can say now."


def situation():
    return {
        "id": "a-lost-key",
        "tone": "mixed",
        "themes": [],
        "voice": "plain",
        "headline": "A key is lost",
        "event": [TEXT.format(word) for word in ("keys", "the door", "a lock")],
        "context": [TEXT.format(word) for word in ("rain", "the landlord", "a party")],
        "goal": [TEXT.format(word) for word in ("getting in", "sleep", "peace")],
        "feeling": [{"labels": [LABELS[i]], "text": TEXT.format(i)} for i in (2, 10, 11, 12)],
        "profile": dict.fromkeys(DIMENSIONS, 3.0),
        "reasons": {key: [f"The {key} {n} fits." for n in range(3)] for key in REASONS},
        "misreading": [{"text": "The door was open.", "shift": {"accountability.self": 1.0}}],
    }


def conversation():
    moves = []
    for skill in STRENGTH_SKILLS:
        for n in range(3):
            moves.append({"skill": skill, "strength": "strong", "text": f"Good {skill} {n}."})
            moves.append({"skill": skill, "strength": "weak", "text": f"Weak {skill} {n}."})
    for n in range(2):
        moves.append({"state": "not mindful", "flaw": "attack", "text": f"Attack {n}."})
        moves.append({"state": "not confident", "flaw": "apology", "text": f"Sorry {n}."})
        repeat = {"skill": "assert", "strength": "strong", "state": "mindful"}
        moves.append({**repeat, "text": f"Again {n}."})
    for move in moves:
        if move.get("strength") != "strong":
            move |= {"suggestion": "Say it plainly.", "rewrite": f"Better: {move['text']}"}
    return {
        "id": "the-key-again",
        "themes": [],
        "situations": ["My flatmate loses keys.", "Keys vanish in our flat."],
        "partner": "my flatmate",
        "move": moves,
        "missing": [{"skill": s, "suggestion": "Add it.", "add": f"Add {s}."} for s in SKILLS],
    }


def toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {toml(item)}' for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return '"' + value.replace('"', '\\"') + '"' if isinstance(value, str) else repr(value)


def write(folder, situations, conversations):
    for kind, name, entries in (
        ("situation", "keys", situations),
        ("conversation", "family", conversations),
    ):
        (folder / f"{kind}s").mkdir(exist_ok=True)
        lines = []
        for entry in entries:
            lines.append(f"[[{kind}]]")
            lines += [f"{key} = {toml(value)}" for key, value in entry.items()]
        (folder / f"{kind}s" / f"{name}.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder


def faults(folder):
    return [problem for problem in check_banks(folder) if problem.fault]


def test_a_tiny_bank_is_read_as_it_stands(tmp_path):
    banks = read_banks(write(tmp_path, [situation()], [conversation()]))
    assert banks.situations[0].walk == "keys"
    assert banks.situations[0].profile == (3.0,) * 22
    assert banks.conversations[0].category == "family"


def spoil(path, value):
    """Return a function that replaces what stands at a path, or removes it."""

    def change(entry):
        *way, last = path
        for step in way:
            entry = entry[step]
        if value is None:
            del entry[last]
        else:
            entry[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (spoil(["id"], "Not A Slug"), "id"),
        (spoil(["tone"], "sunny"), "tone"),
        (spoil(["voice"], "shouting"), "voice"),
        (spoil(["themes"], ["weather"]), "themes"),
        (spoil(["event"], ["only one."]), "event"),
        (spoil(["goal", 0], "   "), "goal 1"),
        (spoil(["feeling", 0, "labels"], ["Happy"]), "feeling 1 labels"),
        (spoil(["profile", "control.general"], None), "profile control.general"),
        (spoil(["profile", "control.general"], 6), "profile control.general"),
        (spoil(["profile", "control.genral"], 3), "profile"),
        (spoil(["reasons", "self"], None), "reasons self"),
        (spoil(["reasons", "self", 0], "My keys were gone."), "reasons self 1"),
        (spoil(["reasons", "self", 0], "{he} had lost {my} keys."), "reasons self 1"),
        (spoil(["misreading", 0, "shift"], {"accountability.self": 3}), "misreading 1 shift"),
        (spoil(["misreading"], None), "misreading"),
        (spoil(["colour"], "blue"), "colour"),
    ],
)
def test_a_wrong_situation_is_named(tmp_path, change, field):
    entry = copy.deepcopy(situation())
    change(entry)
    found = faults(write(tmp_path, [entry], [conversation()]))
    assert any(problem.field.startswith(field) for problem in found)
    assert all(problem.file == "keys.toml" and problem.advice for problem in found)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (spoil(["situations"], ["one."]), "situations"),
        (spoil(["partner"], None), "partner"),
        (spoil(["move", 0, "strength"], "middling"), "move 1"),
        (spoil(["move", 1, "rewrite"], None), "move 2 rewrite"),
        (spoil(["missing"], []), "missing"),
        (lambda entry: entry["move"].pop(), "repeat"),
    ],
)
def test_a_wrong_conversation_is_named(tmp_path, change, field):
    entry = copy.deepcopy(conversation())
    entry["move"] = [m for m in entry["move"] if m.get("text") != "Again 0."]
    change(entry)
    found = faults(write(tmp_path, [situation()], [entry]))
    assert any(problem.field == field for problem in found)


def notes(folder):
    return [problem for problem in check_banks(folder) if not problem.fault]


def test_a_strong_expression_without_a_feeling_is_noted(tmp_path):
    entry = conversation()
    strong = [m for m in entry["move"] if (m.get("skill"), m.get("strength")) == STRONG_EXPRESS]
    for move in strong:
        move["text"] = "I feel tired."
    first = f"move {entry['move'].index(strong[0]) + 1} text"
    before = notes(write(tmp_path, [situation()], [entry]))
    strong[0]["text"] = "I think it is worth more."
    after = notes(write(tmp_path, [situation()], [entry]))
    assert first not in [note.field for note in before if "feeling" in note.wrong]
    assert first in [note.field for note in after if "feeling" in note.wrong]


def test_a_sentence_that_answers_has_to_be_marked(tmp_path):
    entry = conversation()
    entry["missing"].append({"skill": "mindful", "suggestion": "Stay.", "add": "I hear you."})
    assert any("answers" in note.wrong for note in notes(write(tmp_path, [situation()], [entry])))
    entry["missing"][-1]["reply"] = True
    found = notes(write(tmp_path, [situation()], [entry]))
    assert not any("answers" in note.wrong for note in found)


def first(entry, skill, strength):
    number = next(
        n
        for n, m in enumerate(entry["move"])
        if (m.get("skill"), m.get("strength")) == (skill, strength)
    )
    return entry["move"][number], f"move {number + 1}"


@pytest.mark.parametrize(
    ("skill", "strength", "mark", "field"),
    [
        ("describe", "weak", {"tone": "loud"}, "tone"),
        ("describe", "strong", {"lacks": "picture"}, "lacks"),
        ("describe", "weak", {"lacks": "event"}, "lacks"),
        ("describe", "strong", {"bare": True}, "bare"),
        ("describe", "weak", {"bare": False}, "bare"),
        ("assert", "strong", {"lacks": "wish"}, "rewrite"),
        ("assert", "strong", {"rewrite": "Please do."}, "rewrite"),
    ],
)
def test_a_mark_that_no_expert_could_read_is_a_fault(tmp_path, skill, strength, mark, field):
    entry = conversation()
    move, name = first(entry, skill, strength)
    move |= mark
    found = faults(write(tmp_path, [situation()], [entry]))
    assert [problem.field for problem in found] == [f"{name} {field}"]


def test_a_skill_needs_a_good_use_that_lacks_nothing(tmp_path):
    entry = conversation()
    for move in entry["move"]:
        if (move.get("skill"), move.get("strength")) == ("describe", "strong"):
            move["lacks"] = "event"
    found = faults(write(tmp_path, [situation()], [entry]))
    assert [problem.field for problem in found] == ["strong describe"]


@pytest.mark.parametrize(
    ("strength", "flaw", "text", "wrong"),
    [
        ("strong", None, "What I'm asking for now is a chance to play.", "topic"),
        ("strong", None, "I'd like to talk about my days.", "topic"),
        ("strong", None, "We can talk about Mum later. Please come at six.", None),
        ("weak", "demand", "Six o'clock, or you don't need to ring.", "threat"),
        ("weak", "demand", "Six o'clock, and no excuses.", None),
    ],
)
def test_a_request_is_a_request_and_an_order_holds_no_threat(tmp_path, strength, flaw, text, wrong):
    entry = conversation()
    move, name = first(entry, "assert", strength)
    move |= {"text": text} | ({"flaw": flaw} if flaw else {})
    found = [
        note.wrong
        for note in notes(write(tmp_path, [situation()], [entry]))
        if note.field == f"{name} text"
    ]
    assert len(found) == (wrong is not None) and all(wrong in text for text in found)


def test_advice_builds_on_no_words_that_a_message_may_not_hold(tmp_path):
    entry = conversation()
    before = {note.field for note in notes(write(tmp_path, [situation()], [entry]))}
    move, name = first(entry, "describe", "weak")
    for item in (move, entry["missing"][0]):
        item["suggestion"] = "The four times speak for themselves."
    after = {note.field for note in notes(write(tmp_path, [situation()], [entry]))}
    assert after - before == {"missing 1 suggestion", f"{name} suggestion"}


def test_what_a_good_use_may_lack_has_advice():
    stricter = read_banks().phrases["experts"]["stricter"]
    assert set(stricter) == {kind for kinds in LACKS.values() for kind in kinds}
    assert all(len(set(texts)) == len(texts) >= 4 for texts in stricter.values())


def test_a_first_message_needs_a_sentence_that_answers_nobody(tmp_path):
    entry = conversation()
    for item in entry["missing"]:
        item["reply"] = True
    found = faults(write(tmp_path, [situation()], [entry]))
    assert {problem.field for problem in found} == {"missing"}
    entry["missing"][0]["reply"] = "yes"
    found = faults(write(tmp_path, [situation()], [entry]))
    assert "missing 1 reply" in {problem.field for problem in found}


def near_faults(folder, entry):
    found = faults(write(folder, [entry], [conversation()]))
    assert {problem.field for problem in found} <= {"near"}
    return [problem.wrong for problem in found]


def test_who_is_felt_close_to_has_to_be_named_by_every_event(tmp_path):
    entry = situation()
    entry["feeling"][0]["labels"] = ["Love, closeness, trust"]
    assert near_faults(tmp_path, entry) == [
        "a passage voices closeness or sympathy, for nobody named"
    ]
    entry["near"] = "keys|door"
    assert near_faults(tmp_path, entry) == ["event 3 names nobody of 'keys|door'"]
    entry["near"] = "keys|door|lock"
    assert near_faults(tmp_path, entry) == []
    entry["near"] = ""
    assert near_faults(tmp_path, entry) == []


def test_a_sentence_about_others_needs_somebody_whatever_its_group():
    assert needs_somebody(LABELS[3], "Felt close.")
    assert needs_somebody(LABELS[0], "I felt near to the others.")
    assert needs_somebody(LABELS[0], "It filled me with affection.")
    assert not needs_somebody(LABELS[0], "I had hope after this, I still have it.")


def test_an_id_may_stand_only_once(tmp_path):
    found = faults(write(tmp_path, [situation(), situation()], [conversation()]))
    assert [problem.field for problem in found] == ["id"]


def test_broken_toml_is_reported_with_its_line(tmp_path):
    write(tmp_path, [situation()], [conversation()])
    (tmp_path / "situations" / "broken.toml").write_text("[[situation]\n", encoding="utf-8")
    (problem,) = faults(tmp_path)
    assert problem.file == "broken.toml"
    assert "line 1" in problem.wrong


def test_reading_a_faulty_bank_lists_every_fault_and_what_to_do(tmp_path):
    entry = situation() | {"tone": "sunny", "voice": "shouting"}
    with pytest.raises(BankError) as caught:
        read_banks(write(tmp_path, [entry], [conversation()]))
    assert len(caught.value.problems) == 2
    assert "--check-banks" in str(caught.value)


def test_notes_on_style_stop_nothing(tmp_path):
    folder = write(tmp_path, [situation()], [conversation()])
    assert any(not problem.fault for problem in check_banks(folder))
    assert read_banks(folder).situations


@pytest.mark.parametrize("start", ["They", "He", "She", "His", "Her"])
def test_a_reason_that_begins_with_somebody_unnamed_is_noted(tmp_path, start):
    entry = situation()
    entry["reasons"]["other"][1] = f"{start} lost it."
    noted = [str(each) for each in check_banks(write(tmp_path, [entry], [conversation()]))]
    assert any("reasons other 2" in note and f"'{start}'" in note for note in noted)


def test_the_bundled_reasons_name_whom_they_are_about():
    assert [str(each) for each in check_banks() if "starts with '" in str(each)] == []


def test_five_grams_ignore_case_and_punctuation():
    assert five_grams("One, two three four FIVE!") == {("one", "two", "three", "four", "five")}


def test_a_reason_is_said_by_a_writer_and_by_an_observer():
    reason = "{I} {was} late, and {my} sister told {me} so {myself}."
    assert spoken(reason, "writer") == "I was late, and my sister told me so myself."
    assert spoken(reason, "observer") == (
        "They were late, and their sister told them so themselves."
    )


# --- phrases ----------------------------------------------------------------------------------


def test_every_answer_can_be_opened_in_every_voice():
    phrases = read_banks().phrases
    levels = ("1", "2", "3", "4", "5")
    parties = ("self", "self_some", "other", "other_some", "both", "circumstances")
    for role in ("writer", "observer"):
        for question in ASKED:
            cells = parties if question == "accountability" else levels
            bank = phrases[f"answers_{role}"][question]
            assert set(bank) == set(cells)
            for which in cells:
                assert all(bank[which].get(voice) for voice in VOICES)


def test_every_emotion_group_can_be_voiced_in_every_voice():
    bank = read_banks().phrases["feelings"]
    assert set(bank) == {*LABELS, "none", "numb"}
    assert all(bank[label].get(voice) for label in bank for voice in VOICES)


def test_a_second_expert_has_words_of_their_own_for_every_flaw():
    second = read_banks().phrases["experts"]["second"]
    assert set(second) == {flaw for flaws in FLAWS.values() for flaw in flaws}
    assert all(len(set(texts)) == len(texts) >= 3 for texts in second.values())


def test_general_sentences_can_be_told_apart():
    bank = read_banks().phrases["feelings"]
    for label, voices in bank.items():
        for voice, texts in voices.items():
            assert len({text.lower() for text in texts}) == len(texts) >= 3, (label, voice)


def test_observers_never_speak_of_themselves_as_the_person_in_the_story():
    bank = read_banks().phrases["answers_observer"]
    for question in bank.values():
        for voices in question.values():
            for text in (text for texts in voices.values() for text in texts):
                assert not re.search(r"\b(me|mine|my(?! reading))\b", text), text


# --- worlds and signs -------------------------------------------------------------------------


def test_every_sign_names_documented_things_and_its_sources():
    entries = read_signs()
    for entry in entries:
        assert entry["emotion"] in LABELS
        assert entry["appraisal"] in DIMENSIONS
        assert entry["sign"] in SIGNS
        assert entry["sources"] and set(entry["sources"]) <= BIBLIOGRAPHY
    assert len({(entry["emotion"], entry["appraisal"]) for entry in entries}) == len(entries)


def test_a_pair_that_no_entry_names_is_not_stated():
    table = sign_table()
    assert table["Angry, frustrated, annoyed"]["accountability.other"] == "+"
    assert table["Lonely, isolated, disconnected from others"]["control.general"] == "not stated"


@pytest.mark.parametrize("name", world_names())
def test_every_world_gives_a_model(name):
    world = read_world(name)
    assert set(world["emotion"]["rates"]) == set(LABELS)
    assert len(Model(world, read_banks().situations).intercepts) == 20


def test_no_assumed_effect_contradicts_or_repeats_a_stated_sign():
    table = sign_table()
    for label, effects in read_world()["emotion"]["assumed"].items():
        assert all(table[label][name] == "not stated" for name in effects)


def test_a_size_needs_a_stated_sign():
    table = sign_table()
    for label, sizes in read_world()["emotion"]["sizes"].items():
        assert all(table[label][name] in ("+", "-") for name in sizes)


def test_an_unknown_world_lists_the_known_ones():
    with pytest.raises(WorldError, match="default, experts_apart"):
        read_world("atlantis")


def test_a_world_may_not_name_a_parameter_that_does_not_exist(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[observer]\nseees = 0.5\n", encoding="utf-8")
    with pytest.raises(WorldError, match="seees"):
        read_world(str(file))


# --- the page about the model -----------------------------------------------------------------


def test_every_parameter_says_what_it_is():
    assert [p for p in parameters() if not p.comment] == []
    assert len(parameters()) > 100


def test_the_parameters_on_the_page_are_those_of_the_world():
    assert "| `misread` | 0.12 |" in parameters_markdown()
    assert read_world()["observer"]["misread"] == 0.12


def test_the_matrix_has_every_appraisal_and_every_stated_sign():
    rows = sign_matrix().splitlines()[2:]
    cells = [cell.strip() for row in rows for cell in row.split("|")[2:-1]]
    assert len(rows) == len(DIMENSIONS) and len(cells) == len(DIMENSIONS) * len(LABELS)
    assert len(cells) - cells.count("\u00b7") == len(read_signs())


def test_every_stated_sign_is_listed_with_its_source_and_our_size():
    rows = sign_sources().splitlines()[2:]
    assert len(rows) == len(read_signs())
    assert all("{cite:t}`" in row for row in rows)


def test_every_world_is_described():
    assert all(f"| `{name}` |" in worlds_markdown() for name in world_names())
