"""The calls of lichess with a client of lichess: PyPI's berserk, told another address.

run.sh installs it into a folder of its own and runs this against a server that has the games of data/.
"""

import os
import sys

import berserk

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER = "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2"


def main() -> None:
    client = berserk.Client(explorer_url=os.environ["BOARDPRINT_URL"])
    explorer = client.opening_explorer

    answer = explorer.get_masters_games(position=START)
    assert (answer["white"], answer["draws"], answer["black"]) == (5, 3, 4), answer
    assert answer["moves"][0]["uci"] == "e2e4", answer
    assert answer["opening"] is None, answer

    answer = explorer.get_masters_games(position=START, play=["d2d4", "d7d5", "c2c4"], since=2022, top_games=2)
    assert sorted(move["san"] for move in answer["moves"]) == ["c6", "e6"], answer

    answer = explorer.get_lichess_games(position=AFTER, speeds=["blitz"], ratings=["2000"], moves=1)
    assert len(answer["moves"]) == 1, answer
    assert {game["white"]["name"] for game in answer["topGames"]} == {"Bo", "Finn"}, answer

    answer = explorer.get_player_games(player="Ada", color="white", position=START)
    assert (answer["white"], answer["draws"], answer["black"]) == (2, 0, 0), answer

    game = explorer.get_otb_master_game(answer["topGames"][0]["id"])
    assert '[White "Ada"]' in game, game
    print(f"berserk {berserk.__version__}: all calls answered")


if __name__ == "__main__":
    sys.exit(main())
