"""The description of the interface: whole, open to all, and of this server alone."""

import re

import pytest
from django.test import Client

from krru.data.folder import BASE_DIR
from tests.docs_tables import code_blocks, rows
from tournaments.api.app import interface

pytestmark = pytest.mark.django_db


def described():
    return Client().get("/api/v1/openapi.json").json()


def operations():
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_every_route_declares_every_no_and_every_action_asks_for_a_key_alone():
    for method, path, operation in operations():
        wanted = {"200", "401", "404", "405", "422"}
        assert wanted <= operation["responses"].keys(), f"{method} {path}"
        is_public = {} in operation["security"]
        assert (is_public or path.endswith("/token")) is ("403" not in operation["responses"])
        assert operation["description"]
        names = {row["name"] for row in operation["parameters"] if row["in"] == "header"}
        assert names == ({"Idempotency-Key"} if method == "POST" else set()), path


def test_lists_are_bounded():
    listed = [
        {row["name"]: row["schema"] for row in operation["parameters"]}
        for _method, _path, operation in operations()
        if any(row["name"] == "offset" for row in operation["parameters"])
    ]
    assert len(listed) == 5
    for parameters in listed:
        assert (parameters["limit"]["maximum"], parameters["limit"]["default"]) == (200, 50)
        assert parameters["offset"]["maximum"] == 1_000_000


def test_the_page_loads_nothing_from_elsewhere(client):
    answer = client.get("/api/v1/docs/")
    html = answer.content.decode()
    assert "://" not in html
    assert not re.search(r"<script(?![^>]*src=)|<style|style=| on\w+=", html)
    for address in re.findall(r'(?:src|href)="(/api/[^"]+)"', html):
        assert client.get(address).status_code == 200
    assert client.get("/api/v1/docs/redoc.standalone.js").status_code == 404
    assert client.get("/api/v1/docs/..%2f__init__.py").status_code == 404


# --- The page of the reference


def reference() -> str:
    return (BASE_DIR / "docs" / "reference" / "api.md").read_text("utf-8")


def permission_of(operation) -> str:
    permission = operation.auth_callbacks[0].permission
    if permission is not None:
        return f"`{permission.value}`"
    return "any token" if operation.auth_callbacks[0].is_needed else "–"


def test_the_table_of_routes_is_the_programs():
    routes = [row for row in rows(reference()) if row[0].startswith(("`GET ", "`POST "))]
    found = {row[0].strip("`"): row[1] for row in routes}
    wanted = {}
    for router in interface._get_bound_routers():
        for path, view in router.path_operations.items():
            plain = re.sub(r"{\w+:(\w+)}", r"{\1}", path)
            for operation in view.operations:
                wanted[f"{operation.methods[0]} {plain}"] = permission_of(operation)
    assert found == wanted


def test_the_examples_of_the_reference_work(event, director):
    """Each is one call of curl; what is sent and where is read from it and asked for."""
    blocks = code_blocks(reference(), "sh")
    assert len(blocks) >= 4
    for block in blocks:
        joined = block.replace("\\\n", " ")
        url = re.search(r'"\$KRRU(/[^"]*)"', joined)[1].replace("$EVENT", event.slug)
        headers = dict(re.findall(r'-H "([\w-]+): ([^"]*)"', joined))
        if "Authorization" in headers:
            assert headers["Authorization"] == "Bearer $TOKEN"
            headers["Authorization"] = director.headers["Authorization"]
        if "Idempotency-Key" in headers:
            assert headers["Idempotency-Key"] == "$(uuidgen)"
            headers["Idempotency-Key"] = "2f1c0e0a-6f5e-4c7d-9d53-0b0d1c3a5e11"
        data = re.search(r"--json '([^']*)'", joined)
        is_post = data is not None or "-X POST" in joined
        client = Client()
        body = {"data": data[1], "content_type": "application/json"} if data else {}
        ask = client.post if is_post else client.get
        answer = ask(f"/api/v1{url}", headers=headers, **body)
        assert answer.status_code == 200, (block, answer.content)
