"""Games, positions, streams and errors."""

import pickle
import threading

import pytest

import boardprint as bp


def test_indexing_is_that_of_a_list():
    game = bp.read("1. e4 e5 2. Nf3")
    assert len(game) == 4 and game[-1].ply == 3 and game[0].ply == 0
    assert [position.ply for position in game[1:3]] == [1, 2]
    assert [position.ply for position in game[::-1]] == [3, 2, 1, 0]
    for wrong in (4, -5):
        with pytest.raises(IndexError):
            game[wrong]
    with pytest.raises(TypeError):
        game["e4"]


@pytest.mark.parametrize("plies", [0, 1, 31, 32, 33, 64, 65, 1000])
def test_positions_are_those_of_indexing(plies):
    moves = "|".join("1,1>1,2" if ply % 2 == 0 else "1,2>1,1" for ply in range(plies))
    # Both moves are of the white king; replay does not ask for turns.
    game = bp.read(f"K1,1|k9,9 {moves}".strip(), format="icn")
    found = [(position.ply, position.hash, position.last_move) for position in game]
    assert [ply for ply, _, _ in found] == list(range(plies + 1))
    assert [hash for _, hash, _ in found] == game.hashes()
    assert [move for _, _, move in found[1:]] == game.moves


def test_a_game_that_breaks_off_raises_once():
    game = bp.read("K1,1|k9,9 1,1>1,2|5,5>5,6", format="icn")
    positions = iter(game)
    with pytest.raises(bp.SyntaxError) as caught:
        list(positions)
    assert caught.value.kind == "empty-square"
    assert list(positions) == []


def test_equal_games_and_positions():
    one, other = bp.read("1. e4 {best} e5 *"), bp.read('[White "Ann"]\n\n1.e4 e5')
    assert one == other and hash(one) == hash(other) and one != bp.read("1. d4")
    assert bp.read("1. e4 e5 2. Nf3")[-1] == bp.read("1. Nf3 e5 2. e4")[-1]
    assert one != "1. e4 e5" and one[0] != 0
    assert len({bp.read("1. e4")[0], bp.read("1. d4")[0]}) == 1


def test_forms():
    western = bp.read("1. e4")[1]
    assert western.fen.startswith("rnbqkbnr/") and western.sfen is None
    # Western chess stands on the open board, too.
    assert western.icn.startswith("b 0/100 (8|1) r1,8+|")
    with pytest.raises(bp.SyntaxError) as caught:
        western.convert("sfen")
    assert caught.value.kind == "no-such-form"
    infinite = bp.read("K5,1|k5,99 5,1>5,2")
    assert infinite[1].fen is None and infinite[1].icn == "b k5,99|K5,2"
    assert infinite.convert("icn", style="readable") != infinite.convert("icn")


def test_a_form_of_one_position_has_the_last_one():
    western = bp.read("1. e4 e5")
    assert western.convert("fen") == western[-1].fen != western[0].fen
    assert western.convert("cpn") == western[-1].cpn
    assert " e5" in western.convert("pgn")
    shogi = bp.read("position startpos moves 7g7f 3c3d", format="usi")
    assert shogi.convert("sfen") == shogi[-1].sfen and shogi.convert("json") == shogi[-1].convert("json")
    assert shogi.convert("usi").endswith("7g7f 3c3d")


def test_pictures():
    game = bp.read("1. e4 e5")
    assert game._repr_svg_() == game[-1]._repr_svg_() == game[2].svg()
    assert game[2].svg(theme="dark") != game[2].svg() != game[2].svg(flip=True)
    assert 'width="300"' in game[2].svg(width=300)
    far = bp.read("K0,0|k1000000000000000,5")[0]
    assert far.svg(window="-2,-2,2,2").startswith("<svg")
    with pytest.raises(ValueError, match="theme must be"):
        far.svg(theme="pink")
    with pytest.raises(ValueError, match="window"):
        far.svg(window="here")
    assert "♔" in str(far) or "K" in str(far)


def test_errors_say_where_and_what_to_do():
    with pytest.raises(bp.SyntaxError) as caught:
        bp.read("1. e4 e5 2. Ke3")
    error = caught.value
    assert isinstance(error, ValueError) and error.kind == "illegal-move"
    assert (error.line, error.column, error.source) == (1, 13, None)
    assert str(error).startswith("1:13: ")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.kind, again.hint) == (str(error), error.kind, error.hint)


def test_wrong_arguments_are_pythons_own_errors():
    with pytest.raises(TypeError):
        bp.read(5)
    with pytest.raises(ValueError, match="format must be"):
        bp.read("1. e4", format="doc")
    with pytest.raises(ValueError, match="errors must be"):
        bp.open(b"1. e4", errors="ignore")
    with pytest.raises(TypeError):
        bp.open(5)
    with pytest.raises(FileNotFoundError):
        bp.open("no such file.pgn")
    with pytest.raises(FileNotFoundError):
        bp.open("no such*.pgn")
    with pytest.raises(FileNotFoundError):
        bp.Database("no such.db")
    with pytest.raises(IndexError):
        bp.cph("1. e4", ply=2)


BAD = b"1. e4 e5 *\n\n[White \"x\"]\n\n1. e4 Ke5 *\n\n[White \"y\"]\n\n1. d4 *\n"


def test_bad_records_raise_and_the_rest_goes_on():
    games = bp.open(BAD, format="pgn")
    assert next(games).plies == 2
    with pytest.raises(bp.SyntaxError) as caught:
        next(games)
    assert (caught.value.source, caught.value.record, caught.value.line) == ("<bytes>", 2, 5)
    assert next(games).tags == {"White": "y"}
    assert list(games) == []


def test_bad_records_are_collected_or_skipped():
    collected = bp.open(BAD, format="pgn", errors="collect")
    assert [game.record for game in collected] == [1, 3]
    assert [error.record for error in collected.errors] == [2] and collected.skipped == 1
    skipped = bp.open(BAD, format="pgn", errors="skip")
    assert len(list(skipped)) == 2 and skipped.errors == [] and skipped.skipped == 1


def test_sources(tmp_path):
    for name, text in [("b.pgn", "1. d4 *"), ("a.pgn", "1. e4 e5 *"), ("c.icn", "K1,1|k1,9")]:
        (tmp_path / name).write_text(text)
    assert [game.plies for game in bp.open(str(tmp_path / "*.pgn"))] == [2, 1]
    assert [game.plies for game in bp.open(tmp_path)] == [2, 1, 0]
    assert [game.kind for game in bp.open([tmp_path / "c.icn", b"1. e4"])] == ["infinite", "western"]
    odd = tmp_path / "[x].pgn"
    odd.write_text("1. e4 *")
    assert len(list(bp.open(odd))) == 1


def test_a_closed_reader_reads_nothing(openings):
    with bp.open(openings) as games:
        first = next(games)
        assert (first.source, first.record, first.line) == (openings, 1, 1)
        assert first.text.startswith("[Event")
    assert list(games) == []


def test_other_threads_run_while_work_is_done(openings):
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1

    text = open(openings).read()
    worker = threading.Thread(target=tick)
    worker.start()
    try:
        report = bp.dedup([text.encode() * 2000]).run()
    finally:
        stop.set()
        worker.join()
    assert report.kept == 3 and ticks[0] > 0


def test_streaming_is_iteration_in_several_threads(openings):
    games = bp.open([openings] * 200)
    found, lock = [], threading.Lock()

    def take():
        for game in games:
            with lock:
                found.append(game.hash)

    workers = [threading.Thread(target=take) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 600 and len(set(found)) == 3
