"""Lets OpenSpiel's AlphaZero (in Python, networks in JAX) play against itself for some time by the clock.

usage: openspiel_zero.py GAME SECONDS SEED SIMULATIONS MODEL WIDTH DEPTH ACTORS

ACTORS processes play at once, each with OpenSpiel's own model, evaluator, tree search and game loop, as its
actors do: a network with random weights, one position a call, each result kept in its evaluator's cache. There
is no learner, so that no checkpoint interrupts them. Networks are built with `nnx`, the faster of the two
interfaces on offer. Noise, temperature and exploration are those of its example.

All actors first play a short game, so that everything is compiled, and begin together. Each plays whole games
until the time is over. Prints one line of JSON: games, moves, simulations, calls of the network, seconds by the
clock (the mean over actors) and of CPU time (the sum), steps of training (none), parameters and versions.
"""

import importlib.metadata
import json
import logging
import multiprocessing
import os
import platform
import sys
import time
import warnings

EXPLORATION = 1.41
NOISE = (0.25, 1.0)  # Share and alpha of Dirichlet noise.
TEMPERATURE = 1.0
SAMPLED_MOVES = 2  # Moves of a game that are sampled; then the most visited is made.
# Networks want them, though nothing is learnt.
LEARNING = {"weight_decay": 1e-4, "learning_rate": 1e-3}
PACKAGES = ["open_spiel", "jax", "flax"]


class Silence:
    """A log that nobody reads."""

    def print(self, *_):
        pass

    opt_print = print


def play_games(zero, game, model, simulations, seed, seconds):
    """Plays until the time is over, at least one game; returns moves of games and calls of the network."""
    import numpy
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.algorithms.alpha_zero import evaluator

    numpy.random.seed(seed)
    network = evaluator.AlphaZeroEvaluator(game, model)
    bot = mcts.MCTSBot(
        game,
        EXPLORATION,
        simulations,
        network,
        solve=False,
        random_state=numpy.random.RandomState(seed),
        child_selection_fn=mcts.SearchNode.puct_value,
        dirichlet_noise=NOISE,
        dont_return_chance_node=True,
    )
    lengths, begin = [], time.perf_counter()
    while not lengths or time.perf_counter() - begin < seconds:
        number = len(lengths) + 1
        played = zero._play_game(Silence(), number, game, [bot, bot], TEMPERATURE, SAMPLED_MOVES)
        lengths.append(len(played.states))
    return lengths, network.cache_info().misses


def act(settings, number, together, answers):
    """An actor: prepares everything, waits for the others, plays, and answers."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    import pyspiel
    from open_spiel.python.algorithms.alpha_zero import alpha_zero as zero
    from open_spiel.python.algorithms.alpha_zero import utils

    name, seconds, seed, simulations, kind, width, depth = settings
    game = pyspiel.load_game(name)
    shape, moves = game.observation_tensor_shape(), game.num_distinct_actions()
    build = utils.api_selector("nnx").Model.build_model
    model = build(kind, shape, moves, width, depth, path=None, **LEARNING)
    play_games(zero, game, model, 2, seed, 0)
    together.wait()
    begin, cpu = time.perf_counter(), time.process_time()
    lengths, calls = play_games(zero, game, model, simulations, seed + number, seconds)
    answer = {
        "games": len(lengths),
        "moves": sum(lengths),
        "simulations": simulations * sum(lengths),
        "calls": calls,
        "seconds": time.perf_counter() - begin,
        "cpu_seconds": time.process_time() - cpu,
        "parameters": int(model.num_trainable_variables),
    }
    answers.put(answer)


def versions():
    """The versions of everything that takes the time."""
    installed = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    return ", ".join([*installed, f"Python {platform.python_version()}"])


def main():
    name, seconds, seed, simulations, kind, width, depth, actors = sys.argv[1:]
    numbers = [int(simulations), kind, int(width), int(depth)]
    settings, actors = [name, float(seconds), int(seed), *numbers], int(actors)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    spawn = multiprocessing.get_context("spawn")  # JAX has threads, which do not survive a fork.
    together, answers = spawn.Barrier(actors, timeout=600), spawn.Queue()
    arguments = [(settings, number, together, answers) for number in range(actors)]
    jobs = [spawn.Process(target=act, args=those) for those in arguments]
    for job in jobs:
        job.start()
    for job in jobs:
        # What an actor has answered stays in the pipe: it is less than the pipe holds.
        job.join()
    if any(job.exitcode for job in jobs):
        sys.exit("an actor has failed")
    got = [answers.get() for _ in jobs]
    total = {key: sum(answer[key] for answer in got) for key in got[0]}
    total["seconds"] /= actors
    total["parameters"] //= actors
    print(json.dumps({**total, "actors": actors, "steps": 0, "versions": versions()}))


if __name__ == "__main__":
    main()
