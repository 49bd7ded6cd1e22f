"""Plays random games of OpenSpiel inside its C++ code for some CPU time.

usage: openspiel.py GAME SECONDS SEED LENGTHS

Prints one line of JSON: how many games, in how many CPU seconds, and the mean number of moves
of LENGTHS other random games, which are played from here because the C++ code does not tell.

A tree search with a single simulation does nothing but evaluate the root, and the evaluator
plays as many random games from there as it was made for.
"""

import json
import random
import sys
import time

import pyspiel


def rollouts(game, root, count, seed):
    """Plays random games in C++, and returns the CPU time that it took."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        1.4,  # how much it would explore
        1,  # simulations
        1000,  # megabytes
        False,  # no solver
        seed,
        False,  # not verbose
    )
    begin = time.process_time()
    bot.mcts_search(root)
    return time.process_time() - begin


def measure(game, seconds, seed):
    """Plays in growing chunks until the time is used up."""
    root = game.new_initial_state()
    rollouts(game, root, 1, seed)  # The first search prepares what later ones have.
    done, spent, chunk = 0, 0.0, 1
    while spent < 0.95 * seconds:
        seed += 1
        spent += rollouts(game, root, chunk, seed)
        done += chunk
        fitting = int(done * (seconds - spent) / max(spent, 1e-9))
        chunk = max(1, min(4 * chunk, fitting))
    return done, spent


def random_length(game, rng):
    """The number of moves of a random game; throws of dice are no moves."""
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(actions, weights)[0])
            continue
        state.apply_action(rng.choice(state.legal_actions()))
        moves += 1
    return moves


def main():
    name, seconds, seed, lengths = sys.argv[1:]
    game = pyspiel.load_game(name)
    playouts, spent = measure(game, float(seconds), int(seed))
    rng = random.Random(int(seed))
    moves = [random_length(game, rng) for _ in range(int(lengths))]
    mean = sum(moves) / len(moves) if moves else None
    print(json.dumps({"playouts": playouts, "seconds": spent, "mean_plies": mean}))


if __name__ == "__main__":
    main()
