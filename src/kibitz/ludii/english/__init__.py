"""Write ludemes in English, and parse the text back to verify that it means the same ludemes."""
