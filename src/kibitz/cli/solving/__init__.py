"""Commands that solve games and describe how they are played well."""
