"""Find the rules that people remember from a Solution, the sizes they hold for, and why."""
