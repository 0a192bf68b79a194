"""Learn weak constraints from ordered examples."""
