"""Where the instructions of a delivery went: by module, and the dearest functions; and the program's functions by use."""
from __future__ import annotations

import modules
from callgrind import Function, Profile
from delivery import Work

TOP = 60
PROGRAM = "tour-chat"


def profile(works: dict[str, Work]) -> str:
    return "\n\n".join(part for name, work in works.items() for part in _parts(name, work)) + "\n"


def order(works: dict[str, Work]) -> str:
    """The program's functions that a node calls while it runs, one symbol a line: first those of a delivery, the
    dearest first, then those of a quiet node."""
    delivering, quiet = (_symbols([profile(work) for work in works.values()])
                         for profile in (lambda work: work.profile, lambda work: work.quiet))
    names = delivering + [name for name in quiet if name not in set(delivering)]
    return "".join(f"{name}\n" for name in names)


def _symbols(profiles: list[Profile]) -> list[str]:
    costs: dict[str, int] = {}
    for (place, symbol), cost in (item for profile in profiles for item in profile.own.items()):
        # One without a symbol has its address there.
        if place == PROGRAM and cost > 0 and not symbol.startswith("0x"):
            costs[symbol] = costs.get(symbol, 0) + cost
    return sorted(costs, key=lambda symbol: (-costs[symbol], symbol))


def _parts(name: str, work: Work) -> list[str]:
    found, each = work.profile, work.messages
    head = (f"THE NODE THAT {name.upper()}: {work.instructions:,.0f} instructions a message ({each} messages in "
            f"{work.seconds:.1f} s; idle, {work.idle_rate:,.0f} a second, is taken off here, but not below)")
    inclusive = found.inclusive()
    ours = {function: cost for function, cost in inclusive.items() if modules.module_of(function).startswith("Tour")}
    return [head, _modules(found, each), _functions("exclusive: its own instructions", found, dict(found.own), each),
            _functions("inclusive, of this program's modules: with all that they call", found, ours, each),
            _functions("inclusive, of all", found, inclusive, each)]


def _modules(found: Profile, each: int) -> str:
    own, charged = modules.by_module(found.own), modules.charged(found)
    lines = [f"{'module':38} {'own':>12} {'%':>6} {'with libraries':>15} {'%':>6}"]
    for name in sorted(own | charged, key=lambda name: (-charged.get(name, 0), -own.get(name, 0))):
        mine, all_of_it = own.get(name, 0), charged.get(name, 0)
        lines.append(f"{name:38} {mine / each:12,.0f} {100 * mine / found.total:6.2f} "
                     f"{all_of_it / each:15,.0f} {100 * all_of_it / found.total:6.2f}")
    return "\n".join(lines)


def _functions(what: str, found: Profile, costs: dict[Function, int], each: int) -> str:
    top = sorted(costs, key=lambda function: -costs[function])[:TOP]
    lines = [f"{what}\n{'instructions':>13} {'%':>6}  {'module':22} function"]
    for function, symbol in zip(top, modules.readable([symbol for _, symbol in top])):
        lines.append(f"{costs[function] / each:13,.0f} {100 * costs[function] / found.total:6.2f}  "
                     f"{modules.module_of(function):22} {symbol}")
    return "\n".join(lines)
