"""The closed vocabularies of both data sets: what may stand in a record, and what each code means.

Everything here restates the documentation of CAREBench (sections 4 and 5) and the data card of the
IMBUE expert annotations. Names and spellings are the documented ones, so a value in a table can be
looked up in the documentation as it stands. Other modules ask this one; it imports none of them.
"""

from types import MappingProxyType

# --- CAREBench: appraisal statements and their scale (documentation 5.1 and 5.2) ---------------

AGREEMENT = MappingProxyType(
    {
        "Strongly disagree": 1,
        "Somewhat disagree": 2,
        "Neither agree nor disagree": 3,
        "Somewhat agree": 4,
        "Strongly agree": 5,
    }
)
"""Stored answer to an appraisal statement -> its value, 1 to 5."""

STATEMENTS = MappingProxyType(
    {
        "relevance.general": "This situation matters to me.",
        "relevance.urgency": "I need to do something about this situation right away.",
        "relevance.goals": "This situation relates to my goals and plans.",
        "relevance.bodily motives": "This situation relates to my physical well-being.",
        "relevance.social motives": "This situation involves people who matter to me.",
        "relevance.identity motives": "This situation concerns who I am and what I stand for.",
        "certainty.construal": "It is clear to me what is going on in this situation.",
        "certainty.outlook": "I know what will come next in this situation.",
        "certainty.predictability": "I saw this situation coming.",
        "certainty.novelty": "This is a new kind of situation for me.",
        "congruence.general": "This is a good situation.",
        "congruence.outlook": "This situation will get better with time.",
        "congruence.positive prediction error": "This situation is better than I expected.",
        "congruence.negative prediction error": "This situation is worse than I expected.",
        "control.general": "This situation is under my control.",
        "control.select": "I can decide whether to stay in this situation or leave it.",
        "control.vicarious": "Someone can handle this situation for me.",
        "control.effortful": "I have to exert effort in this situation.",
        "accountability.self": "I am responsible for this situation.",
        "accountability.other": "Someone else is responsible for this situation.",
        "accountability.intentionality": "This situation was caused intentionally.",
        "accountability.fairness": "This situation is fair and deserved.",
    }
)
"""Appraisal dimension -> the statement that is its key in ``appraisal_ratings``; 22 of them."""

DIMENSIONS = tuple(STATEMENTS)
"""The 22 appraisal dimensions in documented order."""

GROUPS = MappingProxyType(
    {
        group: tuple(name for name in DIMENSIONS if name.startswith(group + "."))
        for group in ("relevance", "certainty", "congruence", "control", "accountability")
    }
)
"""Core appraisal -> its dimensions (6 + 4 + 4 + 4 + 4)."""

RUNS_AGAINST_GROUP = frozenset({"certainty.novelty", "congruence.negative prediction error"})
"""Dimensions whose wording runs opposite to their group's name: reverse them before averaging."""

REASONING = ("relevance", "certainty", "congruence", "control", "accountability")
"""The five core appraisals that are answered in free text."""

ATTENTION_CHECK = "attention_check"
"""The 23rd key of ``appraisal_ratings``: a screening item, never a rating."""

# --- CAREBench: emotions (documentation 5.3 to 5.5) --------------------------------------------

INTENSITY_WORDS = (
    "Not at all",
    "Very slightly",
    "Slightly",
    "Moderately",
    "Quite a bit",
    "Very",
    "Extremely",
)
"""The words for 0 to 6; a stored level reads ``"2 - Slightly positive"``."""

POSITIVE_LEVELS = MappingProxyType(
    {f"{value} - {words} positive": value for value, words in enumerate(INTENSITY_WORDS)}
)
NEGATIVE_LEVELS = MappingProxyType(
    {f"{value} - {words} negative": value for value, words in enumerate(INTENSITY_WORDS)}
)

POSITIVE_LABELS = (
    "Hopeful, optimistic, encouraged",
    "Grateful, appreciative, thankful",
    "Glad, happy, joyful",
    "Love, closeness, trust",
    "Amused, entertained",
    "Sympathy, concern, compassion",
    "Inspiration, admiration, appreciation",
    "Calm, peaceful, relaxed",
    "Proud, confident, determined",
    "Excited, enthusiastic, elated",
)
NEGATIVE_LABELS = (
    "Angry, frustrated, annoyed",
    "Worried, nervous, fearful",
    "Sad, downhearted, unhappy",
    "Disgust, distaste, revulsion",
    "Despair, hopelessness, sorrow",
    "Ashamed, humiliated, embarrassed",
    "Lonely, isolated, disconnected from others",
    "Panicked, alarmed, freaked out",
    "Guilty, blameworthy, repentant",
    "Confused, disoriented, surprised",
)
LABELS = POSITIVE_LABELS + NEGATIVE_LABELS
"""The 20 emotion groups. Each contains commas: never split a stored label on ``","``."""

# --- CAREBench: people (documentation 4.5 to 4.7 and 5.6) --------------------------------------

BFI_ITEMS = MappingProxyType(
    {
        "bfi_reserved": "I see myself as someone who is reserved.",
        "bfi_trusting": "I see myself as someone who is generally trusting.",
        "bfi_lazy": "I see myself as someone who tends to be lazy.",
        "bfi_relaxed": "I see myself as someone who is relaxed, handles stress well.",
        "bfi_few_artistic": "I see myself as someone who has few artistic interests.",
        "bfi_outgoing": "I see myself as someone who is outgoing, sociable.",
        "bfi_finds_fault": "I see myself as someone who tends to find fault with others.",
        "bfi_thorough": "I see myself as someone who does a thorough job.",
        "bfi_nervous": "I see myself as someone who gets nervous easily.",
        "bfi_imagination": "I see myself as someone who has an active imagination.",
    }
)
"""Column name -> BFI-10 item, in questionnaire order (items 1 to 10)."""

BFI_AGREEMENT = MappingProxyType(
    {
        "Strongly disagree": 1,
        "Disagree": 2,
        "Neither agree nor disagree": 3,
        "Somewhat agree": 4,
        "Strongly agree": 5,
    }
)
"""Stored BFI-10 answer -> 1 to 5. Lopsided (``Disagree``, ``Somewhat agree``), as documented."""

BFI_KEY = MappingProxyType(
    {
        "Extraversion": (("bfi_reserved", -1), ("bfi_outgoing", +1)),
        "Agreeableness": (("bfi_trusting", +1), ("bfi_finds_fault", -1)),
        "Conscientiousness": (("bfi_lazy", -1), ("bfi_thorough", +1)),
        "Neuroticism": (("bfi_relaxed", -1), ("bfi_nervous", +1)),
        "Openness": (("bfi_few_artistic", -1), ("bfi_imagination", +1)),
    }
)
"""Trait -> its two items and their direction; a reversed item counts 6 - answer.

Source: the key of the BFI-10 (Rammstedt & John, 2007)."""

TRAITS = tuple(BFI_KEY)

DEMOGRAPHICS = MappingProxyType(
    {
        "age": "Age",
        "sex": "Sex",
        "ethnicity": "Ethnicity simplified",
        "country_of_birth": "Country of birth",
        "country_of_residence": "Country of residence",
        "nationality": "Nationality",
        "language": "Language",
        "student_status": "Student status",
        "employment_status": "Employment status",
    }
)
"""Column name -> documented field name; all values are text."""

WITHHELD = ("CONSENT_REVOKED", "DATA_EXPIRED", "Prefer not to say", "")
"""Demographic values read as "not given". Our reading: the documentation names no such code."""

ROLES = ("ai", "human")
"""Who speaks a dialogue turn: the interviewer or the participant."""

STORY_ANSWERS = ("event", "goal", "feeling", "context")
"""The four structured answers from which a narrative was assembled."""

# --- IMBUE: DEAR MAN skills (data card, "Dataset Schema") --------------------------------------

STRENGTH_SKILLS = ("describe", "express", "assert", "reinforce", "negotiate")
"""Skills that experts marked as strong, weak or not used."""

STATE_SKILLS = ("mindful", "confident")
"""Skills that experts marked yes or no."""

SKILLS = ("describe", "express", "assert", "reinforce", "mindful", "confident", "negotiate")
"""The seven skills in the order of the acronym DEAR MAN."""

SKILL_NAMES = MappingProxyType(
    {
        "describe": "Describe",
        "express": "Express",
        "assert": "Assert",
        "reinforce": "Reinforce",
        "mindful": "Stay mindful",
        "confident": "Appear confident",
        "negotiate": "Negotiate",
    }
)

SKILL_LABELS = MappingProxyType(
    {
        skill: ("strong", "weak", "none") if skill in STRENGTH_SKILLS else ("yes", "no")
        for skill in SKILLS
    }
)
"""Skill -> the labels it may carry in the tidy table."""

CATEGORIES = ("family", "social", "work")
"""Kinds of situation a conversation may be about."""

IMBUE_COLUMNS = (
    "conversation_id",
    "situation",
    "category",
    "message_id",
    "message_text",
    *(
        f"{part}_{skill}"
        for skill in STRENGTH_SKILLS
        for part in ("label", "suggestion", "rewrite")
    ),
    "username_expert",
    *(
        f"{part}_{skill}"
        for skill in ("confident", "mindful")
        for part in ("label", "suggestion", "rewrite")
    ),
)
"""The 27 documented columns, in documented order."""
