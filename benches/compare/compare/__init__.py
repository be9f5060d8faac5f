"""tilework beside its peers, in one process."""
