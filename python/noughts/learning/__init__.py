"""What is learned from play: tables of values, networks of tuples, and the files that keep them."""

from noughts.learning.checkpoint import Checkpoint, newest
from noughts.learning.features import Features
from noughts.learning.learner import Learner, Q, Schedule, Stretch, Td
from noughts.learning.network import TupleNetwork
from noughts.learning.table import QTable

__all__ = ["Checkpoint", "Features", "Learner", "Q", "QTable", "Schedule", "Stretch", "Td", "TupleNetwork", "newest"]
