"""From bytes to a page: decode, guard, parse, segment, and the metadata a page states about itself."""
