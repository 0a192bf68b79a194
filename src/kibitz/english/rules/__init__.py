"""Strategy in, sentences out, and back."""
