"""A client that connects and says nothing, or one letter a minute, is cut off."""

from __future__ import annotations

from typing import Any


def make_protocol(seconds: float) -> Any:
    """Return uvicorn's protocol for HTTP with a limit on how long a request may take to begin."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class PatientProtocol(H11Protocol):
        """Closes a connection whose request is not there in time; uvicorn waits for ever."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.loop.call_later(seconds, self._close_silent)

        def _close_silent(self) -> None:
            # `cycle` is the request that is being answered, None until its headers are complete.
            if self.cycle is None and not self.transport.is_closing():
                self.transport.close()

    return PatientProtocol
