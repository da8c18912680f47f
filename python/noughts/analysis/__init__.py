"""Analysis: what a position is worth and why, and what each move of a match changed."""

from noughts.analysis.evaluation import Estimate, Evaluation, Proven, evaluation_from_json, evaluation_to_json
from noughts.analysis.grades import Grade, GradedMove
from noughts.analysis.reasons import reason
from noughts.analysis.reviews import Review, Summary, review
from noughts.analysis.study import Analysis, analyse
from noughts.analysis.threats import Threat, threats

__all__ = [
    "Analysis",
    "Estimate",
    "Evaluation",
    "Grade",
    "GradedMove",
    "Proven",
    "Review",
    "Summary",
    "Threat",
    "analyse",
    "evaluation_from_json",
    "evaluation_to_json",
    "reason",
    "review",
    "threats",
]
