"""The lab: training, metrics and reports, arenas and ratings, environments for other learners."""
