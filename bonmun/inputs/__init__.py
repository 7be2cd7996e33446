"""What a source holds: a page, a compressed page, or a container of pages.

A container is read as a stream and never unpacked to disk, so the names in an archive cannot reach the file system.
"""
