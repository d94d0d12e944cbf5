"""A library's answers in canonical coordinates, and the questions in the library's: the one place that converts.

With v = T v' between the library's velocities v and canonical ones v' (`velocity_map`):

    M' = Tᵀ M T          C' = Tᵀ (C T + M Ṫ)       h' = Tᵀ (h + M Ṫ v')      g' = Tᵀ g
    J' = J T             a' = T⁻¹ (a - Ṫ v')       tau' = Tᵀ tau             Y' = Tᵀ Y, columns by `regressor_map`

Everything is vectorised over states, the first axis. Where M is needed, it is the library's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.quantities import QUANTITIES
from robodyn_check.sdk.regressor_map import canonical_columns
from robodyn_check.sdk.velocity_map import Block, LayoutMismatch, VelocityMap

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from robodyn_check.sdk.canonical import Canonical
    from robodyn_check.sdk.layout import Layout

    FloatArray = npt.NDArray[np.float64]

#: Quantities whose conversion needs the library's own M when a joint's velocity is held in another frame.
NEED_MASS_MATRIX = ("bias_force", "coriolis_force", "coriolis_matrix")


def raw_shape(quantity: str, layout: Layout) -> tuple[int, ...]:
    """Return the shape of one state's value as the library gives it.

    Raises:
        LayoutMismatch: A regressor without a layout of its columns.
    """
    if quantity == "joint_torque_regressor":
        if layout.regressor is None:
            raise LayoutMismatch("joint_torque_regressor is offered, but load() returned no Layout.regressor")
        return (layout.nv, 10 * len(layout.regressor.bodies))
    sizes = {"nq": layout.nq, "nv": layout.nv, "nl": len(layout.links)}
    return tuple(sizes[symbol] if symbol in sizes else int(symbol) for symbol in QUANTITIES[quantity].shape)


class Conventions:
    """Converts for one library and one robot."""

    def __init__(self, layout: Layout, canonical: Canonical) -> None:
        """Match joints and links by name.

        Raises:
            LayoutMismatch: The library's joints or links are not those of the file.
        """
        names = [link.name for link in canonical.links]
        unknown = [name for name in layout.links if name not in names]
        if unknown or len(set(layout.links)) != len(layout.links):
            message = f"the library answers for links {unknown or layout.links}, the file has {names}"
            raise LayoutMismatch(message)
        self.layout = layout
        self.canonical = canonical
        self._map = VelocityMap(layout, canonical)
        self._link_rows = np.array([names.index(name) for name in layout.links], dtype=np.intp)
        #: links of the file that the library does not hold, by number
        self.absent_links = tuple(number for number, name in enumerate(names) if name not in layout.links)

    def inputs(self, given: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return the library's inputs of canonical ones, by name (q, v, a, tau)."""
        q = given["q"]
        out = {"q": self._map.positions(q)}
        if "v" in given:
            out["v"] = self._map.velocities(q, given["v"])
        if "a" in given:
            out["a"] = self._map.accelerations(q, given["v"], given["a"])
        if "tau" in given:
            out["tau"] = self._map.forces(q, given["tau"])
        return out

    def needs_mass_matrix(self, quantity: str) -> bool:
        """Tell whether `answer` needs the library's M at the same states."""
        if quantity not in NEED_MASS_MATRIX:
            return False
        # One made-up state shows which blocks this layout has: they do not depend on the state.
        q = np.zeros((1, self.canonical.nq))
        for joint in self.canonical.joints:
            if joint.kind in {"ball", "floating"}:
                q[0, joint.q + joint.nq - 1] = 1.0
        blocks = self._map.blocks(q)
        return bool(blocks) if quantity == "coriolis_matrix" else any(block.linear for block in blocks)

    def answer(  # noqa: PLR0911 - one return per shape of quantity
        self,
        quantity: str,
        raw: FloatArray,
        given: Mapping[str, FloatArray],
        *,
        mass_matrix: FloatArray | None = None,
    ) -> FloatArray:
        """Return the canonical value of the library's raw one.

        Args:
            quantity: A name of `QUANTITIES`.
            raw: The library's values, (N, *raw_shape).
            given: The canonical inputs at which it was asked.
            mass_matrix: The library's own raw M there, (N, nv, nv), where `needs_mass_matrix` says so.

        Returns:
            Canonical values, (N, *shape); rows of `absent_links` hold NaN; eliminated mimic joints have no entries.
        """
        if quantity in {"kinetic_energy", "potential_energy"}:
            return raw.copy()
        if quantity == "link_poses":
            return self._by_link(raw)
        blocks = self._map.blocks(given["q"], given.get("v"))
        place = self._map.place
        if quantity == "link_jacobians":
            J = raw[..., place]  # noqa: N806
            if self.layout.jacobian_rows == "angular_linear":
                J = J[:, :, [3, 4, 5, 0, 1, 2]]  # noqa: N806
            return self._by_link(_columns(J, blocks))
        if quantity == "mass_matrix":
            return _rows(_columns(raw[:, place][:, :, place], blocks), blocks)
        if quantity == "coriolis_matrix":
            M = None if mass_matrix is None else mass_matrix[:, place][:, :, place]  # noqa: N806
            return _rows(_coriolis(raw[:, place][:, :, place], M, blocks), blocks)
        if quantity == "joint_torque_regressor":
            assert self.layout.regressor is not None, "raw_shape checked"
            return canonical_columns(_rows(raw[:, place], blocks), self.layout.regressor, self.canonical)
        vector = raw[:, place]
        if quantity in {"bias_force", "coriolis_force"} and any(block.linear for block in blocks):
            assert mass_matrix is not None, "the caller asks for M where needs_mass_matrix says so"
            drift = self._drift(blocks, given["v"])
            vector += np.einsum("nij,nj->ni", mass_matrix[:, place][:, :, place], drift)
        elif quantity == "forward_dynamics" and blocks:
            vector -= self._drift(blocks, given["v"])
        return _rows(vector, blocks)  # T⁻¹ = Tᵀ for accelerations too

    def _drift(self, blocks: list[Block], v: FloatArray) -> FloatArray:
        """Return Ṫ v' in the library's components, kept order, (N, kept)."""
        kept = v[:, self._map.kept]
        out = np.zeros_like(kept)
        for block in blocks:
            out[:, block.columns] = np.einsum("nij,nj->ni", block.rate, kept[:, block.columns])
        return out

    def _by_link(self, values: FloatArray) -> FloatArray:
        """Move link rows (axis 1) to file order; links that the library does not hold stay NaN."""
        out = np.full((len(values), len(self.canonical.links), *values.shape[2:]), np.nan)
        out[:, self._link_rows] = values
        return out


def _columns(values: FloatArray, blocks: list[Block]) -> FloatArray:
    """Return X T on the last axis."""
    out = values.copy()
    for block in blocks:
        out[..., block.columns] = np.einsum("n...i,nij->n...j", out[..., block.columns], block.matrix)
    return out


def _rows(values: FloatArray, blocks: list[Block]) -> FloatArray:
    """Return Tᵀ X on axis 1."""
    out = values.copy()
    for block in blocks:
        out[:, block.columns] = np.einsum("nji,nj...->ni...", block.matrix, out[:, block.columns])
    return out


def _coriolis(C: FloatArray, M: FloatArray | None, blocks: list[Block]) -> FloatArray:  # noqa: N803
    """Return C T + M Ṫ."""
    out = _columns(C, blocks)
    for block in blocks:
        assert M is not None, "the caller asks for M where needs_mass_matrix says so"
        out[..., block.columns] += M[..., block.columns] @ block.rate
    return out
