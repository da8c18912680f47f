"""An event loop in virtual time: asyncio's tasks, futures, locks and timers run on it as they are."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.simulation.world import World


class SimulatedLoop(asyncio.AbstractEventLoop):
    """The loop of one process. When the process is killed nothing of it runs any more, as with a real one."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.ready: deque[asyncio.Handle] = deque()
        self.alive = True
        self.paused_until = 0.0
        self._tasks: list[asyncio.Task[Any]] = []
        world.loops.append(self)

    def time(self) -> float:
        return self.world.now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self.alive

    def is_closed(self) -> bool:
        return not self.alive

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Any = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if self.alive:
            self.ready.append(handle)
        return handle

    def call_soon_threadsafe(self, callback: Callable[..., object], *args: Any, context: Any = None) -> asyncio.Handle:
        """From the writer's thread, which wakes the loop some time later."""
        handle = asyncio.Handle(callback, args, self, context)
        self.world.after(self.world.delay(0.001, 0.05), lambda: self._arrive(handle))
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.world.now + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self.world.at(when, lambda: self._arrive(handle))
        return handle

    def _arrive(self, handle: asyncio.Handle) -> None:
        if self.alive and not handle.cancelled():
            self.ready.append(handle)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Nothing to do: it is skipped when its time comes."""

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, *, name: str | None = None, context: Any = None) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        if self.alive and len(self._tasks) > 64:
            self._tasks = [task for task in self._tasks if not task.done()]
        return task

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Do some work at a later moment, and tell the result later still."""
        future = self.create_future()

        def work() -> None:
            if not self.alive:
                return
            try:
                result, error = func(*args), None
            except Exception as caught:
                result, error = None, caught
            self.world.after(self.world.delay(0.001, 0.1), lambda: self.settle(future, result, error))

        self.world.after(self.world.delay(0.001, 0.1), work)
        return future

    def settle(self, future: asyncio.Future[Any], result: Any, error: BaseException | None = None) -> None:
        """Complete a future from outside, unless nobody waits for it any more."""
        if not self.alive or future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if self.alive:
            self.world.errors.append(f"{self.name}: {context['message']}: {context.get('exception')!r}")

    def pending(self) -> list[asyncio.Task[Any]]:
        """Tasks that have not ended."""
        return [task for task in self._tasks if not task.done()]

    def kill(self) -> None:
        """Run nothing more, without a word to those who wait."""
        self.alive = False
        self.ready.clear()
        self.world.loops.remove(self)

    def bury(self) -> None:
        """Let go of the tasks of a loop that was killed, or of a simulation that is over."""
        self.alive = False
        asyncio._set_running_loop(self)
        try:
            # The list grows while tasks that end start others.
            for task in self._tasks:
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with suppress(BaseException):
                    task.get_coro().close()  # type: ignore[union-attr]
        finally:
            asyncio._set_running_loop(None)
        self.ready.clear()
