"""Pages of one site, learned together: what they share is their template, what differs is their content."""
