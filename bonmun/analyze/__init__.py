"""What a text is about: morphology, sentences, keywords, summary, ranking.

`morphology.morphology(language)` is the one seam to the analysers of languages; everything else here stands on it.
"""
