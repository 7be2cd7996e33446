"""M4, visual features: Kim et al.'s rows of a rendered page, TabNet over them, and the region that they cover."""
