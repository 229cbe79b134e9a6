"""The coding manual of chapter 5, for tools that show it beside a message."""

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
            ("Weak", 'the feeling is hinted at, or put as the other\'s doing: "you make me"'),
            ("Doesn't count", "a complaint about the other that names no feeling at all"),
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
