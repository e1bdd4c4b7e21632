"""Settings that all tests share."""

from hypothesis import settings

# A busy machine must not fail a property: no test depends on wall-clock speed.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")
