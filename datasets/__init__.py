"""Card art, scenes and films."""
