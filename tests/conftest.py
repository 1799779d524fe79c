from hypothesis import settings

# Machines are shared and noisy: a property is about values, never about time.
settings.register_profile("touchstone", deadline=None)
settings.load_profile("touchstone")
