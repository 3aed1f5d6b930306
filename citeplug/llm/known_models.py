"""Hosted models: the defaults, prices, and those that think before they answer.

Prices in US dollars for a million tokens, as of 2026-11-20, from https://platform.claude.com/docs/en/about-claude/pricing
and https://developers.openai.com/api/docs/pricing. A model that is not here has no known price.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citeplug.records.dialogue import Stage

Service = Literal["anthropic", "openai"]
SERVICES: tuple[Service, ...] = ("anthropic", "openai")

# The strongest of each service with which a section of 15 papers costs less than $0.50 (`expected_cost.py`).
DEFAULT_MODELS: dict[Service, str] = {"anthropic": "claude-opus-5-5", "openai": "gpt-6.1-sol"}
# Unless the user names a model, cheaper ones order and summarise papers, and judge sentences.
CHEAPER_MODELS: dict[Service, dict[Stage, str]] = {
    "anthropic": {"ranking": "claude-sonnet-5-5", "summaries": "claude-haiku-5-5", "judge": "claude-sonnet-5-5"},
    "openai": {"ranking": "gpt-6.1-terra", "summaries": "gpt-6-luna", "judge": "gpt-6.1-terra"},
}

# Room for thinking, which counts as output and is not part of the answer.
THINKING_TOKENS = 8000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens: read, read from the provider's cache (`kept`), written to it, answered.

    Holds for requests of up to `up_to` tokens, None for any.
    """

    tokens_in: float
    tokens_out: float
    kept: float
    stored: float
    up_to: int | None = None

    def of(self, usage: "Usage") -> float:
        """Dollars for these tokens."""
        plain = usage.tokens_in - usage.tokens_kept - usage.tokens_stored
        parts = (
            (plain, self.tokens_in),
            (usage.tokens_kept, self.kept),
            (usage.tokens_stored, self.stored),
            (usage.tokens_out, self.tokens_out),
        )
        return sum(tokens * price for tokens, price in parts) / 1e6


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer, as the provider counted them; kept and stored ones are part of `tokens_in`."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_kept: int = 0
    tokens_stored: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """`thinks`: it may think first, within `max_tokens`. `effort`: its amount can be set."""

    prices: tuple[Price, ...]
    thinks: bool = True
    effort: bool = True


def _claude(tokens_in: float, tokens_out: float, cached: float = 0.1) -> Known:
    """`cached` is a share of the price of input; writing to the cache costs a quarter more than input."""
    return Known((Price(tokens_in, tokens_out, cached * tokens_in, 1.25 * tokens_in),))


def _gpt(tokens_in: float, tokens_out: float, cached: float, stored: float) -> Known:
    """Beyond 272,000 tokens input costs twice as much, and output half as much again."""
    return Known(
        (
            Price(tokens_in, tokens_out, cached, stored, 272_000),
            Price(2 * tokens_in, 1.5 * tokens_out, 2 * cached, 2 * stored),
        ),
        effort=False,
    )


_OLD_CLAUDE = dict.fromkeys(("claude-opus-5", "claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6"), _claude(5, 25))
KNOWN: dict[str, Known] = {
    # What reading Fable 5.2 from the cache costs was not found: taken as a tenth, which is the most of any model.
    "claude-fable-5-2": _claude(8, 40),
    "claude-mythos-5-2": _claude(8, 40),
    "claude-fable-5-1": _claude(10, 50, 0.025),
    "claude-mythos-5-1": _claude(10, 50, 0.025),
    "claude-fable-5": _claude(10, 50),
    "claude-mythos-5": _claude(10, 50),
    "claude-opus-5-5": _claude(4, 20, 0.05),
    **_OLD_CLAUDE,
    "claude-sonnet-5-5": _claude(2, 10, 0.05),
    "claude-sonnet-5": _claude(2, 10),
    "claude-sonnet-4-6": _claude(3, 15),
    "claude-haiku-5-5": Known((Price(0.1, 0.5, 0.01, 0.125, 100_000), Price(0.5, 2.5, 0.05, 0.625))),
    "claude-haiku-4-5": Known((Price(1, 5, 0.1, 1.25),), thinks=False, effort=False),
    "gpt-6-astra": _gpt(10, 50, 1, 12.5),
    "gpt-6.1-sol": _gpt(2, 10, 0.1, 2.5),
    "gpt-6.1-terra": _gpt(1, 5, 0.05, 1.25),
    "gpt-6-sol": _gpt(2, 10, 0.2, 2.5),
    "gpt-6-luna": _gpt(0.1, 0.5, 0.01, 0.125),
}
FREE = Price(0, 0, 0, 0)


def price_of(prices: Sequence[Price], tokens_in: int) -> Price | None:
    """The price that holds for a request of this size, None if there is none."""
    return next((price for price in prices if price.up_to is None or tokens_in <= price.up_to), None)
