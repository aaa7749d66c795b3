"""The same answers as the vectors of the corpus."""

import hashlib

import pytest
from conftest import rows

import boardprint as bp


def test_icn():
    read = refused = 0
    for row in rows("icn/icn.jsonl"):
        text = row["icn"]
        if row["verdict"] == "error":
            with pytest.raises(bp.SyntaxError) as caught:
                bp.read(text, format="icn")
            assert [caught.value.line, caught.value.column] == row["error_at"], row["name"]
            refused += 1
            continue
        assert bp.canon(text, format="icn") == row["canonical"], row["name"]
        kinds = {note.kind for note in bp.warnings(text, format="icn")}
        assert kinds == set(row["warnings"]), row["name"]
        if row["cph"]:
            assert bp.cph(text, ply=0, format="icn") == row["cph"], row["name"]
        read += 1
    assert read > 200 and refused > 50


def test_equal_texts_are_one_game():
    for row in rows("icn/icn-equal.jsonl"):
        hashes = {bp.read(text, format="icn").hash for text in row["texts"]}
        assert (len(hashes) == 1) == row["equal"], row["group"]


def test_identity():
    for row in rows("identity/identity.jsonl"):
        position = bp.read(row["icn"], format="icn")[0]
        assert (position.cpn, position.hash) == (row["cpn"], row["cph"]), row["name"]


def test_replay():
    for row in rows("replay/replay.jsonl"):
        game = bp.read(row["icn"], format="icn")
        expected = row["cph"]
        assert game.hashes() == expected, row["id"]
        assert [position.hash for position in game] == expected, row["id"]


def test_cpn():
    for row in rows("cpn/cpn.jsonl"):
        if row["valid"] and row.get("rev") == "2015":
            assert hashlib.sha1(row["cpn"].encode()).hexdigest() == row["cph"]
            assert bp.cph(row["cpn"], format="cpn") == row["cph"], row["name"]


def test_fen():
    for row in rows("fen/fen.jsonl"):
        shogi = row["variant"] == "shogi" and row["fen"].count(" ") == 3
        position = bp.read(row["fen"], format="sfen" if shogi and "[" not in row["fen"] else "fen", game=row["variant"])
        assert (position[0].cpn, position[0].hash) == (row["cpn"], row["cph"]), row["name"]


def test_western_games():
    played = 0
    for row in rows("finite/finite-games.jsonl"):
        if row["game"] != "western":
            continue
        game = bp.read(row["pgn"], format="pgn")
        assert game.moves == row["uci"], row["name"]
        assert game.hashes() == row["cph"], row["name"]
        assert [len(game.legal_moves(ply)) for ply in range(game.plies)] == row["legal"], row["name"]
        played += 1
    assert played == 24


def test_legal_moves():
    for row in rows("finite/finite-moves.jsonl"):
        if row["game"] == "western":
            assert sorted(bp.read(row["fen"], format="fen").legal_moves()) == sorted(row["uci"]), row["name"]
