"""The shortest selector for a slot, in the paper's order: its id, else its class, else its path."""

from collections.abc import Sequence

from bonmun.sites.selectors import Selector, Step
from bonmun.sites.slots import SlotTree

_LANDMARKS = ("body", "main")


def selector_of(tree: SlotTree, slot: int, kept: Sequence[bool] | None = None) -> Selector:
    """The shortest selector that names a slot.

    With `kept`, the state of every slot, it may name others too that share the slot's state; without, only this one.
    """
    steps: list[Step] = []
    at = slot
    while at > 0:
        short = stands_alone(tree, at, kept if at == slot else None)
        if short is not None:
            steps.append(short)
            break
        steps.append(tree.steps[at])
        at = tree.parent[at]
    return Selector(tuple(reversed(steps)), (True,) * (len(steps) - 1))


def stands_alone(tree: SlotTree, slot: int, kept: Sequence[bool] | None = None) -> Step | None:
    """One step that names a slot without any step before it, if there is one."""
    for short in short_steps(tree.steps[slot]):
        others = tree.matching(short)
        if others == [slot] or (kept is not None and all(kept[other] == kept[slot] for other in others)):
            return short
    return None


def positional(tree: SlotTree) -> list[bool]:
    """For each slot whether its selector counts siblings: such a one holds on pages of one make only."""
    found = [False] * len(tree)
    for slot in range(1, len(tree)):
        step = tree.steps[slot]
        found[slot] = bool(step.place) or (not step.id and not step.classes and found[tree.parent[slot]])
    return found


def short_steps(step: Step) -> list[Step]:
    """Ways to name an element by itself, the best first."""
    short = [Step(id=step.id)] if step.id else []
    short += [Step(step.tag, classes=(name,)) for name in step.classes]
    if len(step.classes) > 1:
        short.append(Step(step.tag, classes=step.classes))
    if step.tag in _LANDMARKS:
        short.append(Step(step.tag))
    return short
