"""The documentation of the API: the OpenAPI document as one page that needs no script and no other server."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Final

__all__ = ["STYLE", "api_page"]

STYLE: Final = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid; }
h2 code { font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 4px; white-space: pre-wrap; }
"""


def api_page(document: dict[str, Any]) -> str:
    """Write the page."""
    schemas = document["components"]["schemas"]
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>noughts: the API</title>',
        '<meta name="viewport" content="width=device-width">',
        '<link rel="stylesheet" href="/docs/style.css"></head><body>',
        f"<h1>noughts {escape(document['info']['version'])}: the API</h1>",
        f"<pre>{escape(document['info']['description'])}</pre>",
        '<p>For programs: <a href="/openapi.json">openapi.json</a>. Every error is '
        "<code>{error, message, statusCode}</code>.</p>",
    ]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.append(_operation(method.upper(), path, operation, schemas))
    parts.append("<h1>Messages</h1>")
    parts += [_schema(name, schema) for name, schema in schemas.items()]
    return "".join(parts) + "</body></html>"


def _operation(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    text = [f"<h2><code>{method} {escape(path)}</code></h2><p>{escape(operation.get('description', ''))}</p>"]
    parameters = [(p["name"], p.get("description", "")) for p in operation.get("parameters", [])]
    if parameters:
        text.append(_table(parameters))
    body = _named(operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {}))
    if body:
        text.append(f'<p>Takes <a href="#{body}">{body}</a>.</p>')
        for example in schemas[body].get("examples", []):
            text.append(f"<pre>{escape(json.dumps(example, ensure_ascii=False))}</pre>")
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            name = _named(answer.get("content", {}).get("application/json", {}).get("schema", {}))
            text.append(f'<p>{status}: <a href="#{name}">{name}</a>.</p>' if name else f"<p>{status}.</p>")
    return "".join(text)


def _schema(name: str, schema: dict[str, Any]) -> str:
    fields = [
        (
            field,
            f"{_kind(of)}{'' if field in schema.get('required', ()) else ', optional'}. {of.get('description', '')}",
        )
        for field, of in schema.get("properties", {}).items()
    ]
    return f'<h2 id="{name}">{name}</h2><p>{escape(schema.get("description", ""))}</p>{_table(fields)}'


def _table(rows: list[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in rows) + "</table>"


def _named(schema: dict[str, Any]) -> str:
    """The name a schema goes by, also where it may be null."""
    for part in (schema, *schema.get("anyOf", ())):
        if "$ref" in part:
            return str(part["$ref"]).rpartition("/")[2]
    return ""


def _kind(schema: dict[str, Any]) -> str:
    """A schema's type in a few words."""
    if "$ref" in schema:
        return _named(schema)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
