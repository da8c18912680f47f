"""AI moves and analyses: the queue of tasks, the agents that play, and workers on other machines."""
