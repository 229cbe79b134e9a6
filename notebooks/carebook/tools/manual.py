"""The coding manual of chapter 5, and what follows from it: one-line ideas and a checklist."""

from types import MappingProxyType

MANUAL = MappingProxyType(
    {
        "describe": (
            ("Strong", "a fact that a camera or a calendar could confirm"),
            (
                "Weak",
                'the fact drowns in a verdict, a guess at motives, "always" or "never"',
            ),
            ("Doesn't count", "a verdict without any fact"),
        ),
        "express": (
            ("Strong", 'a feeling or opinion, owned: "I\'m tired"'),
            (
                "Weak",
                'the feeling is hinted at, put as the other\'s doing ("you make me"), or "I feel '
                'that you" opens a claim about them',
            ),
            (
                "Doesn't count",
                "a complaint about the other, with no word of how it is for the writer",
            ),
        ),
        "assert": (
            ("Strong", "one can see what a yes would look like, or hears a clear no"),
            ("Weak", "a wish, a hint, a question about manners, an order with a sting"),
            ("Doesn't count", "the topic alone"),
        ),
        "reinforce": (
            (
                "Strong",
                "a believable good for the other if they agree; or, calmly and fairly, what "
                "follows if they don't",
            ),
            ("Weak", "a vague or bought reward; a threat"),
            ("Doesn't count", "what I gain, unless it reaches them"),
        ),
        "mindful": (
            (
                "Yes",
                "keeps to the aim; asking calmly once more and naming one's anger are yes",
            ),
            ("No", "attacks, pays back, or changes the subject"),
        ),
        "confident": (
            ("Yes", "asks or says no as if that were allowed; politeness is yes"),
            ("No", "apologises for asking, or takes the request back"),
        ),
        "negotiate": (
            ("Strong", 'an offer, a smaller request, a choice, or "what would work for you?"'),
            ("Weak", "an offer that gives the aim away"),
            ("Doesn't count", "a question that is really the request"),
        ),
    }
)
"""Skill -> (term, rule) pairs, word for word as in chapter 5."""

IDEAS = MappingProxyType(
    {
        "describe": "state the facts of the situation, without judging",
        "express": "say what you yourself feel or think",
        "assert": "ask clearly, or say no clearly",
        "reinforce": "say what good will follow for the other person",
        "mindful": "keep to the aim, calmly, whatever comes back",
        "confident": "sound as if you have a right to ask",
        "negotiate": "offer something, or invite a solution",
    }
)
"""Skill -> what one does, in a line."""

QUESTIONS = MappingProxyType(
    {
        "describe": (
            "Is there a fact that a camera or a calendar could confirm?",
            'Is it free of verdicts, guessed motives, "always" and "never"?',
        ),
        "express": (
            "Is a feeling or an opinion named?",
            "Is it put as yours, and not as the other's doing?",
        ),
        "assert": (
            "Can the other tell what a yes would look like, or hear a clear no?",
            "Is it asked instead of hinted at, and without a sting?",
        ),
        "reinforce": (
            "Does it say what the other would gain, or calmly what follows if not?",
            "Would the other believe it, and is it free of threats?",
        ),
        "mindful": (
            "Does it keep to the aim, whatever the other may have said?",
            "Is it free of attacks, and of paying back?",
        ),
        "confident": (
            "Does it ask as if asking were allowed?",
            "Does the request stand, without an apology for it?",
        ),
        "negotiate": (
            "Is there an offer, a smaller request, a choice, or a question for ideas?",
            "Does the offer keep the aim?",
        ),
    }
)
"""Skill -> the two questions of the checklist, from the manual; yes is what the manual asks for."""
