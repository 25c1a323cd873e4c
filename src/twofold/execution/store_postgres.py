"""What only PostgreSQL needs: connections that notice when the server is gone."""

from __future__ import annotations

import logging
from typing import Any

# Without these a connection waits for hours for a machine that was switched off.
_TIMES = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
LOCK_SECONDS = 10


def engine_options(url: Any) -> dict[str, Any]:
    """Return options for an engine; what the URL itself says is left alone."""
    options: dict[str, Any] = {"pool_pre_ping": True}
    if url.drivername in ("postgresql", "postgresql+psycopg", "postgresql+psycopg2"):
        options["connect_args"] = {k: v for k, v in _TIMES.items() if k not in url.query}
    return options


def arrange(engine: Any) -> None:
    """Let writers wait for each other, but not for ever."""
    from sqlalchemy import event

    # It would print what becomes of lost connections; whoever listens still hears it.
    logging.getLogger("psycopg").addHandler(logging.NullHandler())

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        connection.commit()
