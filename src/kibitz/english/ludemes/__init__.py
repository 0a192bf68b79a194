"""Rules in sentences in, sheets in the language of Ludii out, compared with them as games."""
