"""The OpenAPI description: FastAPI's, with the schemas that no route's signature names."""

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

_PLACE = "#/components/schemas/"


def describe(app: FastAPI, models: Iterable[type[BaseModel]]) -> None:
    """Make an application describe itself with further models, and the schema of documents as `Document`."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            schemas = made.setdefault("components", {}).setdefault("schemas", {})
            schemas |= document_schemas()
            for model in models:
                schemas |= _model_schemas(model)
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's own way to extend it


def document_schemas() -> dict[str, Any]:
    """Return `document.schema.json` as components: `Document`, and its definitions as `Document.NAME`."""
    schema = json.loads((files("bonmun.write") / "document.schema.json").read_text(encoding="utf-8"))
    for key in ("$schema", "$id"):
        del schema[key]
    definitions = schema.pop("$defs")
    return {"Document": _moved(schema)} | {f"Document.{name}": _moved(one) for name, one in definitions.items()}


def _moved(schema: Any) -> Any:
    """A schema whose references lead to the components."""
    if isinstance(schema, list):
        return [_moved(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    moved = {key: _moved(one) for key, one in schema.items() if key != "$ref"}
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        moved["$ref"] = f"{_PLACE}Document.{name}" if name != "#" else f"{_PLACE}Document"
    return moved


def _model_schemas(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema(ref_template=_PLACE + "{model}")
    return {**schema.pop("$defs", {}), model.__name__: schema}
