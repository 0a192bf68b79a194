"""Explore and solve games on a ray cluster, with every finished layer kept on disk."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.solve.cluster.cluster import (
        explore_on_cluster as explore_on_cluster,
        in_cluster_order as in_cluster_order,
        solve_on_cluster as solve_on_cluster,
    )

__getattr__ = lazy_exports(__name__)
