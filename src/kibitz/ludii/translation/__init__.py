"""Expanded ludemes in, a RuleSheet in GDL out."""
