"""The closed vocabularies have the sizes, the order and the directions that the documents state."""

import pytest

from carebook import vocabulary as v


def test_there_are_22_statements_in_groups_of_6_4_4_4_4():
    assert len(v.DIMENSIONS) == len(set(v.STATEMENTS.values())) == 22
    assert [len(names) for names in v.GROUPS.values()] == [6, 4, 4, 4, 4]
    assert [name for names in v.GROUPS.values() for name in names] == list(v.DIMENSIONS)


def test_scales_run_from_1_to_5_and_from_0_to_6():
    assert list(v.AGREEMENT.values()) == list(v.BFI_AGREEMENT.values()) == [1, 2, 3, 4, 5]
    assert v.POSITIVE_LEVELS["2 - Slightly positive"] == 2
    assert v.NEGATIVE_LEVELS["5 - Very negative"] == 5
    assert list(v.NEGATIVE_LEVELS.values()) == list(v.POSITIVE_LEVELS.values()) == list(range(7))


def test_the_two_scales_disagree_in_one_word_only():
    assert set(v.AGREEMENT) ^ set(v.BFI_AGREEMENT) == {"Somewhat disagree", "Disagree"}


def test_there_are_ten_labels_of_each_kind_and_all_hold_a_comma():
    assert len(v.POSITIVE_LABELS) == len(v.NEGATIVE_LABELS) == 10
    assert len(set(v.LABELS)) == 20
    assert all("," in label for label in v.LABELS)


def test_the_bfi_key_reverses_items_1_3_4_5_and_7():
    directions = {item: sign for pair in v.BFI_KEY.values() for item, sign in pair}
    assert set(directions) == set(v.BFI_ITEMS)
    reversed_items = [n for n, item in enumerate(v.BFI_ITEMS, 1) if directions[item] < 0]
    assert reversed_items == [1, 3, 4, 5, 7]


def test_the_imbue_table_has_its_27_columns_in_documented_order():
    columns = v.IMBUE_COLUMNS
    assert len(columns) == len(set(columns)) == 27
    assert columns[5:8] == ("label_describe", "suggestion_describe", "rewrite_describe")
    assert columns[20:22] == ("username_expert", "label_confident")
    assert {c.partition("_")[2] for c in columns if c.startswith("label_")} == set(v.SKILLS)


def test_nobody_can_change_a_vocabulary_in_passing():
    with pytest.raises(TypeError):
        v.AGREEMENT["Agree"] = 4
