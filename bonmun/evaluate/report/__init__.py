"""The report in four forms: a table in a terminal, Markdown, JSON, and one HTML file with its plots inside."""
