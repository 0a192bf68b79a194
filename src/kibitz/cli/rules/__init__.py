"""Commands on rule sheets."""
