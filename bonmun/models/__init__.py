"""The models that ship, each with its card (`.md`) and the report of its training (`.json`)."""
