"""The middleware: sources, network and worker processes around extraction, behind one class that users write."""
