"""How a server asks workers on other machines, over NATS: one request per task, one worker answers."""

from __future__ import annotations

from typing import Any, Final

import orjson

from noughts.server.ai.queue import WorkerBusy
from noughts.server.ai.task import Task
from noughts.server.bus.nats import NatsBus
from noughts.server.errors import AgentFailed, AgentMissing

__all__ = ["QUEUE_GROUP", "TASKS_SUBJECT", "NatsWorkers"]

TASKS_SUBJECT: Final = "noughts.tasks"
QUEUE_GROUP: Final = "noughts-ai"
"""The workers: NATS gives each task to one of them."""

SPARE_SECONDS: Final = 5.0
"""How long an answer may take beyond the time of the task."""


class NatsWorkers:
    """Has tasks done by workers; see :data:`~noughts.server.ai.queue.RemoteWorkers`."""

    def __init__(self, bus: NatsBus) -> None:
        self.bus = bus

    async def __call__(self, task: Task) -> dict[str, Any] | None:
        """Give a task to a worker and wait for its result; ``None`` if no worker answers."""
        body = orjson.dumps(task.to_json())
        reply = await self.bus.request(TASKS_SUBJECT, body, timeout=task.seconds + SPARE_SECONDS)
        if reply is None:
            return None
        try:
            result: dict[str, Any] = orjson.loads(reply)
        except orjson.JSONDecodeError:
            return None
        refused = result.get("refused")
        if refused is None:
            return result
        if refused == "busy":
            raise WorkerBusy
        for error in (AgentMissing, AgentFailed):
            if refused == error.code:
                raise error(result["message"])
        return None
