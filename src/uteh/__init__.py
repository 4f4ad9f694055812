"""Ultimate Texas Hold'em, exactly: hand strengths, odds, and the expected value of every action as fractions.

This file only names what is public. A name is looked up in its own file when it is first used, so that `import uteh`
costs next to nothing and NumPy is imported by the functions that take arrays, not before.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would cost more than all the rest
if TYPE_CHECKING:
    from ._eval import cpu_features, evaluate, get_include, parse_cards
    from .banking import Bank, Stakes, bank
    from .cards import format_cards, parse_many
    from .costs import RuleCosts, compare_rules, house_edges
    from .errors import CardError, Interrupted, RulesError
    from .game import Solution, solve
    from .hands import best_five, category, describe, evaluate_many
    from .many import Decisions, OddsArray, decide_many, odds_many
    from .questions import Decision, Odds, decide, odds
    from .rules import STANDARD, Action, Category, PayTable, Result, Rules
    from .settlement import Settlement, Settlements, settle, settle_many
    from .side_bets import SideBet, side_bet
    from .tables import (
        Seat,
        TableDeal,
        TableSettlement,
        TableSettlements,
        Wager,
        WagerSettlement,
        deal_table,
        settle_table,
        settle_tables,
    )

_HOME = {
    "cpu_features": "_eval",
    "evaluate": "_eval",
    "get_include": "_eval",
    "parse_cards": "_eval",
    "Bank": "banking",
    "Stakes": "banking",
    "bank": "banking",
    "format_cards": "cards",
    "parse_many": "cards",
    "RuleCosts": "costs",
    "compare_rules": "costs",
    "house_edges": "costs",
    "CardError": "errors",
    "Interrupted": "errors",
    "RulesError": "errors",
    "best_five": "hands",
    "category": "hands",
    "describe": "hands",
    "evaluate_many": "hands",
    "Decisions": "many",
    "OddsArray": "many",
    "decide_many": "many",
    "odds_many": "many",
    "Decision": "questions",
    "Odds": "questions",
    "decide": "questions",
    "odds": "questions",
    "STANDARD": "rules",
    "Action": "rules",
    "Category": "rules",
    "PayTable": "rules",
    "Result": "rules",
    "Rules": "rules",
    "Settlement": "settlement",
    "Settlements": "settlement",
    "settle": "settlement",
    "settle_many": "settlement",
    "SideBet": "side_bets",
    "side_bet": "side_bets",
    "Seat": "tables",
    "TableDeal": "tables",
    "TableSettlement": "tables",
    "TableSettlements": "tables",
    "Wager": "tables",
    "WagerSettlement": "tables",
    "deal_table": "tables",
    "settle_table": "tables",
    "settle_tables": "tables",
    "Solution": "game",
    "solve": "game",
}

__all__ = [
    "STANDARD",
    "Action",
    "Bank",
    "CardError",
    "Category",
    "Decision",
    "Decisions",
    "Interrupted",
    "Odds",
    "OddsArray",
    "PayTable",
    "Result",
    "RuleCosts",
    "Rules",
    "RulesError",
    "Seat",
    "Settlement",
    "Settlements",
    "SideBet",
    "Solution",
    "Stakes",
    "TableDeal",
    "TableSettlement",
    "TableSettlements",
    "Wager",
    "WagerSettlement",
    "bank",
    "best_five",
    "category",
    "compare_rules",
    "cpu_features",
    "deal_table",
    "decide",
    "decide_many",
    "describe",
    "evaluate",
    "evaluate_many",
    "format_cards",
    "get_include",
    "house_edges",
    "odds",
    "odds_many",
    "parse_cards",
    "parse_many",
    "settle",
    "settle_many",
    "settle_table",
    "settle_tables",
    "side_bet",
    "solve",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'uteh' has no attribute {name!r}")
    # Not importlib: importing that alone would cost more than everything else here.
    module = __import__(f"uteh.{home}", fromlist=[name])
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
