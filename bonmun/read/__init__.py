"""From bytes to a page: decode, parse, segment, and read the metadata."""
