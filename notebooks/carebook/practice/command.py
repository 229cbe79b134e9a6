"""The ``practice`` subcommand of ``python -m carebook``."""

import argparse
from pathlib import Path

from carebook.practice.banks import BankError, check_banks, data_folder, read_banks
from carebook.practice.corpus import Corpus, make_corpus
from carebook.practice.worlds import WorldError, world_names
from carebook.practice.write import NotOurs, write_bundled, write_corpus

BUNDLED_SEED = 20260517


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand to a parser."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("out", nargs="?", metavar="OUT", help="folder to write the corpus to")
    what.add_argument(
        "--check-banks", action="store_true", help="say what is wrong with the text banks"
    )
    what.add_argument(
        "--bundled", action="store_true", help="make the copy that comes with the package again"
    )
    parser.add_argument("--seed", type=int, default=1, help="decides every draw (default 1)")
    parser.add_argument(
        "--world", default="default", help=f"one of: {', '.join(world_names())}; or a .toml file"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace a practice corpus of another world or seed"
    )
    parser.add_argument("--narratives", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--conversations", type=int, default=18, help="how many (default 18)")


def main(args: argparse.Namespace) -> int:
    """Run the subcommand and return the exit status."""
    if args.check_banks:
        return _check()
    try:
        if args.bundled:
            corpus = make_corpus(BUNDLED_SEED)
            paths = write_bundled(corpus, data_folder() / "practice")
        else:
            corpus = make_corpus(args.seed, args.world, args.narratives, args.conversations)
            paths = write_corpus(corpus, Path(args.out), args.force)
    except OSError as error:
        where = error.filename or args.out
        print(f"{where}: nothing more could be written ({error.strerror}). Name another folder.")
        return 1
    except (BankError, WorldError, NotOurs, ValueError) as error:
        print(error)
        return 1
    print(_said(corpus, paths))
    return 0


def _said(corpus: Corpus, paths: list[Path]) -> str:
    readers = {record["participant_id"] for record in corpus.third_person}
    writers = {record["participant_id"] for record in corpus.first_person}
    messages = {(row["conversation_id"], row["message_id"]) for row in corpus.imbue}
    lines = [f"Wrote {path}" for path in paths]
    lines += [
        f"{len(corpus.first_person)} narratives by {len(writers)} invented people, "
        f"{len(corpus.third_person)} observations by {len(readers)}; "
        f"{len(messages)} messages judged in {len(corpus.imbue)} rows.",
        f"World {corpus.truth['world']}, seed {corpus.truth['seed']}. "
        "All of it is synthetic: made by a program, about nobody.",
    ]
    return "\n".join(lines)


def _check() -> int:
    problems = check_banks()
    for problem in problems:
        print(problem)
    faults = sum(problem.fault for problem in problems)
    if faults:
        print(f"{faults} faults to mend, {len(problems) - faults} notes on style.")
        return 1
    banks = read_banks()
    walks = len({situation.walk for situation in banks.situations})
    print(
        f"All is well: {len(banks.situations)} situations from {walks} walks of life and "
        f"{len(banks.conversations)} conversations can be used"
        + (f" ({len(problems)} notes on style above)." if problems else ".")
    )
    return 0
