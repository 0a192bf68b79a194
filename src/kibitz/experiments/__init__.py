"""Measurements and reproductions of published tables; loaded late, imported by nothing else."""
