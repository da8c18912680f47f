"""Traces for OpenTelemetry: where the time of a request goes, sent to a collector.

Off unless the operator names a collector; then a span costs what it takes to look at one variable. Spans carry
routes, games and counts, never an id, a name, a token or an address: they leave the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Final

from noughts.server.errors import InvalidSetting

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Tracer

__all__ = ["configure_tracing", "span"]

Facts = dict[str, str | int | float]

TRACEPARENT: Final = b"traceparent"

_tracer: Tracer | None = None


def configure_tracing(collector: str) -> Callable[[], None]:
    """Send spans to a collector from now on; returns what ends that and sends those that wait.

    The collector speaks OTLP over HTTP, e.g. ``http://127.0.0.1:4318``.
    """
    global _tracer
    if not collector:
        return lambda: None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise InvalidSetting(f"--otlp {collector}: needs pip install 'noughts[telemetry]'") from None
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "noughts"}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{collector.rstrip('/')}/v1/traces")))
    _tracer = provider.get_tracer("noughts.server")

    def end() -> None:
        global _tracer
        _tracer = None
        provider.shutdown()

    return end


def span(
    name: str, headers: Mapping[bytes, bytes] | None = None, **facts: str | int | float
) -> AbstractContextManager[Facts]:
    """Time what is done inside; ``headers`` are those of a request, which may belong to a longer trace.

    What is put into the value given becomes attributes of the span; ``name`` there renames it.
    """
    return _OFF if _tracer is None else _timed(_tracer, name, _context(headers), dict(facts))


class _Off(AbstractContextManager[Facts]):
    """Nobody is to hear of it."""

    def __enter__(self) -> Facts:
        return {}

    def __exit__(self, *_: object) -> None:
        return None


_OFF: Final = _Off()


@contextmanager
def _timed(tracer: Tracer, name: str, context: Context | None, facts: Facts) -> Iterator[Facts]:
    # An exception's message may hold what must not leave the machine.
    with tracer.start_as_current_span(name, context, record_exception=False, set_status_on_exception=False) as active:
        try:
            yield facts
        finally:
            active.update_name(str(facts.pop("name", name)))
            active.set_attributes(facts)


def _context(headers: Mapping[bytes, bytes] | None) -> Context | None:
    """The trace that a client says its request belongs to."""
    if headers is None or TRACEPARENT not in headers:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    given = {"traceparent": headers[TRACEPARENT].decode("latin-1")}
    return TraceContextTextMapPropagator().extract(given)
