"""States: what every subject is asked about. Drawn once from one seed; the same numbers for every subject."""

from robodyn_check.states.batch import StateBatch
from robodyn_check.states.draw import draw_states
from robodyn_check.states.file import StatesOptions, options_from_json, states_from_json
from robodyn_check.states.mix import subset, subset_numbers

__all__ = [
    "StateBatch",
    "StatesOptions",
    "draw_states",
    "options_from_json",
    "states_from_json",
    "subset",
    "subset_numbers",
]
