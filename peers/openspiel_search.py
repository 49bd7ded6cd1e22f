"""Lets OpenSpiel's tree search, written in C++, think about an initial state for some CPU time.

usage: openspiel_search.py GAME SECONDS SEED SIMULATIONS EXPLORATION

Every search begins with an empty tree, makes SIMULATIONS simulations and evaluates each leaf by one
random game. Prints one line of JSON: how many simulations, in how many CPU seconds.
"""

import json
import sys
import time

import pyspiel

MEGABYTES = 4000  # More than any of the searches takes, so that it never has to tidy up.


def think(game, seed, simulations, exploration):
    """Searches once, and returns the CPU time that it took."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        exploration,
        simulations,
        MEGABYTES,
        False,  # no solver
        seed,
        False,  # not verbose
    )
    root = game.new_initial_state()
    begin = time.process_time()
    bot.mcts_search(root)
    return time.process_time() - begin


def main():
    name, seconds, seed, simulations, exploration = sys.argv[1:]
    game, seed, simulations = pyspiel.load_game(name), int(seed), int(simulations)
    think(game, seed, 10, float(exploration))  # The first search prepares what later ones have.
    searches, spent = 0, 0.0
    while searches == 0 or spent < float(seconds):
        spent += think(game, seed + searches, simulations, float(exploration))
        searches += 1
    print(json.dumps({"simulations": searches * simulations, "seconds": spent}))


if __name__ == "__main__":
    main()
