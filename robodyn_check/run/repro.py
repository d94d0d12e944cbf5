"""A script that shows one wrong number with the library and NumPy alone, for those who maintain the library.

At most 40 lines, model and state inline. A library without a template here gets the command that asks it through its
adapter instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robodyn_check.run.shrinking import Case

MOST_LINES = 40
#: library -> lines that load MODEL and define ``set_state``; quantity -> the expression that computes it.
_PINOCCHIO = (
    "import pinocchio as pin",
    "",
    "with tempfile.NamedTemporaryFile('w', suffix='.{suffix}') as file:",
    "    file.write(MODEL)",
    "    file.flush()",
    "    model = pin.{loader}(file.name)",
    "model.gravity.linear = np.array({gravity})",
    "data = model.createData()",
    "q, v, a, tau = pin.neutral(model), *(np.zeros(model.nv) for _ in range(3))",
    "for name, (q_, v_, a_, tau_) in STATE.items():",
    "    joint = model.joints[model.getJointId(name)]",
    "    q[joint.idx_q : joint.idx_q + joint.nq] = q_ if joint.nq == 1 else [np.cos(q_), np.sin(q_)]",
    "    v[joint.idx_v], a[joint.idx_v], tau[joint.idx_v] = v_, a_, tau_",
    "print('pinocchio', pin.__version__)",
)
_MUJOCO = (
    "import mujoco",
    "",
    "spec = mujoco.MjSpec.from_string(MODEL)",
    "spec.compiler.fusestatic = False",
    "model = spec.compile()",
    "model.opt.gravity[:] = {gravity}",
    "data = mujoco.MjData(model)",
    "v, a, tau = data.qvel, np.zeros(model.nv), data.qfrc_applied",
    "for name, (q_, v_, a_, tau_) in STATE.items():",
    "    joint = model.joint(name)",
    "    data.qpos[joint.qposadr[0]], k = q_, joint.dofadr[0]",
    "    v[k], a[k], tau[k] = v_, a_, tau_",
    "mujoco.mj_forward(model, data)",
    "M = np.zeros((model.nv, model.nv))",
    "mujoco.mj_fullM(model, data, M)",
    "print('mujoco', mujoco.__version__)",
)
_DRAKE = (
    "from pydrake.multibody.parsing import Parser",
    "from pydrake.multibody.plant import MultibodyPlant",
    "from pydrake.multibody.tree import MultibodyForces",
    "",
    "plant = MultibodyPlant(time_step=0.0)",
    "(instance,) = Parser(plant).AddModelsFromString(MODEL, '{suffix}')",
    "{weld}",
    "plant.mutable_gravity_field().set_gravity_vector({gravity})",
    "plant.Finalize()",
    "context = plant.CreateDefaultContext()",
    "q, v, a, tau = np.zeros(plant.num_positions()), *(np.zeros(plant.num_velocities()) for _ in range(3))",
    "for name, (q_, v_, a_, tau_) in STATE.items():",
    "    joint = plant.GetJointByName(name)",
    "    q[joint.position_start()], k = q_, joint.velocity_start()",
    "    v[k], a[k], tau[k] = v_, a_, tau_",
    "plant.SetPositions(context, q)",
    "plant.SetVelocities(context, v)",
    "forces = MultibodyForces(plant)",
    "plant.CalcForceElementsContribution(context, forces)",
)
_TEMPLATES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "pinocchio": (
        _PINOCCHIO,
        {
            "mass_matrix": "pin.crba(model, data, q)",
            "coriolis_matrix": "pin.computeCoriolisMatrix(model, data, q, v)",
            "bias_force": "pin.nonLinearEffects(model, data, q, v)",
            "gravity_vector": "pin.computeGeneralizedGravity(model, data, q)",
            "inverse_dynamics": "pin.rnea(model, data, q, v, a)",
            "forward_dynamics": "pin.aba(model, data, q, v, tau)",
            "kinetic_energy": "pin.computeKineticEnergy(model, data, q, v)",
        },
    ),
    "mujoco": (
        _MUJOCO,
        {"mass_matrix": "M", "bias_force": "data.qfrc_bias", "forward_dynamics": "data.qacc"},
    ),
    "drake": (
        _DRAKE,
        {
            "mass_matrix": "plant.CalcMassMatrix(context)",
            "coriolis_force": "plant.CalcBiasTerm(context)",
            "gravity_vector": "-plant.CalcGravityGeneralizedForces(context)",
            "inverse_dynamics": "plant.CalcInverseDynamics(context, a, forces)",
            "kinetic_energy": "plant.EvalKineticEnergy(context)",
        },
    ),
}


def repro_script(library: str, quantity: str, case: Case) -> str | None:
    """Return the script; None where there is no template for the library and quantity, or it would be too long."""
    lines, expressions = _TEMPLATES.get(library.partition(":")[0], ((), {}))
    single = all(joint.q.stop - joint.q.start == 1 for joint in case.mechanism.joints)
    if quantity not in expressions or not single:
        return None
    kind = case.robot.format
    roots = case.robot.root_links()
    weld = (
        f"plant.WeldFrames(plant.world_frame(), plant.GetFrameByName({roots[0]!r}))"
        if kind == "urdf" and roots and roots[0] != "world"
        else "# the model says what is fixed to the world"
    )
    filled = {
        "{suffix}": "urdf" if kind == "urdf" else "xml",
        "{loader}": "buildModelFromUrdf" if kind == "urdf" else "buildModelFromMJCF",
        "{gravity}": str([float(one) for one in case.mechanism.gravity]),
        "{weld}": weld,
    }
    body = "\n".join(lines)
    for name, value in filled.items():
        body = body.replace(name, value)
    script = "\n".join(
        (
            f'"""{library.partition(":")[0]}: wrong {quantity}. The model and the state are below."""',
            "import tempfile" if "tempfile" in body else "",
            "import numpy as np",
            f"MODEL = '''{_compact(case.text)}'''",
            f"STATE = {_state(case)}  # q, v, a, tau of each joint",
            body,
            f"print('{quantity}', np.asarray({expressions[quantity]}).tolist())",
            f"print('expected', {case.expected.tolist()})",
            "",
        )
    ).replace("\n\nimport numpy", "\nimport numpy")
    return script if script.count("\n") <= MOST_LINES else None


def _state(case: Case) -> dict[str, tuple[float, ...]]:
    return {
        joint.name: (
            float(case.state["q"][joint.q.start]),
            *(float(case.state[name][joint.v.start]) for name in ("v", "a", "tau")),
        )
        for joint in case.mechanism.joints
    }


def _compact(text: str) -> str:
    """Return the model with one line for each link, joint or body."""
    text = re.sub(r"<\?xml[^>]*\?>\s*", "", text)
    joined = re.sub(r">\s+<", "><", text.strip())
    return re.sub(r"(</?(?:link|joint|body|worldbody|robot|mujoco)\b)", r"\n\1", joined).strip().replace("\n</", "</")
