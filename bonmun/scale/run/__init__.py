"""The batch run: shards in, parts out, with a marker for each that is done."""
