"""Which rows of a batch run are kept: by language, length and confidence, and the first of several duplicates."""
