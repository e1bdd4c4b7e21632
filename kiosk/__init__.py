"""A running table: store, web pages, sound."""
