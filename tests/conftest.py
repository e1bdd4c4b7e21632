"""Settings that all tests share."""

import os

from hypothesis import Phase, settings

# A busy machine must not fail a property: no test depends on wall-clock speed.
settings.register_profile("calm", deadline=None)
settings.register_profile("unshrunk", deadline=None, database=None, phases=(Phase.explicit, Phase.generate))
settings.load_profile(os.environ.get("TRICKWATCH_PROPERTIES", "calm"))
