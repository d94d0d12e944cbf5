"""Scales and bounds: how far a right answer may be from the truth, in units of eps, and nothing looser.

``scales(mechanism, states, mass_matrix)`` gives the size S of the terms that each quantity is summed from, per entry
and state; ``bound`` multiplies it with the measured factor K and the machine epsilon. The files, in order: `paths`
(what the tree fixes), `reach` (lengths at the states), `terms` and `sizes` (S of every quantity), `factors` (K),
`bounds`, and `digits` (the sharper figure against the local scale, never a verdict).
"""

from robodyn_check.tolerance.bounds import bound
from robodyn_check.tolerance.digits import digits_kept, local_scale
from robodyn_check.tolerance.factors import FACTORS, Factor, factor
from robodyn_check.tolerance.sizes import Scales, scales

__all__ = ["FACTORS", "Factor", "Scales", "bound", "digits_kept", "factor", "local_scale", "scales"]
