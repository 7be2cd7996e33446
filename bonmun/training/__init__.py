"""From pages with their truth to a model file. Not imported at run time: needs the extra `train`."""
