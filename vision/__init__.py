"""From frames to cards played."""
