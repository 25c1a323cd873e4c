"""Uploads, taken in piece by piece: in memory, up to a limit, and not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from twofold.errors import InputError
from twofold.page import page_limits

PASTED = "pasted.csv"
"""What a table is called that was pasted into the form."""


class TooLarge(InputError):
    """An upload goes on after the limit."""


async def receive_files(request: Any) -> list[tuple[str, bytes]]:
    """Return names and contents of the files in a form, and of the text that was pasted."""
    from starlette.formparsers import MultiPartException, MultiPartParser
    from starlette.requests import ClientDisconnect

    class MemoryParser(MultiPartParser):
        spool_max_size = page_limits.MOST_UPLOADED + 1  # never to a file on the disk

    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise InputError("This is no form with files.", "Use the form on the first page.")
    try:
        form = await MemoryParser(
            request.headers,
            _limit(request),
            max_files=page_limits.MOST_FILES,
            max_fields=20,
            max_part_size=page_limits.MOST_UPLOADED,
        ).parse()
    except MultiPartException as error:
        if error.message.startswith("Too many files"):
            raise TooLarge(
                f"There are more than {page_limits.MOST_FILES:,} files.",
                "Drop a folder within it, or use the command line, which takes more.",
            ) from None
        raise InputError(f"The upload cannot be read: {error.message}", "Send it again.") from None
    except (ClientDisconnect, TimeoutError):
        raise InputError("The upload broke off.", "Send it again.") from None
    files = []
    try:
        for _, part in form.multi_items():
            if isinstance(part, str):
                if part.strip():
                    files.append((PASTED, part.encode("utf-8", "replace")))
            elif part.filename:
                files.append((part.filename, await part.read()))
    finally:
        await form.close()
    if not files:
        raise InputError("Nothing was sent.", "Choose a file, or paste a table.")
    return files


async def _limit(request: Any) -> AsyncIterator[bytes]:
    """Pass the body on while it is short enough and comes in fast enough."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > page_limits.MOST_UPLOADED:
        raise _refuse_size()
    size = 0
    async with asyncio.timeout(page_limits.UPLOAD_SECONDS):
        stream = aiter(request.stream())
        while True:
            async with asyncio.timeout(page_limits.SILENT_SECONDS):
                piece = await anext(stream, None)
            if piece is None:
                return
            size += len(piece)
            if size > page_limits.MOST_UPLOADED:
                raise _refuse_size()
            yield piece


def _refuse_size() -> TooLarge:
    most = page_limits.MOST_UPLOADED // 1_000_000
    return TooLarge(
        f"The upload is larger than {most} MB.",
        "Leave out columns that are not needed, or use the command line, which takes more.",
    )
