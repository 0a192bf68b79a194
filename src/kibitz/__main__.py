"""Run the command line by `python -m kibitz`."""

from kibitz.cli import main

main()
