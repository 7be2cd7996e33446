"""Templates of sites, learned in a first pass over the pages of a batch run: group by host, then learn each host."""
