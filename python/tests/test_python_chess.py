"""A second opinion: python-chess on the same collection.

The collection is BOARDPRINT_PGN, else the PGN of the corpus; the test says which.
"""

import io
import os

import pytest

import boardprint as bp

chess = pytest.importorskip("chess", reason="python-chess is not installed: no second opinion")
import chess.pgn  # noqa: E402


def as_text(collection):
    if collection.endswith(".zst"):
        zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
        with open(collection, "rb") as file:
            data = zstandard.ZstdDecompressor().stream_reader(file).read()
    else:
        with open(collection, "rb") as file:
            data = file.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def cpn(board):
    """The CPN of a Western position, written from the rules of the notation."""
    cells = []
    for rank in range(7, -1, -1):
        for file in range(8):
            piece = board.piece_at(chess.square(file, rank))
            if piece is None:
                cells.append("")
                continue
            royal = "^" if piece.piece_type == chess.KING else ""
            cells.append(f"{'W' if piece.color else 'w'}:{royal}{piece.symbol()}")
    return f"{'B' if board.turn else 't'}--8,8--{','.join(cells)}--"


def test_same_moves_positions_and_legal_moves(collection):
    limit = int(os.environ.get("BOARDPRINT_PGN_GAMES", "1500"))
    text = io.StringIO(as_text(collection))
    games = positions = 0
    for ours in bp.open(collection, errors="skip"):
        theirs = chess.pgn.read_game(text)
        if games == limit:
            break
        assert theirs is not None
        if theirs.errors:
            continue
        if theirs.headers.get("Variant") or theirs.headers.get("FEN"):
            continue
        board, moves = theirs.board(), []
        seen = ours.positions()
        assert next(seen).cpn == cpn(board)
        for move in theirs.mainline_moves():
            # Every 16th position: legal moves are slow there.
            if positions % 16 == 0:
                legal = sorted(ours.legal_moves(len(moves)))
                assert legal == sorted(step.uci() for step in board.legal_moves)
            moves.append(move.uci())
            board.push(move)
            here = next(seen)
            assert here.cpn == cpn(board), (ours.record, here.ply)
            if positions % 16 == 0:
                assert here.fen.split()[:3] == board.fen().split()[:3]
                assert here.fen.split()[4:] == board.fen().split()[4:]
            positions += 1
        assert ours.moves == moves, ours.record
        assert (ours.result or "*") == theirs.headers.get("Result", "*"), ours.record
        games += 1
    print(f"{games} games, {positions} positions of {collection} agree with python-chess")
    assert games > 0
