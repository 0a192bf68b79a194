"""Solution in, Insight out: the rules that people remember, for how many sizes, and why."""
