"""Lets OpenSpiel's tree search, written in C++, play one game, as it is told line by line.

usage: openspiel_bot.py GAME SEED EXPLORATION

A line of the input is a command, and each is answered by one line of JSON:

  look            the position: player, legal, terminal, returns
  play MOVE       makes a move of whoever is to move, and answers as `look` does
  think SECONDS   searches for so long by the clock, and answers: move, simulations, seconds

The search has one random game a leaf and the solver, as OpenSpiel's own example has. It looks at the
clock after every simulation, and stops before the time is over only if the position is solved.
"""

import json
import sys
import time

import pyspiel

MEGABYTES = 4000
SIMULATIONS = 1_000_000_000  # The clock counts, not they.


def think(game, state, seconds, seed, exploration):
    """The move that the search thinks best, after how many simulations and seconds."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        exploration,
        SIMULATIONS,
        MEGABYTES,
        True,  # solver
        seed,
        False,  # not verbose
        pyspiel.ChildSelectionPolicy.UCT,
        seconds,
    )
    begin = time.perf_counter()
    root = bot.mcts_search(state)
    spent = time.perf_counter() - begin
    move = state.action_to_string(root.best_child().action)
    return {"move": move, "simulations": root.explore_count, "seconds": spent}


def look(state):
    """What there is to know about a position."""
    over = state.is_terminal()
    return {
        "player": None if over else state.current_player(),
        "legal": [] if over else [state.action_to_string(a) for a in state.legal_actions()],
        "terminal": over,
        "returns": state.returns(),
    }


def main():
    name, seed, exploration = sys.argv[1:]
    game, seed = pyspiel.load_game(name), int(seed)
    state = game.new_initial_state()
    for line in sys.stdin:
        command, _, argument = line.strip().partition(" ")
        if command == "look":
            answer = look(state)
        elif command == "play":
            state.apply_action(state.string_to_action(argument))
            answer = look(state)
        elif command == "think":
            seed += 1
            answer = think(game, state, float(argument), seed, float(exploration))
        else:
            sys.exit(f"unknown command: {command}")
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
