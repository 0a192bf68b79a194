"""Shared parts of commands: arguments, options, output files, deadlines."""
