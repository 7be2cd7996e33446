"""Templates learned from several pages of a site: shared parts are boilerplate, varying parts are content."""
