"""The ludeme of a board in, its sites out: graphs are built, and then measured."""
