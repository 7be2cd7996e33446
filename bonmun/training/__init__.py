"""Train a model from pages with gold text. Not imported at run time; needs the extra `train`."""
