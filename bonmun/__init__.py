"""Any web page in; what a reader came for out."""
