"""The practice corpora follow the documentation and the stated parameters, whatever they tell.

These tests hold the generator, not the story: no test asks that one method beats another.
"""

import argparse
import dataclasses
import gzip
import hashlib
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import carebook
from carebook import load_carebench, load_imbue
from carebook.practice import add_arguments, main, make_corpus
from carebook.practice.answers import (
    ASKED,
    DID,
    REASON_PAIRS,
    Narrator,
    _agrees,
    _echoes,
    cell,
    write_answers,
    writer_of,
)
from carebook.practice.banks import (
    NEEDS_SOMEBODY,
    Feeling,
    Misreading,
    Move,
    data_folder,
    five_grams,
    particulars,
    read_banks,
)
from carebook.practice.command import BUNDLED_SEED
from carebook.practice.conversations import (
    LAPSES,
    Message,
    _Desk,
    conversation_lengths,
    could_hold,
    hold_conversations,
    judge,
    lacking,
    threatened,
)
from carebook.practice.corpus import big_five
from carebook.practice.dealing import deal_variants, shared_parts
from carebook.practice.model import Model, Reaction, cut, normal_cdf
from carebook.practice.narratives import (
    Story,
    _general,
    _least_told,
    feeling_wishes,
    in_manner,
    sentences,
    stopped,
)
from carebook.practice.people import draw_person
from carebook.practice.wording import reworded
from carebook.practice.worlds import read_world, sign_table
from carebook.practice.write import NotOurs, contents, write_corpus
from carebook.vocabulary import (
    AGREEMENT,
    ATTENTION_CHECK,
    DIMENSIONS,
    LABELS,
    POSITIVE_LABELS,
    SKILLS,
    STATEMENTS,
    STRENGTH_SKILLS,
    TRAITS,
    WITHHELD,
)

SMALL = {"narratives": 200, "conversations": 18}


@pytest.fixture(scope="session")
def corpus(banks):
    """The bundled corpus, made again."""
    return make_corpus(BUNDLED_SEED, banks=banks)


@pytest.fixture(scope="session")
def worlds(banks):
    """The same seed in every world, small."""
    names = ("default", "words_speak", "shared_bias", "no_personality", "experts_apart")
    return {name: make_corpus(11, name, **SMALL, banks=banks) for name in names}


@pytest.fixture(scope="session")
def parameters():
    return read_world()


@pytest.fixture(scope="session")
def banks():
    return read_banks()


def near(share, rate, count, errors=4):
    """Return whether a share lies within Monte Carlo error of the stated rate."""
    return abs(share - rate) <= errors * math.sqrt(rate * (1 - rate) / count)


def annotations(corpus):
    return [*corpus.first_person, *corpus.third_person]


def ratings(record):
    answers = record["appraisal_ratings"]
    return [AGREEMENT[answers[STATEMENTS[name]]] for name in DIMENSIONS]


def ticked(record):
    labels = record["emotion_labels"]
    return labels["positive_emotion_labels"] + labels["negative_emotion_labels"]


def level(record, side):
    return int(record["emotion_labels"][f"{side}_level"][0])


def slope(x, y):
    return statistics.linear_regression(x, y).slope


# --- same bytes, bundled copy -----------------------------------------------------------------


def test_the_bundled_copy_is_what_the_program_makes(corpus):
    folder = data_folder() / "practice"
    for name, data in contents(corpus).items():
        stored = gzip.decompress((folder / f"{name}.gz").read_bytes())
        assert stored == data, f"{name} is stale: run python -m carebook practice --bundled"


def test_the_bundled_files_stay_under_three_megabytes():
    assert sum(f.stat().st_size for f in (data_folder() / "practice").glob("*.gz")) < 3_000_000


def digest(corpus):
    files = contents(corpus)
    return hashlib.sha256(b"".join(files[name] for name in sorted(files))).hexdigest()


def test_a_seed_decides_everything():
    one, again, other = (make_corpus(seed, narratives=20) for seed in (4, 4, 5))
    assert digest(one) == digest(again)
    assert digest(one) != digest(other)


PROGRAM = """
import sys, types, hashlib
package = types.ModuleType("carebook")
package.__path__ = [sys.argv[1]]
sys.modules["carebook"] = package
from carebook.practice import make_corpus
from carebook.practice.write import contents
files = contents(make_corpus(4, narratives=20))
print(hashlib.sha256(b"".join(files[name] for name in sorted(files))).hexdigest())
"""


def find_python(minor):
    """Return a working interpreter of that version: this one, on the path, or pyenv's."""
    if sys.version_info[1] == minor:
        return sys.executable
    on_path = [program for program in [shutil.which(f"python3.{minor}")] if program]
    pyenv = (Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python")
    for program in [*on_path, *map(str, sorted(pyenv))]:
        if subprocess.run([program, "--version"], capture_output=True).returncode == 0:
            return program
    return None


@pytest.mark.parametrize("minor", [11, 12, 13])
def test_every_python_makes_the_same_bytes(minor):
    program = find_python(minor)
    if program is None:
        pytest.skip(f"Python 3.{minor} is not on this machine")
    # The package's own __init__ needs pandas, the generator needs the standard library alone.
    arguments = [program, "-c", PROGRAM, str(Path(carebook.__file__).parent)]
    run = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == digest(make_corpus(4, narratives=20))


# --- schema and sizes -------------------------------------------------------------------------


@pytest.fixture(scope="session")
def folder(corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("practice")
    write_corpus(corpus, path)
    return path


def test_the_loaders_accept_every_record(folder):
    data = load_carebench(folder)
    assert data.source.synthetic
    assert (len(data.narratives), len(data.annotations)) == (1000, 3500)
    assert not data.extra_fields
    assert len(data.contradictions) == 0
    assert data.annotations.groupby("sample_id").size().value_counts().to_dict() == {1: 500, 6: 500}


def test_the_imbue_table_has_the_reported_size(folder):
    data = load_imbue(folder / "imbue.csv")
    assert data.source.synthetic
    assert (len(data.conversations), len(data.messages)) == (18, 163)
    assert data.judgements["expert"].nunique() == 6


def test_other_sizes_can_be_asked_for(banks):
    corpus = make_corpus(3, narratives=12, conversations=40, banks=banks)
    assert len(corpus.first_person) == 12
    assert len(corpus.third_person) == 30
    assert len({row["conversation_id"] for row in corpus.imbue}) == 40


def test_too_small_numbers_are_refused_in_words():
    with pytest.raises(ValueError, match="at least 2 narratives"):
        make_corpus(1, narratives=1)


def test_nothing_of_the_sidecar_is_in_the_records(corpus):
    ids = {item["situation"] for item in corpus.truth["narratives"].values()}
    text = json.dumps(corpus.first_person[:50]) + json.dumps(corpus.third_person[:50])
    assert not any(f'"{name}"' in text for name in ids)


def test_the_sidecar_says_where_each_text_came_from(corpus):
    assert len(corpus.truth["narratives"]) == 1000
    assert len(corpus.truth["messages"]) == 163
    record = corpus.truth["narratives"]["0001"]
    assert len(record["appraisals"]) == 22
    assert len(record["emotions"]) == 20


def test_everything_calls_itself_synthetic(corpus):
    assert all(r["participant_id"].startswith("practice-") for r in annotations(corpus))
    assert all(row["username_expert"].startswith("practice-") for row in corpus.imbue)
    assert "invented" in corpus.truth["notice"]


# --- people -----------------------------------------------------------------------------------


def test_nobody_reads_an_own_narrative_or_the_same_one_twice(corpus):
    readers = {r["sample_id"]: [r["participant_id"]] for r in corpus.first_person}
    for record in corpus.third_person:
        readers[record["sample_id"]].append(record["participant_id"])
    assert all(len(set(people)) == len(people) for people in readers.values())


def test_people_recur_at_the_stated_rates(corpus):
    rules = read_world()["people"]
    wrote = Counter(r["participant_id"] for r in corpus.first_person)
    read = Counter(r["participant_id"] for r in corpus.third_person)
    assert abs(len(wrote) - rules["writers_per_narrative"] * 1000) <= 6
    assert len(read) == round(rules["observers_per_observation"] * 2500)
    assert len(wrote.keys() & read.keys()) == round(rules["both_roles"] * len(read))
    assert max(wrote.values()) <= rules["most_narratives"]
    assert max(read.values()) <= rules["most_observations"]


def test_a_person_is_the_same_in_every_record(corpus):
    seen = {}
    for record in annotations(corpus):
        fields = (record["personality_questionnaire"], record["demographics"])
        assert seen.setdefault(record["participant_id"], fields) == fields


def test_withheld_codes_come_at_their_stated_rates(corpus):
    rules = read_world()["people"]
    people = {r["participant_id"]: r["demographics"] for r in annotations(corpus)}
    values = [value for fields in people.values() for value in fields.values()]
    revoked = [set(fields.values()) == {"CONSENT_REVOKED"} for fields in people.values()]
    assert near(sum(revoked) / len(people), rules["consent_revoked"], len(people))
    expired = values.count("DATA_EXPIRED") / len(values)
    assert near(expired, rules["data_expired"], len(values))
    assert set(WITHHELD) <= set(values)


def test_attention_checks_fail_at_their_stated_rate(corpus):
    answers = [r["appraisal_ratings"][ATTENTION_CHECK] for r in annotations(corpus)]
    failed = sum(answer != "Strongly agree" for answer in answers) / len(answers)
    assert near(failed, read_world()["people"]["attention_failed"], len(answers))


def test_stored_big_five_run_from_zero_to_ten(corpus):
    scores = [score for r in annotations(corpus) for score in r["BigFive_scores"].values()]
    assert (min(scores), max(scores)) == (0.0, 10.0)
    assert big_five([3] * 10) == dict.fromkeys(TRAITS, 5.0)


def test_a_questionnaire_item_follows_its_trait(corpus):
    people = {r["participant_id"]: r["BigFive_scores"] for r in annotations(corpus)}
    for i, trait in enumerate(TRAITS):
        latent = [corpus.truth["people"][name]["traits"][i] for name in people]
        scores = [scores[trait] for scores in people.values()]
        # Two items of loading .75 correlate .85 with their trait; rounding costs a little.
        assert 0.75 < statistics.correlation(latent, scores) < 0.9


def test_demographics_have_no_effect(corpus):
    by_sex = {}
    for record in corpus.first_person:
        by_sex.setdefault(record["demographics"]["Sex"], []).append(level(record, "negative"))
    female, male = by_sex["Female"], by_sex["Male"]
    error = math.sqrt(sum(statistics.variance(x) / len(x) for x in (female, male)))
    assert abs(statistics.mean(female) - statistics.mean(male)) < 4 * error


# --- the model --------------------------------------------------------------------------------


def draws(model, situations, each):
    """Yield (situation, writer, reaction) with fresh people, without any text."""
    for s, situation in enumerate(situations):
        for n in range(each):
            rng = Random(f"{s}/{n}")
            person = draw_person(rng, model.world, "practice-p1", situation.voice)
            yield situation, person, model.writer_reaction(rng, person, situation)


@pytest.fixture(scope="session")
def drawn(banks):
    each = max(1, 4000 // len(banks.situations))
    model = Model(read_world(), banks.situations)
    return list(draws(model, banks.situations, each))


def test_emotion_groups_are_ticked_at_their_stated_rates(drawn):
    rates = read_world()["emotion"]["rates"]
    for i, label in enumerate(LABELS):
        share = sum(reaction.labels[i] for _, _, reaction in drawn) / len(drawn)
        assert near(share, rates[label], len(drawn)), label


@pytest.mark.parametrize(
    ("trait", "dimension"),
    [
        ("Neuroticism", "control.general"),
        ("Conscientiousness", "relevance.goals"),
        ("Openness", "control.select"),
    ],
)
def test_trait_effects_are_recovered(drawn, trait, dimension):
    t, d = TRAITS.index(trait), DIMENSIONS.index(dimension)
    x = [person.traits[t] for _, person, _ in drawn]
    y = [reaction.appraisals[d] - situation.profile[d] for situation, _, reaction in drawn]
    stated = read_world()["appraisal"]["traits"][trait].get(dimension, 0.0)
    assert abs(slope(x, y) - stated) < 4 * statistics.stdev(y) / math.sqrt(len(y))


def test_construal_has_its_stated_spread(drawn):
    sizes = read_world()["appraisal"]
    d = DIMENSIONS.index("control.select")
    spread = statistics.stdev(r.appraisals[d] - s.profile[d] for s, _, r in drawn)
    stated = math.hypot(sizes["group_noise"], sizes["own_noise"])
    assert abs(spread - stated) < 4 * stated / math.sqrt(2 * len(drawn))


def test_construal_is_shared_within_a_group(drawn):
    sizes = read_world()["appraisal"]
    one, two = (DIMENSIONS.index(name) for name in ("control.select", "control.vicarious"))
    x, y = ([r.appraisals[d] - s.profile[d] for s, _, r in drawn] for d in (one, two))
    stated = sizes["group_noise"] ** 2
    error = (stated + sizes["own_noise"] ** 2) / math.sqrt(len(drawn))
    assert abs(statistics.covariance(x, y) - stated) < 4 * error


def test_response_styles_have_their_stated_spread(corpus):
    people = corpus.truth["people"].values()
    for name in ("acquiescence", "extremity"):
        stated = read_world()["response"][name]
        spread = statistics.stdev(person[name] for person in people)
        assert abs(spread - stated) < 4 * stated / math.sqrt(2 * len(people))


def test_an_emotion_that_the_text_voices_is_seen_more_by_the_stated_amount(banks):
    model = Model(read_world(), banks.situations)
    situation, text = banks.situations[0], model.world["text"]
    person = draw_person(Random(1), model.world, "practice-p1", "plain")
    writer = model.writer_reaction(Random(2), person, situation)

    def seen(voiced):
        return model.observer_reaction(
            Random(3), person, situation, writer, voiced, (0.0,) * 5, None
        ).emotions[0]

    pull = text["voiced_pull"] - text["unvoiced_pull"]
    assert seen((LABELS[0],)) - seen(()) == pytest.approx(pull)


def test_observers_differ_from_writers_by_the_stated_shift(corpus):
    d, stated = DIMENSIONS.index("control.general"), read_world()["observer"]
    gaps = []
    for record in corpus.truth["narratives"].values():
        # The means of writers are the profiles', so only the pull towards the typical is left over.
        gaps += [
            reading["appraisals"][d] - record["appraisals"][d]
            for reading in record["observers"].values()
            if reading["misreading"] is None
        ]
    error = statistics.stdev(gaps) / math.sqrt(len(corpus.truth["people"]) / 3)
    assert abs(statistics.mean(gaps) - stated["shift"]["control.general"]) < 4 * error


def test_observers_see_the_stated_part_of_the_writer(corpus, banks):
    sizes = read_world()["observer"]
    profiles = {situation.id: situation.profile for situation in banks.situations}
    x, y = [], []
    for record in corpus.truth["narratives"].values():
        profile = profiles[record["situation"]]
        for reading in record["observers"].values():
            if reading["misreading"] is None:
                x += [a - p for a, p in zip(record["appraisals"], profile, strict=True)]
                seen = [p * (1 - sizes["typical"]) for p in profile]
                y += [a - p for a, p in zip(reading["appraisals"], seen, strict=True)]
    error = statistics.stdev(y) / statistics.stdev(x) / math.sqrt(len(corpus.truth["narratives"]))
    assert abs(slope(x, y) - sizes["sees"] * (1 - sizes["typical"])) < 4 * error


def test_misreadings_come_at_their_stated_rate(corpus):
    readings = [
        reading["misreading"]
        for record in corpus.truth["narratives"].values()
        for reading in record["observers"].values()
    ]
    share = sum(reading is not None for reading in readings) / len(readings)
    assert near(share, read_world()["observer"]["misread"], len(readings))


def test_the_whole_of_each_scale_is_used(corpus):
    rows = [ratings(record) for record in annotations(corpus)]
    for d, name in enumerate(DIMENSIONS):
        assert {row[d] for row in rows} == {1, 2, 3, 4, 5}, name
    for side in ("positive", "negative"):
        assert {level(record, side) for record in annotations(corpus)} == set(range(7))


def test_a_ticked_group_is_felt_at_least_very_slightly(corpus):
    for record in annotations(corpus):
        for side in ("positive", "negative"):
            if record["emotion_labels"][f"{side}_emotion_labels"]:
                assert level(record, side) >= 1


def test_a_side_without_a_ticked_group_is_faint(corpus):
    most = read_world()["response"]["unticked_most"]
    for record in annotations(corpus):
        for side in ("positive", "negative"):
            if not record["emotion_labels"][f"{side}_emotion_labels"]:
                assert level(record, side) <= most


def test_no_answer_of_a_person_denies_another(corpus):
    response = read_world()["response"]
    relevance, congruence = (DIMENSIONS.index(f"{x}.general") for x in ("relevance", "congruence"))
    for record in annotations(corpus):
        rated, labels = ratings(record), record["emotion_labels"]
        positive, negative = level(record, "positive"), level(record, "negative")
        counts = [len(labels[f"{side}_emotion_labels"]) for side in ("positive", "negative")]
        most = response["most_felt"][rated[relevance] - 1]
        assert positive <= max(most, (counts[0] + 1) // 2)
        assert negative <= max(most, (counts[1] + 1) // 2)
        assert 2 * positive >= counts[0] and 2 * negative >= counts[1]
        if positive - negative >= 2:
            assert rated[congruence] >= 3
        if negative - positive >= 2:
            assert rated[congruence] <= 3


def test_answers_keep_to_what_the_event_gives(corpus, banks):
    response = read_world()["response"]
    bank = {situation.id: situation for situation in banks.situations}
    relevance = DIMENSIONS.index("relevance.general")
    for record in annotations(corpus):
        situation = bank[corpus.truth["narratives"][record["sample_id"]]["situation"]]
        highest = max(level(record, "positive"), level(record, "negative"))
        least = situation.profile[relevance] - response["relevance_below"]
        assert ratings(record)[relevance] >= min(least, response["least_felt"][highest])
        side = {"pleasant": "positive", "unpleasant": "negative"}.get(situation.tone)
        assert side is None or level(record, side) >= response["event_least"]


@pytest.mark.parametrize(
    ("tone", "intensities", "ticked", "given", "relevance", "levels"),
    [
        ("unpleasant", (0.0, 5.8), "Sad", (), 5, (0, 6)),
        ("unpleasant", (0.0, 5.8), "Sad", (), 1, (0, 2)),  # extreme, and it hardly matters
        ("unpleasant", (2.4, 1.2), "Sad", (), 5, (1, 1)),  # no group: not above the side with one
        ("unpleasant", (0.0, 0.0), "Nothing", (), 5, (0, 1)),  # a bad event leaves nobody untouched
        ("unpleasant", (4.0, 2.0), "Calm", (), 5, (2, 2)),  # nothing in the text that would calm
        ("unpleasant", (4.0, 2.0), "Calm", (LABELS[7],), 5, (4, 2)),
        ("pleasant", (2.0, 4.4), "Confused", (), 5, (2, 2)),  # surprise alone is no bad feeling
        ("pleasant", (0.0, 0.0), "Nothing", (), 5, (1, 0)),
        ("unpleasant", (2.0, 4.4), "Confused", (), 5, (2, 4)),
    ],
)
def test_intensities_are_told_such_that_nothing_denies_them(
    banks, tone, intensities, ticked, given, relevance, levels
):
    model = Model(read_world(), banks.situations)
    labels = [label.startswith(ticked) for label in LABELS]
    assert model.levels(intensities, labels, relevance, tone, frozenset(given)) == levels


def test_no_level_of_intensity_is_piled_up(corpus):
    for side in ("positive", "negative"):
        counts = Counter(level(record, side) for record in annotations(corpus))
        shares = [counts[n] / counts.total() for n in range(7)]
        assert min(shares) > 0.05 and max(shares) < 0.22


def test_cut_points_give_the_answer_between_them():
    cuts = [1.5, 2.5, 3.5, 4.5]
    assert [cut(x, cuts, lowest=1) for x in (-3, 1.6, 3.0, 4.4, 9)] == [1, 2, 3, 4, 5]
    assert normal_cdf(0) == 0.5


# --- wording -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("voice", "before", "after"),
    [
        (
            "plain",
            "On Monday I didn't know that she was there. We left on Friday.",
            "On Monday I did not know she was there. We left on the Friday.",
        ),
        ("plain", "Nobody came until half past six.", "No one came till 6.30."),
        (
            "plain",
            "We are forty-one, a hundred and twenty of us.",
            "We are 41, a hundred and twenty of us.",
        ),
        (
            "plain",
            "On Tuesday evenings the light above the till is on.",
            "On Tuesday evenings the light above the till is on.",
        ),
        ("plain", "It was not because I was tired.", "It wasn't because I was tired."),
        ("plain", "Since May I knew, because I asked.", "Since May I knew, because I asked."),
        ("plain", "I was the only wanted one.", "I was the only wanted one."),
        ("plain", "Two or three wrote.", "Two or three wrote."),
        ("terse", "Gone. The bike was new.", "Gone. Bike was new."),
        ("formal", "I didn't ask.", "I didn't ask."),
        ("plain", "In the end it was a game.", "In the end it was a game."),
        ("plain", "In the end I left.", "Eventually I left."),
        ("plain", "He lay still almost at once.", "He lay still almost at once."),
        ("plain", "The sound of the whole goes first.", "The sound of the whole goes first."),
        ("plain", "Now and then one came.", "Now and then one came."),
        ("young", "It was about ten hours of work.", "It was about 10 hours of work."),
        ("young", "That kind of mistake.", "That kind of mistake."),
        ("formal", "I do not know whether he came.", "I do not know if he came."),
        ("formal", "It was about whether he came.", "It was about whether he came."),
    ],
)
def test_a_second_telling_has_other_habits_of_wording(voice, before, after):
    assert reworded(before, voice, turn=1) == after
    assert reworded(before, voice, turn=0) == before


def test_three_tellings_differ_from_each_other():
    text = "Somebody came, nobody spoke, everybody left, and it was almost dark."
    tellings = {reworded(text, "plain", turn, turns=3) for turn in range(3)}
    assert len(tellings) == 3


# --- texts ------------------------------------------------------------------------------------


def test_no_two_narratives_are_equal_and_all_have_a_fair_length(corpus):
    texts = [r["story_collection"]["final_scenario"] for r in corpus.first_person]
    assert len(set(texts)) == len(texts)
    assert all(45 <= len(text.split()) <= 235 for text in texts)


def test_few_narratives_share_more_than_a_third_of_their_five_grams(banks):
    some = dataclasses.replace(banks, situations=banks.situations[::4])
    count = 6 * len(some.situations)
    corpus = make_corpus(9, narratives=count, conversations=1, banks=some)
    grams = [five_grams(r["story_collection"]["final_scenario"]) for r in corpus.first_person]
    close = [
        any(3 * len(one & other) > len(one) for other in grams if other is not one) for one in grams
    ]
    assert sum(close) / count <= 0.05


def test_a_feeling_passage_never_voices_what_the_ratings_deny(corpus):
    for record in corpus.first_person:
        voiced = corpus.truth["narratives"][record["sample_id"]]["voiced"]
        assert not voiced or voiced[0] in ticked(record)
        for label in voiced:
            side = "positive" if label in POSITIVE_LABELS else "negative"
            assert level(record, side) >= 2


def test_a_general_sentence_about_somebody_needs_somebody_in_the_event(corpus, banks):
    near = {situation.id: situation.near for situation in banks.situations}
    told = Counter()
    for record in corpus.truth["narratives"].values():
        feeling = record["variants"]["feeling"]
        labels = set(record["variants"]["also"])
        labels |= set(feeling[1::2]) if feeling[0] == "phrase" else set()
        told[bool(near[record["situation"]])] += len(labels & set(NEEDS_SOMEBODY))
    assert told[True] > 0
    assert told[False] == 0


def test_a_slight_feeling_gets_no_fierce_passage_where_others_fit(banks):
    fierce = Feeling((LABELS[10],), "I was furious.")
    mild = Feeling((LABELS[10],), "It annoyed me.")
    situation = dataclasses.replace(banks.situations[0], feelings=(fierce, mild))
    ticked = tuple(label == LABELS[10] for label in LABELS)
    emotions = tuple(1.0 if on else -1.0 for on in ticked)

    def first(level, relevance):
        rated = (relevance,) + (3,) * 21
        reaction = Reaction((3.0,) * 22, emotions, (0.0, 2.0), rated, ticked, (0, level))
        return feeling_wishes(Random(1), 0.0, situation, reaction, banks.phrases, Counter())[0]

    assert first(level=5, relevance=5) == ("bank", 0)
    assert first(level=2, relevance=5) == ("bank", 1)
    assert first(level=5, relevance=2) == ("bank", 1)


def test_a_general_sentence_is_as_strong_as_the_feeling(banks):
    angry = LABELS[10]
    bank = {angry: {"plain": ["I was a bit annoyed.", "I was annoyed.", "I was raging inside."]}}
    situation = dataclasses.replace(banks.situations[0], voice="plain", near="", feelings=())
    ticked = tuple(label == angry for label in LABELS)

    def order(level):
        reaction = Reaction((3.0,) * 22, (), (0.0, 0.0), (4,) * 22, ticked, (0, level))
        return _least_told(Random(1), angry, situation, bank, Counter(), reaction)

    assert order(level=2) == [0, 1, 2]
    assert order(level=5)[-1] == 0
    told = Counter({(angry, "plain", 1): 1})
    reaction = Reaction((3.0,) * 22, (), (0.0, 0.0), (4,) * 22, ticked, (0, 5))
    assert _least_told(Random(1), angry, situation, bank, told, reaction) == [2, 1, 0]


def test_a_second_general_sentence_has_another_small_word(banks):
    angry, sad = "Angry, frustrated, annoyed", "Sad, downhearted, unhappy"
    bank = {
        angry: {"plain": ["I was slightly annoyed."]},
        sad: {
            "plain": ["It made me slightly sad.", "I was a bit sad.", "It made me a little sad."]
        },
    }
    situation = dataclasses.replace(banks.situations[0], voice="plain", near="", feelings=())
    ticked = tuple(label in (angry, sad) for label in LABELS)
    reaction = Reaction((3.0,) * 22, (), (0.0, 0.0), (4,) * 22, ticked, (0, 2))
    for seed in range(20):
        keys = _general(Random(seed), [angry, sad], situation, bank, Counter(), reaction)
        assert keys[0] == ("phrase", angry, 0, sad, 2)


@pytest.mark.parametrize(("tone", "first"), [("mixed", LABELS[11]), ("pleasant", LABELS[0])])
def test_after_a_mixed_event_the_bad_is_told_first(banks, tone, first):
    """ "All the same, I was glad. But also I was sad." turns twice."""
    situation = dataclasses.replace(banks.situations[0], voice="plain", near="", tone=tone)
    labels = [LABELS[0], LABELS[11]]
    ticked = tuple(label in labels for label in LABELS)
    reaction = Reaction((3.0,) * 22, (), (0.0, 0.0), (4,) * 22, ticked, (4, 4))
    bank = banks.phrases["feelings"]
    keys = _general(Random(1), labels, situation, bank, Counter(), reaction)
    assert keys[0][1] == first


def test_two_general_sentences_of_a_story_begin_differently(corpus):
    """ "I was a bit alarmed. And I was a bit worried." reads like a form."""
    twice = 0
    for record in corpus.first_person:
        feeling = record["story_collection"]["summary_answers"]["feeling"]
        starts = re.findall(r"\bI was a (?:bit|little)\b", feeling)
        twice += len(starts) > 1 and len(sentences(feeling)) == 2
    assert twice == 0


def test_names_stay_as_a_writer_types_them(banks):
    bank = {situation.id: situation for situation in banks.situations}
    said = "The card was Jonas's. Jonas forgot. I'm sad!"
    small = in_manner(bank["six-years-of-a-block-world"], said)
    assert small == "the card was jonas's. jonas forgot. I'm sad!"
    named = in_manner(bank["the-fourth-toothbrush"], said)
    assert named == "the card was Jonas's. Jonas forgot. I'm sad!"
    assert in_manner(bank["chess-by-post"], said) == said


@pytest.mark.parametrize(
    ("shift", "own", "other", "shown"),
    [
        ({"accountability.other": 1.0}, 1, 5, True),
        ({"accountability.other": 1.0}, 5, 1, False),
        ({"accountability.other": -1.0}, 1, 1, True),
        ({"accountability.other": -1.0}, 4, 2, False),  # clearing the driver blames nobody else
        ({"accountability.intentionality": 2.0}, 1, 5, True),
        ({"congruence.negative prediction error": 1.5}, 3, 3, False),  # worse: not under "good"
    ],
)
def test_a_misreading_is_written_only_under_a_rating_that_it_explains(shift, own, other, shown):
    rated = dict.fromkeys(DIMENSIONS, 4) | {
        "accountability.self": own,
        "accountability.other": other,
    }
    question = next(iter(shift)).split(".")[0]
    assert _agrees(Misreading("It seems so.", shift), question, rated) is shown


def test_the_narrative_holds_its_four_answers_and_the_dialogue_says_them(corpus):
    for record in corpus.first_person[:100]:
        story = record["story_collection"]
        said = " ".join(text for role, text in story["chat_history"] if role == "human")
        for answer in story["summary_answers"].values():
            assert answer in story["final_scenario"]
            assert answer in said


def test_the_appraisal_dialogue_says_the_five_answers(corpus):
    for record in [*corpus.first_person[:50], *corpus.third_person[:50]]:
        questions = record["cognitive_questions"]
        answers = dict(questions["summary_answers"])
        answers.pop("previousStory")
        said = [text for role, text in questions["chat_history"] if role == "human"]
        for answer in answers.values():
            assert any(turn.endswith(answer) for turn in said)
            assert answer in questions["final_scenario"]


def test_an_observer_says_once_that_it_is_only_a_reading(corpus):
    """Among the frames that an answer may add, none hedges what the opening has hedged."""
    openings = ("I think", "I'd say", "I believe")
    frames = ("As I understand it,", "The way I read it,", "If I read this right,", "I mean,")
    answers = [
        answer
        for record in corpus.third_person
        for answer in record["cognitive_questions"]["summary_answers"].values()
        if answer.startswith(openings)
    ]
    assert len(answers) > 100
    assert not [answer for answer in answers if any(frame in answer for frame in frames)]


def test_an_observer_gives_no_reason_that_only_another_telling_holds(banks):
    reasons = dict.fromkeys(banks.situations[0].reasons, ("It rained.",))
    reasons["mattered"] = ("It was their last walrus.", "They had waited for a zeppelin.")
    situation = dataclasses.replace(
        banks.situations[0],
        id="walrus",
        event=("A zeppelin came at last.", "It came at last, and I had fed my walrus."),
        context=("It rained.",),
        goal=("I wanted rain.",),
        feelings=(),
        reasons=reasons,
        voice="plain",
    )
    there = particulars([situation, *banks.situations])
    known = dataclasses.replace(banks, particulars=there)
    parts = {"event": situation.event[0], "goal": "I wanted rain.", "feeling": "", "context": ""}
    story = Story(situation, (0, 0, 0, "", 0), 0, (), parts, (), " ".join(parts.values()))

    def tell(narrator, seed):
        worn, heard = Counter(), Counter()
        said = write_answers(Random(seed), narrator, story, (5,) * 22, None, known, worn, heard)
        return said["summary_answers"]["relevance"].lower()

    observed = [tell(Narrator("observer", "terse"), seed) for seed in range(40)]
    assert all("zeppelin" in answer and "walrus" not in answer for answer in observed)
    # Who was there knows more than is written down.
    assert any("walrus" in tell(writer_of(story), seed) for seed in range(40))


def test_of_readers_with_one_reason_the_second_quotes_and_the_third_words_it_otherwise(banks):
    situation = dataclasses.replace(
        banks.situations[0],
        reasons=dict.fromkeys(banks.situations[0].reasons, ("Nobody came.",)),
        voice="plain",
    )
    parts = {"event": "It rained.", "goal": "I wanted guests.", "feeling": "", "context": ""}
    story = Story(situation, (0, 0, 0, "", 0), 0, (), parts, (), " ".join(parts.values()))
    heard = Counter()
    first, second, third = (
        write_answers(
            *(Random(seed), Narrator("observer", "terse"), story, (5,) * 22, None, banks),
            *(Counter(), heard),
        )["summary_answers"]["relevance"]
        for seed in range(3)
    )
    assert first.endswith("Nobody came.") and '"' not in first
    assert '"I wanted guests."' in second and "came" not in second
    assert third.endswith("No one came.") and '"' not in third


def test_observers_quote_what_the_story_says(corpus):
    stories = {r["sample_id"]: r["story_collection"] for r in corpus.first_person}
    quotes = [
        (line, stories[record["sample_id"]]["final_scenario"])
        for record in corpus.third_person
        for answer in record["cognitive_questions"]["summary_answers"].values()
        for line in re.findall(r'(?<=[ :]")[IMWO]\w* [^"]+(?=")|^"[^"]+(?=")', answer)
    ]
    assert len(quotes) > 20
    assert all(line.strip('"') in story for line, story in quotes)


def test_who_answers_five_questions_says_no_opening_twice(corpus):
    """ "It came out of nowhere for me." and later "Out of nowhere for me, that was." """
    alike = 0
    for record in [*corpus.first_person, *corpus.third_person]:
        answers = record["cognitive_questions"]["summary_answers"]
        openings = [" ".join(sentences(answers[question])[0].split()[:6]) for question in ASKED]
        alike += any(_echoes(one, other) for one, other in combinations(openings, 2))
    assert alike / (len(corpus.first_person) + len(corpus.third_person)) < 0.01


@pytest.mark.parametrize(
    ("reason", "named"),
    [
        ("They chose freely to stop.", "The writer chose freely to stop."),
        ("They hadn't asked anybody.", "The writer hadn't asked anybody."),
        ("They never checked the time.", "The writer never checked the time."),
        ("They work early shifts.", "They work early shifts."),
    ],
)
def test_what_the_writer_did_is_told_of_the_writer_where_they_would_be_others(reason, named):
    assert DID.sub("The writer ", reason) == named


def test_answers_open_as_the_rating_says(corpus, banks):
    bank = banks.phrases["answers_observer"]
    for record in corpus.third_person[:200]:
        named = dict(zip(DIMENSIONS, ratings(record), strict=True))
        for question in REASON_PAIRS:
            texts = [t for ts in bank[question][cell(question, named)].values() for t in ts]
            answer = record["cognitive_questions"]["summary_answers"][question]
            assert any(answer.startswith(t.split("{")[0][:12].rstrip(" ,.")) for t in texts)


@given(
    wishes=st.lists(st.permutations(["a", "b", "c", "d", "e"]), min_size=1, max_size=9),
    seed=st.integers(0, 50),
)
def test_up_to_nine_stories_of_a_situation_share_at_most_one_part(wishes, seed):
    deals = deal_variants(Random(seed), (3, 3, 3), wishes, orders=4)
    assert all(shared_parts(one, other) <= 1 for one, other in combinations(deals, 2))


def test_a_bank_that_is_too_small_is_named():
    with pytest.raises(ValueError, match="too small"):
        deal_variants(Random(1), (1, 1, 1), [["glad"]] * 3, orders=2)


def test_sentences_are_split_at_stops_and_quotes():
    assert sentences('I left. "No," she said. Then 3.50 went.') == [
        "I left.",
        '"No," she said.',
        "Then 3.50 went.",
    ]
    assert stopped("lol") == "lol."


# --- conversations ----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def judged(banks):
    world = read_world()
    talks = hold_conversations(Random(2), world, banks.conversations, 120)
    rows, strictness = judge(Random(3), world, talks, banks.phrases)
    return talks, rows, strictness


@given(count=st.integers(1, 60), seed=st.integers(0, 20))
def test_lengths_add_up_to_the_stated_mean(parameters, count, seed):
    sizes = parameters["imbue"]
    lengths = conversation_lengths(Random(seed), sizes, count)
    assert sum(lengths) == round(sizes["messages_per_conversation"] * count)
    assert all(sizes["shortest"] <= n <= sizes["longest"] for n in lengths)


def test_a_message_is_one_to_three_moves(judged):
    counts = Counter(len(m.moves) for talk in judged[0] for m in talk.messages)
    assert set(counts) == {1, 2, 3}


def test_every_conversation_starts_with_describing(judged):
    assert all(talk.messages[0].moves[0].skill == "describe" for talk in judged[0])


def test_a_fifth_of_the_messages_is_judged_twice(judged):
    counts = Counter((row["conversation_id"], row["message_id"]) for row in judged[1])
    assert set(counts.values()) == {1, 2}
    assert sum(n == 2 for n in counts.values()) == round(0.2 * len(counts))


def test_the_strictest_expert_finds_fewer_strong_uses_than_the_mildest(judged):
    _, rows, strictness = judged
    share = {}
    for name in strictness:
        own = [row for row in rows if row["username_expert"] == name]
        marks = [row[f"label_{skill}"] for row in own for skill in SKILLS]
        used = [mark for mark in marks if mark in ("strong", "weak")]
        share[name] = used.count("strong") / len(used)
    ordered = sorted(strictness, key=strictness.get)
    assert share[ordered[0]] > share[ordered[-1]]


def moves_and_labels(judged):
    """Yield (message, its move or None, skill, label, strictness) for five skills of every row."""
    talks, rows, strictness = judged
    messages = {(t.id, str(n)): m for t in talks for n, m in enumerate(t.messages, start=1)}
    for row in rows:
        message = messages[row["conversation_id"], row["message_id"]]
        for skill in SKILLS:
            if skill not in ("mindful", "confident"):
                strict = strictness[row["username_expert"]]
                yield message, message.find(skill), skill, row[f"label_{skill}"], strict


def test_a_good_use_that_lacks_something_is_strong_at_the_rate_that_the_parameters_give(judged):
    sizes = read_world()["imbue"]
    seen, expected = [], []
    for message, move, _, label, strict in moves_and_labels(judged):
        if move is not None and move.strength == "strong" and lacking(message, move):
            distance = sizes["lacking"] - strict - sizes["strong_cut"]
            expected.append(normal_cdf(distance / sizes["judgement_noise"]))
            seen.append(label == "strong")
    assert near(statistics.mean(seen), statistics.mean(expected), len(seen))


def test_a_good_use_that_lacks_nothing_is_strong_and_any_other_is_never_none(judged):
    plain, others = set(), set()
    for message, move, _, label, _ in moves_and_labels(judged):
        if move is not None and move.strength == "strong":
            (others if lacking(message, move) else plain).add(label)
    assert plain == {"strong"} and others == {"strong", "weak"}


def test_a_poor_use_is_never_strong_and_none_only_where_the_bank_says_so(judged):
    plain, bare = set(), set()
    for _, move, _, label, _ in moves_and_labels(judged):
        if move is not None and move.strength == "weak":
            (bare if move.may_be_none else plain).add(label)
    assert plain == {"weak"} and bare == {"weak", "none"}


def test_a_feeling_without_its_cause_lacks_nothing_beside_what_happened():
    fact = Move("describe", "strong", None, None, "You rang at six.", None, None)
    felt = Move("express", "strong", None, None, "I'm sad.", None, None, lacks="cause")
    assert lacking(Message((felt,), (0,)), felt)
    assert not lacking(Message((fact, felt), (0, 1)), felt)
    assert not lacking(Message((fact,), (0,)), fact)


def test_experts_see_an_absent_skill_weakly_at_the_stated_rate_where_it_could_be_read_in(judged):
    talks, rows, _ = judged
    messages = {(t.id, str(n)): m for t in talks for n, m in enumerate(t.messages, start=1)}
    could, could_not = [], []
    for row in rows:
        message = messages[row["conversation_id"], row["message_id"]]
        for skill in STRENGTH_SKILLS:
            if message.find(skill) is None and not threatened(message, skill):
                held = could if could_hold(message, skill) else could_not
                held.append(row[f"label_{skill}"])
    share = could.count("weak") / len(could)
    assert near(share, read_world()["imbue"]["seen_elsewhere"], len(could))
    assert set(could) == {"weak", "none"} and set(could_not) == {"none"}


def test_an_ultimatum_is_a_threat_and_so_a_weak_reinforcement_if_there_is_no_other(judged):
    labels = [
        label
        for message, move, skill, label, _ in moves_and_labels(judged)
        if move is None and threatened(message, skill)
    ]
    assert set(labels) == {"weak"} and len(labels) > 10


def poor(flaw, tone=None, skill="express"):
    return Move(skill, "weak", None, flaw, "Text.", "Advice.", "Better.", tone=tone)


@pytest.mark.parametrize(
    ("flaw", "tone", "mindful", "confident"),
    [
        ("threat", None, "no", "yes"),
        ("judgement", None, "no", "yes"),
        ("mind-reading", None, "no", "yes"),
        ("exaggeration", "sharp", "no", "yes"),
        ("exaggeration", "calm", "yes", "yes"),
        ("exaggeration", None, "either", "yes"),
        ("gives-in", None, "either", "no"),
        ("takes-back", None, "either", "no"),
        ("apology", None, "yes", "no"),
        ("hint", None, "yes", "either"),
        ("hinted", None, "yes", "yes"),
    ],
)
def test_attacks_are_not_mindful_and_a_request_taken_back_is_not_confident(
    flaw, tone, mindful, confident
):
    message = Message((poor(flaw, tone),), (0,))
    for skill, expected in (("mindful", mindful), ("confident", confident)):
        seen = {desk(seed, strict).state_label(message, skill) for seed, strict in DESKS}
        assert seen == ({"yes", "no"} if expected == "either" else {expected})


DESKS = [(seed, strict) for seed in range(40) for strict in (-0.4, 0.4)]


def desk(seed, strict):
    return _Desk(Random(seed), read_world()["imbue"], {}, strict, set(), Counter(), (), set())


def test_two_sentences_with_an_edge_are_never_mindful():
    message = Message((poor("question"), poor("demand", skill="assert")), (0, 1))
    assert {desk(s, strict).state_label(message, "mindful") for s, strict in DESKS} == {"no"}


@pytest.mark.parametrize("skill", SKILLS)
def test_experts_agree_about_as_well_as_people_who_share_a_manual(banks, skill):
    world = read_world()
    world = {**world, "imbue": {**world["imbue"], "second_expert": 1.0}}
    talks = hold_conversations(Random(2), world, banks.conversations, 120)
    rows, _ = judge(Random(3), world, talks, banks.phrases)
    pairs = {}
    for row in rows:
        key = row["conversation_id"], row["message_id"]
        pairs.setdefault(key, []).append(row[f"label_{skill}"])
    counts = Counter(label for pair in pairs.values() for label in pair)
    total = counts.total()
    apart = sum(first != second for first, second in pairs.values()) / len(pairs)
    by_chance = 1 - sum(n * (n - 1) for n in counts.values()) / (total * (total - 1))
    assert 0.6 < 1 - apart / by_chance < 0.9


def test_lapses_come_about_as_often_as_stated(judged):
    later = [m for talk in judged[0] for m in talk.messages[1:]]
    lapses = sum(any(move.state in LAPSES for move in m.moves) for m in later) / len(later)
    stated = read_world()["imbue"]["lapse"]
    # A message that answers a lapse holds none itself, and a conversation has four lapses to give.
    assert 0.5 * stated < lapses < stated


def test_an_expert_does_not_give_the_same_advice_twice_while_there_is_other(judged):
    said = Counter(
        (row["conversation_id"], row["username_expert"], row[f"suggestion_{skill}"])
        for row in judged[1]
        for skill in SKILLS
        if row[f"suggestion_{skill}"]
    )
    assert sum(n > 1 for n in said.values()) / len(said) < 0.02


def test_labels_are_the_documented_levels_and_a_weak_use_gets_suggestion_and_rewrite(judged):
    for row in judged[1]:
        for skill in SKILLS:
            label = row[f"label_{skill}"]
            states = skill in ("mindful", "confident")
            assert label in (("yes", "no") if states else ("strong", "weak", "none"))
            if label in ("weak", "no"):
                assert row[f"suggestion_{skill}"] and row[f"rewrite_{skill}"]
            if label in ("strong", "yes"):
                assert not row[f"suggestion_{skill}"] and not row[f"rewrite_{skill}"]


def test_a_rewrite_changes_the_message(judged):
    for row in judged[1]:
        for skill in SKILLS:
            assert row[f"rewrite_{skill}"] != row["message_text"]


def test_a_rewrite_for_calm_or_confidence_leaves_nothing_in_that_costs_it(judged):
    talks, rows, _ = judged
    messages = {(t.id, str(n)): m for t in talks for n, m in enumerate(t.messages, start=1)}
    seen = 0
    for row in rows:
        message = messages[row["conversation_id"], row["message_id"]]
        for skill in ("mindful", "confident"):
            if row[f"label_{skill}"] == "no":
                for move in message.poor_in(skill):
                    assert move.text not in row[f"rewrite_{skill}"]
                    seen += 1
    assert seen > 100


def test_a_sentence_is_never_added_to_one_that_denies_it():
    moves = [
        Move("negotiate", "weak", None, "gives-in", "Forget it.", "Don't.", "How about half?"),
        Move("assert", "strong", None, None, "Please pay.", None, None),
    ]
    message = Message(tuple(moves), (0, 1))
    assert message.completed("By Friday.") == "How about half? Please pay. By Friday."
    sharp = Message((poor("mind-reading"), moves[1]), (0, 1))
    assert sharp.completed("By Friday.") == "Better. Please pay. By Friday."
    assert message.continued(moves[1], "All of it.") == "Forget it. Please pay. All of it."


def test_advice_on_calm_speaks_of_other_sentences_only_where_there_are_some(judged, banks):
    talks, rows, _ = judged
    messages = {(t.id, str(n)): m for t in talks for n, m in enumerate(t.messages, start=1)}
    part = set(banks.phrases["experts"]["flawed"]["mindful"]["part"])
    sizes = [
        len(messages[row["conversation_id"], row["message_id"]].moves)
        for row in rows
        if row["suggestion_mindful"] in part
    ]
    assert len(sizes) > 10 and min(sizes) > 1


def test_advice_on_a_good_use_names_what_it_lacks(judged, banks):
    talks, rows, _ = judged
    messages = {(t.id, str(n)): m for t in talks for n, m in enumerate(t.messages, start=1)}
    phrases, seen = banks.phrases["experts"]["stricter"], Counter()
    for row in rows:
        message = messages[row["conversation_id"], row["message_id"]]
        for skill in STRENGTH_SKILLS:
            move = message.find(skill)
            if move and move.strength == "strong" and row[f"label_{skill}"] == "weak":
                assert row[f"suggestion_{skill}"] in phrases[move.lacks]
                seen[move.lacks] += 1
    assert set(seen) == set(phrases)


def test_two_experts_never_give_one_message_the_same_advice(judged):
    said = Counter(
        (row["conversation_id"], row["message_id"], row[f"suggestion_{skill}"])
        for row in judged[1]
        for skill in SKILLS
        if row[f"suggestion_{skill}"]
    )
    assert max(said.values()) == 1


def test_a_sentence_that_answers_the_other_person_never_stands_in_a_first_message(judged):
    talks, rows, _ = judged
    replies = {t.id: {i.add for i in t.bank.missing if i.reply} for t in talks}
    assert sum(map(len, replies.values())) > 100
    for row in rows:
        if row["message_id"] == "1":
            for add in replies[row["conversation_id"]]:
                assert not row["rewrite_mindful"].endswith(add)


# --- worlds -----------------------------------------------------------------------------------


def mean_correlations(corpus):
    """Return how far labels go with voiced feelings, and with the ratings that theories name."""
    table, words, rated = sign_table(), [], []
    rows = [ratings(record) for record in corpus.first_person]
    for label, signs in table.items():
        stated = [(d, 1 if s == "+" else -1) for d, s in enumerate(signs.values()) if s in "+-"]
        on = [float(label in ticked(record)) for record in corpus.first_person]
        said = [
            float(label in corpus.truth["narratives"][record["sample_id"]]["voiced"])
            for record in corpus.first_person
        ]
        if stated and len(set(on)) == len(set(said)) == 2:
            words.append(statistics.correlation(said, on))
            total = [float(sum(sign * row[d] for d, sign in stated)) for row in rows]
            rated.append(statistics.correlation(total, on))
    return statistics.mean(words), statistics.mean(rated)


def test_in_words_speak_words_carry_more_than_ratings(worlds):
    words, rated = mean_correlations(worlds["words_speak"])
    usual_words, usual_rated = mean_correlations(worlds["default"])
    assert words > rated
    assert words - rated > usual_words - usual_rated


def panel_error(corpus, name):
    """Return the mean difference and the root mean square of panel mean minus writer."""
    d = DIMENSIONS.index(name)
    own = {record["sample_id"]: ratings(record)[d] for record in corpus.first_person}
    panels = {}
    for record in corpus.third_person:
        panels.setdefault(record["sample_id"], []).append(ratings(record)[d])
    errors = [statistics.mean(panel) - own[key] for key, panel in panels.items()]
    return statistics.mean(errors), math.sqrt(statistics.mean(e * e for e in errors))


@pytest.mark.parametrize(
    ("name", "sign"), [("congruence.general", -1), ("accountability.other", 1)]
)
def test_in_shared_bias_a_panel_is_off_in_one_direction(worlds, name, sign):
    bias, error = panel_error(worlds["shared_bias"], name)
    usual_bias, usual_error = panel_error(worlds["default"], name)
    assert sign * bias > 0.1
    assert sign * (bias - usual_bias) > 0.2
    assert error > usual_error


def test_in_no_personality_traits_move_nothing(banks):
    model = Model(read_world("no_personality"), banks.situations)
    person = draw_person(Random(1), model.world, "practice-p1", "plain")
    assert set(model.trait_shift(person)) == {0.0}


def test_in_no_personality_the_slope_on_neuroticism_is_gone(worlds, banks):
    profiles = {situation.id: situation.profile for situation in banks.situations}
    d, t = DIMENSIONS.index("control.general"), TRAITS.index("Neuroticism")

    def found(corpus):
        x, y = [], []
        for record in corpus.first_person:
            truth = corpus.truth["narratives"][record["sample_id"]]
            x.append(corpus.truth["people"][record["participant_id"]]["traits"][t])
            y.append(truth["appraisals"][d] - profiles[truth["situation"]][d])
        return slope(x, y)

    assert abs(found(worlds["no_personality"])) < 0.2
    assert found(worlds["default"]) < found(worlds["no_personality"]) - 0.15


def test_in_experts_apart_no_message_is_judged_twice(worlds):
    def most(corpus):
        return max(Counter((r["conversation_id"], r["message_id"]) for r in corpus.imbue).values())

    assert most(worlds["experts_apart"]) == 1
    assert most(worlds["default"]) == 2


# --- the command ------------------------------------------------------------------------------


def run(*arguments):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return main(parser.parse_args([str(argument) for argument in arguments]))


def test_the_command_writes_four_files_and_says_that_they_are_synthetic(tmp_path, capsys):
    assert run(tmp_path, "--seed", 2, "--narratives", 4, "--conversations", 1) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"first_person.jsonl", "third_person.jsonl", "imbue.csv", "truth.json"}
    assert "synthetic" in capsys.readouterr().out


def small(*words):
    return run(*words, "--narratives", 4, "--conversations", 1)


def test_a_corpus_is_made_again_and_another_one_only_by_force(tmp_path, capsys):
    assert small(tmp_path, "--seed", 2) == 0
    before = (tmp_path / "first_person.jsonl").read_bytes()
    assert small(tmp_path, "--seed", 2) == 0
    assert small(tmp_path, "--seed", 3) == 1
    said = capsys.readouterr().out
    assert "holds the practice corpus of world default, seed 2: nothing was written" in said
    assert (tmp_path / "first_person.jsonl").read_bytes() == before
    assert small(tmp_path, "--seed", 3, "--force") == 0
    assert (tmp_path / "first_person.jsonl").read_bytes() != before


def test_files_that_are_not_ours_are_never_replaced(tmp_path, capsys):
    assert small(tmp_path, "--seed", 2) == 0
    (tmp_path / "third_person.jsonl").write_text('{"participant_id": "P1"}\n', encoding="utf-8")
    before = (tmp_path / "first_person.jsonl").read_bytes()
    assert small(tmp_path, "--seed", 2, "--force") == 1
    assert "third_person.jsonl exists and is not a practice file" in capsys.readouterr().out
    assert (tmp_path / "first_person.jsonl").read_bytes() == before


def test_a_corpus_is_not_written_beside_data_of_another_layout(tmp_path, capsys):
    (tmp_path / "first_person.json").write_text('{"1": {"participant_id": "P1"}}', encoding="utf-8")
    assert small(tmp_path) == 1
    assert "first_person.json exists and is not a practice file" in capsys.readouterr().out


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path, capsys):
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    assert small(tmp_path / "out") == 1
    assert "out is a file, not a folder: nothing was written" in capsys.readouterr().out
    assert small(tmp_path / "out" / "inside") == 1
    assert "nothing more could be written" in capsys.readouterr().out


def test_a_full_disk_is_told_and_leaves_no_half_file(tmp_path, capsys, monkeypatch):
    def full(self, data):
        self.touch()
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert small(tmp_path) == 1
    assert "No space left on device" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_other_files_are_refused_by_name(tmp_path):
    (tmp_path / "imbue.csv").write_text("conversation_id\n1\n", encoding="utf-8")
    with pytest.raises(NotOurs, match=r"imbue\.csv"):
        write_corpus(make_corpus(1, narratives=2, conversations=1), tmp_path)


def test_an_unknown_world_is_refused_in_words(tmp_path, capsys):
    assert run(tmp_path / "out", "--world", "atlantis") == 1
    assert "default" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_the_banks_can_be_checked_from_the_command_line(capsys):
    assert run("--check-banks") == 0
    assert "situations" in capsys.readouterr().out
