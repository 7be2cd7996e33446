"""The shortest selector of a slot, in the paper's order: by id, else by class, else by path."""

from collections.abc import Sequence

from bonmun.sites.selectors import Selector, Step
from bonmun.sites.slots import SlotTree

_LANDMARKS = ("body", "main")


class SlotStates:
    """The state of every slot, kept or dropped, and the common state of all slots that a step matches."""

    def __init__(self, tree: SlotTree, kept: Sequence[bool]) -> None:
        self._tree, self.kept = tree, kept
        self._common: dict[Step, bool | None] = {}

    def common(self, step: Step) -> bool | None:
        """The state of all slots that a step matches; `None` if they differ."""
        if step not in self._common:
            states = {self.kept[slot] for slot in self._tree.matching(step)}
            self._common[step] = states.pop() if len(states) == 1 else None
        return self._common[step]


def selector_of(tree: SlotTree, slot: int, states: SlotStates | None = None) -> Selector:
    """Return the shortest selector of a slot.

    It matches this slot only; with `states`, it may also match slots of the same state.
    """
    steps: list[Step] = []
    ancestor = slot
    while ancestor > 0:
        short = unique_step(tree, ancestor, states if ancestor == slot else None)
        if short is not None:
            steps.append(short)
            break
        steps.append(tree.steps[ancestor])
        ancestor = tree.parent[ancestor]
    return Selector(tuple(reversed(steps)), (True,) * (len(steps) - 1))


def unique_step(tree: SlotTree, slot: int, states: SlotStates | None = None) -> Step | None:
    """Return a single step that selects a slot, `None` if there is none."""
    for short in short_steps(tree.steps[slot]):
        if tree.matching(short) == [slot] or (states is not None and states.common(short) is states.kept[slot]):
            return short
    return None


def positional(tree: SlotTree) -> list[bool]:
    """Return, for each slot, whether its selector depends on positions: these hold for one template only."""
    counted = [False] * len(tree)
    for slot in range(1, len(tree)):
        step = tree.steps[slot]
        counted[slot] = bool(step.place) or (not step.id and not step.classes and counted[tree.parent[slot]])
    return counted


def short_steps(step: Step) -> list[Step]:
    """Return the single steps that may select an element, the best first."""
    short = [Step(id=step.id)] if step.id else []
    short += [Step(step.tag, classes=(name,)) for name in step.classes]
    if len(step.classes) > 1:
        short.append(Step(step.tag, classes=step.classes))
    if step.tag in _LANDMARKS:
        short.append(Step(step.tag))
    return short
