"""The steps, oldest first: ``v1`` the log, ``v2`` names kept apart."""
