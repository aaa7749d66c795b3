"""What to read: paths, patterns, folders, bytes."""

from __future__ import annotations

import glob
import os
from typing import Any, List, Union


def expand(sources: Any) -> List[Union[str, bytes]]:
    """Turn sources into a list of paths and bytes.

    A source is a path or a pattern such as ``*.pgn.zst`` (a str or os.PathLike), the
    content of a file (bytes), or an iterable of these. A path that exists is never a
    pattern. Patterns are expanded in the order of names.
    """
    if isinstance(sources, (str, bytes, bytearray, memoryview, os.PathLike)):
        sources = [sources]
    try:
        sources = list(sources)
    except TypeError:
        raise TypeError(
            f"expected a path, bytes, or several of them, not {type(sources).__name__}"
        ) from None
    found: List[Union[str, bytes]] = []
    for source in sources:
        if isinstance(source, (bytes, bytearray, memoryview)):
            found.append(bytes(source))
            continue
        path = os.fspath(source)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if os.path.exists(path):
            found.append(path)
            continue
        matches = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []
        if not matches:
            raise FileNotFoundError(2, "No such file or directory", path)
        found.extend(matches)
    return found
