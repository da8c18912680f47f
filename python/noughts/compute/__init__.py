"""What takes long: solving, counting, sampling and batches, by the kernel where a game has tables for it."""
