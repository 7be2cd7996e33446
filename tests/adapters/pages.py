"""Pages that the tests of the adapters share."""

TEXT = "Tea is made of leaves, and of water that has just boiled. It is ready after some minutes."
WATER = "Water for black tea has to boil, and water for green tea must not, or the tea turns bitter."
TEA = f"""<html lang="en"><head><title>Tea</title><meta name="author" content="Ada Leaf">
<meta property="article:published_time" content="2026-03-14T10:00:00Z"></head>
<body><nav><a href="/">Home</a></nav><article><h1>Tea</h1><p>{TEXT}</p>
<h2>Water</h2><p>{WATER} <a href="kettle">More on kettles</a>.</p></article></body></html>"""
EMPTY = "<html><frameset></frameset></html>"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)
URL = "https://example.org/tea/"
