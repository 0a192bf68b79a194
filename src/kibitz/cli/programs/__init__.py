"""Commands that play, serve, measure and diagnose."""
