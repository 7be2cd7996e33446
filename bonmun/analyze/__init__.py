"""Text analysis: morphology, sentence splitting, keywords, summaries, ranking.

`morphology.morphology(language)` is the only access to the analysers of languages; everything else builds on it.
"""
