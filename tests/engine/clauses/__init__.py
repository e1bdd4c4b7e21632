"""Tests of the presets: for every clause that a sheet quotes, what the engine does because of it."""
