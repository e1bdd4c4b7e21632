"""What stands before the routes: hosts that may be asked for, origins that may write, bodies that are small enough."""

from __future__ import annotations

import ipaddress
import json
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY: Final = 64 * 1024
WRITES_PER_WINDOW: Final = 60
WINDOW_S: Final = 10.0
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

SECURITY_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self'; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Given with every answer that does not say otherwise; a browser asks again whether a script is still the newest."""


def host_name(netloc: str) -> str:
    """The host of ``host:port`` without the port and without brackets, in lower case; empty when it is malformed."""
    try:
        return (urlsplit(f"//{netloc}").hostname or "").lower()
    except ValueError:
        return ""


def is_address(host: str) -> bool:
    """Whether a host is a bare address: such a name cannot be rebound to this machine by somebody's name server."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def same_origin(headers: Headers) -> bool:
    """Whether a browser says that a request comes from one of our own pages; a client that names no origin is no browser page."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == headers.get("host", "").lower()


def is_local(client: str, headers: Headers) -> bool:
    """Whether a request comes from this machine's own console, not through a proxy."""
    proxied = any(name in headers for name in ("x-forwarded-for", "forwarded", "x-real-ip"))
    return not proxied and is_loopback(client) and is_loopback(host_name(headers.get("host", "")))


class Guard:
    """ASGI middleware; refuses with a reason in both languages and lets everything else through with security headers."""

    def __init__(self, app: ASGIApp, names: tuple[str, ...] = (), clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(name.lower() for name in names)}
        self._clock = clock
        self._writes: dict[str, list[float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = host_name(headers.get("host", ""))
        if not (host in self._names or is_address(host)):
            await self._refuse(scope, send, 421, "不认识的主机名", f"this table does not answer to the name {host[:100]!r}")
            return
        if scope["type"] == "websocket":
            if not same_origin(headers):
                await self._refuse(scope, send, 403, "来自别的网站的请求", "the request comes from another site")
                return
            await self._app(scope, receive, send)
            return
        if scope["method"] not in _SAFE:
            refusal = self._check_write(scope, headers)
            if refusal is not None:
                await self._refuse(scope, send, *refusal)
                return
        body = await self._body(headers, receive)
        if body is None:
            await self._refuse(scope, send, 413, "请求过大", f"the request is larger than {LARGEST_BODY} bytes")
            return
        await self._app(scope, _replay(body, receive), _with_headers(send))

    def _check_write(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        if not same_origin(headers):
            return 403, "来自别的网站的请求", "the request comes from another site"
        if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return 415, "请求必须是 JSON", "the request must be application/json"
        client = (scope.get("client") or ("", 0))[0]
        now = self._clock()
        recent = [at for at in self._writes.get(client, ()) if now - at < WINDOW_S]
        if len(recent) >= WRITES_PER_WINDOW:
            return 429, "操作太快，请稍候", "too many changes at once, please wait"
        if client not in self._writes and len(self._writes) > 1000:
            self._writes = {other: times for other, times in self._writes.items() if now - times[-1] < WINDOW_S}
        self._writes[client] = [*recent, now]
        return None

    @staticmethod
    async def _body(headers: Headers, receive: Receive) -> bytes | None:
        """The whole body, or None when it is too large; no more than the limit is ever kept."""
        if headers.get("content-length", "0").strip().isdigit() and int(headers.get("content-length", "0")) > LARGEST_BODY:
            return None
        parts = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(parts)
            parts += message.get("body", b"")
            if len(parts) > LARGEST_BODY:
                return None
            if not message.get("more_body", False):
                return bytes(parts)

    @staticmethod
    async def _refuse(scope: Scope, send: Send, status: int, zh: str, en: str) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": en[:100]})
            return
        body = json.dumps({"zh": zh, "en": en}, ensure_ascii=False).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read, then what the client does afterwards."""
    given = False

    async def again() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again


def _with_headers(send: Send) -> Send:
    async def out(message: Message) -> None:
        if message["type"] == "http.response.start":
            found: list[Any] = list(message.get("headers", []))
            present = {name.lower() for name, _ in found}
            for name, value in SECURITY_HEADERS.items():
                if name.lower().encode() not in present:
                    found.append((name.lower().encode(), value.encode()))
            message = {**message, "headers": found}
        await send(message)

    return out
