"""A document as text, Markdown, HTML, JSON, XML, or drawn on its own page. All of them write the same kept blocks."""
