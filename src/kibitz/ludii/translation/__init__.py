"""Translate expanded ludemes into a RuleSheet in GDL."""
