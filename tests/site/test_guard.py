"""The licence guard: real records are recognised, taken out of outputs, and never built in."""

import base64
import gzip
import json
import zipfile
from pathlib import Path
from urllib.parse import quote

import guard
import pages
import pytest
import real_like
from fixture_book import make_book, write_notebook
from gates import Finding
from guard import Guard, findings, notice, redacted
from layout import Book
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from carebook import load_carebench, load_imbue

STORY = "My sister had promised to call before noon, and she never did."
ITEMS = [
    ("story", "record 0007/0", STORY),
    ("appraisal answer", "record 0007/0", "It ruined my day"),
    ("dialogue turn", "record 0007/0", "I see"),
    ("identifier", "record 0007/0", "5f3a9c0b77e1d2c4a6b8e9f0"),
    ("identifier", "record 0007/0", "0007/0"),
    ("identifier", "record 12/0", "12"),
]


@pytest.fixture
def watch():
    return Guard(ITEMS, ["A page of the book: it ruined my evening."])


@pytest.mark.parametrize(
    "text",
    [
        f"<p>{STORY}</p>",
        "<pre>... promised to call before noon, and she</pre>",
        "<b>My</b> sister <i>had</i> promised to <span>call</span> before noon",
        "MY SISTER HAD PROMISED TO CALL",
        'alt="Somebody&#x27;s words: my sister had promised to call"',
        json.dumps({"text": "My sister\nhad\tpromised to call"}),
        json.dumps(json.dumps("My sister\nhad promised\u2028to call")),
        "my-sister_had/promised;to|call",
        "https://example.org/?q=" + quote(STORY),
        "data:image/svg+xml;base64," + base64.b64encode(f"<text>{STORY}</text>".encode()).decode(),
    ],
)
def test_six_words_in_a_row_are_found_through_any_markup(watch, text):
    assert [find[:2] for find in guard._finds_in(watch, text)] == [("story", "record 0007/0")]


@pytest.mark.parametrize(
    "text",
    [
        "My sister had promised to visit.",
        "It ruined my evening",
        "I see",
        "12 of them, in 12 rows",
        "call before my sister had promised to noon",
    ],
)
def test_other_words_and_very_short_texts_are_no_find(watch, text):
    assert guard._finds_in(watch, text) == []


@pytest.mark.parametrize(
    "story",
    ["妹は正午までに電話すると約束していた", "姐姐答应中午之前给我打电话", "น้องสาวสัญญาว่าจะโทรมา"],
)
def test_a_story_in_a_script_without_blanks_is_found(story):
    knows = Guard([("story", "record 1/0", story)])
    assert guard._finds_in(knows, f"<p>{story[2:14]}</p>")
    assert not guard._finds_in(knows, f"<p>{story[2:6]}</p>")


@pytest.mark.parametrize("name", ["anna.b@example.org", "Anna Maria B.", "rater 1 (Leeds)"])
def test_a_name_of_several_words_is_found_whole(name):
    knows = Guard([("identifier", "an expert", name)])
    assert guard._finds_in(knows, f"<td>{name.upper()}</td>")
    assert not guard._finds_in(knows, f"<td>{name.split('.')[0].split()[0]}</td>")


def test_short_texts_are_found_whole_and_identifiers_as_words(watch):
    assert guard._finds_in(watch, "<li>It ruined my day!</li>")[0][0] == "appraisal answer"
    found = guard._finds_in(watch, "<td>5F3A9C0B77E1D2C4A6B8E9F0</td> and 0007/0")
    assert [kind for kind, _, _ in found] == ["identifier"]
    assert guard._finds_in(watch, "x5f3a9c0b77e1d2c4a6b8e9f0y") == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("<tr><th>0041</th><td>3</td></tr>", 1),
        ("<span>&#39;0041&#39;</span>", 1),
        ("a p of 0.0041, or 0041 of them", 0),
        ('terms: {"0041": 3}', 0),
        ("<td>42</td>", 0),
    ],
)
def test_a_number_is_a_name_where_it_stands_as_one(text, count):
    watch = Guard([("identifier", "a", "0041"), ("identifier", "b", "42")])
    assert len(guard._finds_in(watch, text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("<td>1/2</td>", 1),
        ("conversation '1/2'", 1),
        ("grid-row:1/2; half of it, 1/2, and 11/2", 0),
        ('{"message": "1/2"}', 0),
        ("record 0107/2", 1),
    ],
)
def test_two_small_numbers_name_a_message_only_where_they_stand_as_a_name(text, count):
    watch = Guard([("identifier", "a", "1/2"), ("identifier", "b", "0107/2")])
    assert len(guard._finds_in(watch, text)) == count


def test_what_stands_in_the_books_own_sources_is_no_find():
    own = Guard(ITEMS, [f"An invented story: {STORY}", "For example, `0007/0`."])
    assert guard._finds_in(own, f"{STORY} 0007/0") == []


# --- outputs -----------------------------------------------------------------------------------


def chapter(*outputs, **metadata):
    cells = [new_markdown_cell("# Text", id="text")]
    for number, output in enumerate(outputs):
        cells.append(new_code_cell("show()", id=f"cell-{number}", outputs=[output]))
    return new_notebook(cells=cells, metadata=metadata)


def data(**kinds):
    return new_output("display_data", data={kind.replace("_", "/"): v for kind, v in kinds.items()})


def test_an_output_with_a_record_in_it_is_replaced_and_named(watch):
    picture = new_output(
        "display_data", data={"image/png": "x"}, metadata={"image/png": {"alt": f"Says: {STORY}"}}
    )
    notebook = chapter(
        data(text_plain="42"),
        data(text_html=f"<td>{STORY}</td>", text_plain="a table"),
        new_output("stream", text=STORY.upper()),
        picture,
        new_output("error", ename="E", evalue="", traceback=[STORY]),
        data(text_markdown="In 42 stories, nothing was found."),
    )
    taken = redacted(notebook, watch)
    assert [cell for cell, _ in taken] == ["cell-1", "cell-2", "cell-3", "cell-4"]
    assert taken[0][1][0][:2] == ("story", "record 0007/0")
    assert notebook.cells[1].outputs[0].data["text/plain"] == "42"
    assert "not shown here" in notebook.cells[2].outputs[0].data["text/markdown"]
    assert "sister" not in json.dumps(notebook)
    said = []
    guard.say_redacted("02_linking", taken, said.append)
    assert said[0] == "  not shown: 02_linking, cell cell-1: story"


def test_a_record_in_a_widgets_state_takes_the_widget_out(watch):
    view = data(**{"application_vnd.jupyter.widget-view+json": {"model_id": "m"}})
    state = {"application/vnd.jupyter.widget-state+json": {"state": {"m": {"story": STORY}}}}
    notebook = chapter(view, data(text_plain="42"), widgets=state)
    assert [cell for cell, _ in redacted(notebook, watch)] == ["cell-0"]
    assert "widgets" not in notebook.metadata


# --- what was built ----------------------------------------------------------------------------


def test_every_built_file_is_searched_archives_included(watch, tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "one.html").write_text(f"<p>{STORY}</p>", encoding="utf-8")
    (tmp_path / "search-data.js").write_text(json.dumps({"t": STORY}), encoding="utf-8")
    (tmp_path / "data.json.gz").write_bytes(gzip.compress(STORY.encode()))
    (tmp_path / "fine.html").write_text("<p>Nothing here.</p>", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "helpers.whl", "w") as wheel:
        wheel.writestr("carebook/data/x.jsonl.gz", gzip.compress(STORY.encode()))
    found = findings(tmp_path, watch)
    assert {finding.file for finding in found} == {
        "notebooks/one.html",
        "search-data.js",
        "data.json",
        "helpers.whl/carebook/data/x.jsonl",
    }
    assert isinstance(found[0], Finding) and "record 0007/0" in str(found[0])


def test_the_practice_corpus_may_be_shipped_beside_real_data_and_nothing_else(sources, tmp_path):
    book = Book.at(make_book(tmp_path / "book"), sources)
    shipped = book.notebooks / "carebook" / "data" / "practice" / "first_person.jsonl.gz"
    shipped.parent.mkdir(parents=True)
    real = Path(sources["CAREBENCH_DATA"], "first_person.jsonl").read_bytes()
    shipped.write_bytes(gzip.compress(real))  # as like the real data as can be
    built = tmp_path / "html"
    built.mkdir()
    for name, data in (
        ("ours.whl", shipped.read_bytes()),
        ("altered.whl", gzip.compress(real[1:])),
    ):
        with zipfile.ZipFile(built / name, "w") as wheel:
            wheel.writestr("carebook/data/practice/first_person.jsonl.gz", data)
    found = findings(built, guard.guard_of(book, sources))
    assert {finding.file.partition("/")[0] for finding in found} == {"altered.whl"}


def test_the_notice_credits_and_links_what_is_real_and_nothing_else():
    assert notice([]) == ""
    both = notice(["CAREBENCH_DATA", "IMBUE_DATA"])
    assert "licenses/by-nc-nd/4.0" in both and "Zhaoyue Sun" in both and "Inna Lin" in both
    assert "not commercial" in both and "state no licence" in both
    assert "IMBUE" not in notice(["CAREBENCH_DATA"])


# --- a book on data that count as real ---------------------------------------------------------


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return real_like.write_real_like(tmp_path_factory.mktemp("real-like"), narratives=12)


def test_data_are_real_unless_every_identifier_says_otherwise(sources, tmp_path):
    from carebook.practice.corpus import make_corpus
    from carebook.practice.write import write_corpus

    assert set(guard.real_sources(Book(tmp_path, tmp_path, sources))) == set(sources)
    write_corpus(make_corpus(3, narratives=4, conversations=1), tmp_path)
    practice = {name: str(tmp_path / "imbue.csv" if "IMBUE" in name else tmp_path)
                for name in sources}  # fmt: skip
    assert guard.real_sources(Book(tmp_path, tmp_path, practice)) == {}


def test_everything_in_the_records_is_protected(sources):
    kinds = {}
    for kind, _, text in guard.protected(sources):
        kinds.setdefault(kind, []).append(text)
    assert set(kinds) == {
        "story", "appraisal answer", "dialogue turn", "row of a person", "identifier", "situation",
        "message text",
        *(f"{part} {skill}" for part in ("suggestion", "rewrite") for skill in guard_skills()),
    }  # fmt: skip
    assert len(kinds["story"]) == 12 * 5


def guard_skills():
    from carebook.vocabulary import SKILLS

    return SKILLS


@pytest.fixture
def quoted(sources):
    """What may be quoted: one story, one message; the file is gone afterwards."""
    file = Path(sources["CAREBENCH_DATA"]) / "quotations.toml"
    key = load_imbue(sources["IMBUE_DATA"]).messages.index[0]
    lines = ['confirmed_by = "A. Teacher"', 'narratives = ["0002"]', f'messages = ["{key}"]']
    file.write_text("\n".join(lines), encoding="utf-8")
    yield {"0002", key}
    file.unlink()


def test_a_confirmed_quotation_is_not_protected(sources, quoted):
    stories = [record for kind, record, _ in guard.protected(sources) if kind == "story"]
    assert stories.count("record 0002/0") == 4 and stories.count("record 0001/0") == 5


def test_what_records_repeat_of_a_confirmed_text_is_no_find(sources, quoted, tmp_path):
    book = Book.at(make_book(tmp_path / "book"), sources)
    knows = guard.guard_of(book, sources)
    stories = load_carebench(sources["CAREBENCH_DATA"]).narratives["narrative"]
    messages = load_imbue(sources["IMBUE_DATA"]).messages["message_text"]
    for texts in (stories, messages):
        found = {key for key, text in texts.items() if knows.finds(text)}
        assert found == {key for key, text in texts.items() if len(text.split()) > 3} - quoted


REPEATING = [
    (
        "rewrite assert",
        "message 07/3",
        "Please, could you call me before noon on Sunday? Mum asks.",
    ),
    ("identifier", "an expert", "noon-rater"),
]


def test_only_the_confirmed_words_of_a_rewrite_may_be_shown():
    confirmed = "Could you call me before noon on Sunday?"
    knows = Guard(REPEATING, confirmed=[confirmed])
    assert knows.finds(confirmed) == []
    assert knows.finds(REPEATING[0][2]) and knows.finds("me before noon on Sunday? Mum")


def test_a_name_in_a_confirmed_text_stays_protected_elsewhere():
    knows = Guard(REPEATING, confirmed=["I told noon-rater that I'd call him on Sunday."])
    assert [kind for kind, _, _ in knows.finds("<td>noon-rater</td>")] == ["identifier"]


LEAK = """
import json, os
file = open(os.path.join(os.environ["CAREBENCH_DATA"], "first_person.jsonl"), encoding="utf-8")
with file:
    record = json.loads(file.readline())
print(record["story_collection"]["final_scenario"])
"""


@pytest.mark.slow
def test_a_site_from_real_data_says_so_and_shows_no_record(sources, tmp_path, monkeypatch):
    root = make_book(tmp_path / "book")
    cells = [
        new_markdown_cell("# Second chapter", id="title"),
        new_code_cell(LEAK.strip(), id="leak"),
        new_code_cell("6 * 7", id="fine"),
    ]
    write_notebook(root / "notebooks" / "two.ipynb", cells)
    book, said = Book.at(root, sources), []
    with monkeypatch.context() as without:
        without.setattr(guard, "redacted", lambda notebook, watch: [])
        with pytest.raises(pages.BuildFailed, match="places where records are shown"):
            pages.build(book, said.append)
    assert any("notebooks/two.html: story: " in line for line in said), said
    assert not book.html.exists()
    said.clear()
    pages.build(book, said.append)
    assert "  not shown: two, cell leak: story" in said
    page = (book.html / "notebooks" / "two.html").read_text(encoding="utf-8")
    assert "not shown here" in page and "42" in page
    for name in ("book/index", "notebooks/one", "notebooks/two", "404", "search"):
        page = (book.html / f"{name}.html").read_text(encoding="utf-8")
        assert "Built from real data." in page and "by-nc-nd/4.0" in page, name
