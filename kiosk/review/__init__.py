"""Matches that were recorded: found, searched, stepped through, commented; statistics over them."""
