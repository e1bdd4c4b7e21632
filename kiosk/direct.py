"""A WebSocket server protocol that takes whole frames: a message to many viewers is framed once and handed to each connection as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.types import Scope

try:
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
except ImportError:  # an older server: every message goes through the application's own send
    PROTOCOL: type | str = "auto"
else:

    class DirectProtocol(WebSocketsSansIOProtocol):
        """The server's own protocol, with a way past its queue for frames that are ready."""

        async def run_asgi(self) -> None:
            """Run the application, which finds :meth:`write_frame` in its scope."""
            self.scope[KEY] = self.write_frame  # type: ignore[typeddict-unknown-key]
            await super().run_asgi()

        def write_frame(self, frame: bytes) -> bool:
            """Write a whole frame; says whether it was taken, which it is not while the viewer is slow, coming or going."""
            if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set() or self.transport.is_closing():
                return False
            self.transport.write(frame)
            return True

    PROTOCOL = DirectProtocol

KEY: Final = "trickwatch.write_frame"
_TEXT: Final = 0x81


def writer_of(scope: Scope) -> Callable[[bytes], bool] | None:
    """How frames are handed to a connection, where its server can take them."""
    found: Callable[[bytes], bool] | None = scope.get(KEY)
    return found


def text_frame(text: str) -> bytes:
    """A text message as one unmasked frame (RFC 6455, 5.2), the same for every viewer."""
    payload = text.encode("utf-8", "replace")
    size = len(payload)
    if size < 126:
        return bytes((_TEXT, size)) + payload
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big") + payload
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big") + payload
