"""Answer the requests of the page: routes, limits, jobs and child processes."""
