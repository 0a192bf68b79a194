"""The search for short rule lists."""
