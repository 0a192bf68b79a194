"""Requests in, answers out: routes, limits, jobs and child processes."""
