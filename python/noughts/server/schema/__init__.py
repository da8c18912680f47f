"""The messages of the API, as pydantic models."""
