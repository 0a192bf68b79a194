"""Rules in, GDL out."""
