"""Workers to call: those of a ray cluster, or one in this process."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence
from typing import Any, Protocol

from kibitz.errors import InputError, KibitzError
from kibitz.solve.cluster.worker import Worker
from kibitz.threads import thread_count

_STORE = 1_000_000_000


class LostWorkerError(KibitzError):
    """A worker, or what it held, is lost."""


class Pool(Protocol):
    """Workers numbered from 0, called by number."""

    size: int

    def call(self, worker: int, method: str, *args: Any, results: int = 1) -> Any:
        """Call a method of a worker; return references to its results, one or a list.

        Arguments may be references to results of other calls.
        """

    def get(self, results: Sequence[Any]) -> list[Any]:
        """Wait for results; raise LostWorkerError where some are lost."""


class HerePool:
    """One worker, in this process, which works at once."""

    size = 1

    def __init__(self, *described: Any) -> None:
        self.worker = Worker(*described)

    def call(self, worker: int, method: str, *args: Any, results: int = 1) -> Any:
        """Call a method of the worker."""
        given = getattr(self.worker, method)(*args)
        return list(given) if results > 1 else given

    def get(self, results: Sequence[Any]) -> list[Any]:
        """Return results."""
        return list(results)


class RayPool:
    """Workers on a ray cluster: `auto` starts one on this machine for as long as it is used.

    Ray restarts a worker whose process or machine dies, and repeats its calls.
    """

    def __init__(self, cluster: str) -> None:
        self.ray = _import_ray(is_local=cluster == "auto")
        facts = {"logging_level": "ERROR", "configure_logging": False, "log_to_driver": False}
        if cluster != "auto":
            _find(cluster)
        try:
            if cluster == "auto":
                self.ray.init(
                    address="local",
                    num_cpus=thread_count(),
                    include_dashboard=False,
                    object_store_memory=_STORE,
                    _node_ip_address="127.0.0.1",
                    **facts,
                )
            else:
                self.ray.init(address=cluster, **facts)
        except Exception as error:  # ray raises plain Exception where a process does not start
            raise _unusable(cluster, error) from None
        self.size = int(self.ray.available_resources().get("CPU", 0))
        if not self.size:
            self.close()
            raise KibitzError(
                f"the ray cluster at {cluster} has no free processor",
                hint="add machines with: ray start --address=HEAD:PORT",
            )
        self._workers: list[Any] = []

    def start(self, *described: Any) -> None:
        """Start the workers, all with the same arguments, one for each processor of a machine.

        They claim no processor: where a machine is lost, its workers start again on others, which
        have none left to claim.
        """
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

        machines = [
            node["NodeID"]
            for node in self.ray.nodes()
            if node["Alive"]
            for _ in range(int(node["Resources"].get("CPU", 0)))
        ]
        remote = self.ray.remote(Worker)
        self._workers = [
            remote.options(
                num_cpus=0,
                max_restarts=-1,
                max_task_retries=-1,
                scheduling_strategy=On(machine, soft=True),
            ).remote(*described)
            for machine in machines[: self.size]
        ]

    def call(self, worker: int, method: str, *args: Any, results: int = 1) -> Any:
        """Call a method of a worker by its name."""
        function = getattr(self._workers[worker % self.size], method)
        return function.options(num_returns=results).remote(*args)

    def get(self, results: Sequence[Any]) -> list[Any]:
        """Fetch results from the cluster."""
        errors = self.ray.exceptions
        try:
            return list(self.ray.get(list(results)))
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, KibitzError):
                raise cause from None
            raise KibitzError(f"a worker failed: {cause!r}") from None
        except errors.RayError as error:
            raise LostWorkerError(f"a worker was lost: {str(error).splitlines()[0]}") from None

    def close(self) -> None:
        """Disconnect from the cluster, and stop it if it was started here."""
        self.ray.shutdown()


def _unusable(cluster: str, error: Exception) -> KibitzError:
    """Describe ray's error in one line."""
    why = (str(error).strip() or type(error).__name__).splitlines()[0]
    if cluster == "auto":
        return KibitzError(
            f"ray does not start on this machine: {why}",
            hint="solve without --cluster, or give a running cluster with --cluster HOST:PORT",
        )
    return KibitzError(
        f"no ray cluster can be used at {cluster}: {why}",
        hint="start one with: ray start --head; docs/cluster.md says how its token is set up",
    )


def _find(address: str) -> None:
    """Check that an address answers; ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        raise InputError(
            f"{address} is not the address of a ray cluster", hint="write auto, or HOST:PORT"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise KibitzError(
            f"no ray cluster answers at {address}: {error}",
            hint="start one with: ray start --head --port=6379",
        ) from None


def _import_ray(*, is_local: bool) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_AUTH_MODE", "token")  # only holders of this user's token may call
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")  # it would hold messages back, and print them late
    if is_local:  # the name is historical: with 0, ray stays on the loopback address everywhere
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        import ray
    except ImportError:
        raise InputError(
            "working on a cluster needs ray, which is not installed",
            hint="pip install 'kibitz[cluster]'",
        ) from None
    # With log_to_driver=False ray still prints lost workers to stdout, where results go.
    if own := sys.modules.get("ray._private.worker"):
        vars(own)["_worker_logs_enabled"] = False
    return ray
