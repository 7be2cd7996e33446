"""The report in four forms: terminal tables, Markdown, JSON, and one HTML file with inline plots."""
