# /// script
# requires-python = ">=3.10"
# dependencies = ["mujoco>=3.3"]
# ///
"""What MuJoCo's compiler makes of an MJCF, as one JSON object on stdout: ``python mujoco_compile.py MODEL.xml``.

The object has ``mujoco`` (version) and either ``refused`` (MuJoCo's words) or ``bodies``, ``joints``, ``gravity`` and
``notes``. Static bodies are kept apart (fusestatic off), since the file names them. Shapes whose files are missing are
left out where every body that uses them states its inertia. Without MuJoCo the object is ``{"missing": reason}``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

KINDS = ("free", "ball", "slide", "hinge")


def main(path: str) -> dict[str, Any]:
    """Load, compile and describe one file."""
    try:
        import mujoco
    except Exception as error:  # noqa: BLE001 - a broken installation fails in many ways; each is told
        return {"missing": f"{type(error).__name__}: {error}"}
    version = str(mujoco.__version__)
    try:
        model, notes = compile_file(mujoco, path)
    except Exception as error:  # noqa: BLE001 - MuJoCo raises ValueError and others; its words are the answer
        return {"mujoco": version, "refused": " ".join(str(error).split())}
    return {"mujoco": version, "notes": notes, **describe(mujoco, model)}


def compile_file(mujoco: Any, path: str) -> tuple[Any, list[str]]:
    """Compile a file as it is, or else without the shapes that no inertia comes from."""
    spec = mujoco.MjSpec.from_file(path)
    try:
        if not spec.compiler.fusestatic:
            return mujoco.MjModel.from_xml_path(path), []  # the plain loader warns where MjSpec.compile raises
        spec.compiler.fusestatic = False
        return spec.compile(), []
    except Exception as error:
        spec = mujoco.MjSpec.from_file(path)
        spec.compiler.fusestatic = False
        dropped = drop_unused_shapes(mujoco, spec)
        if not dropped:
            raise
        try:
            model = spec.compile()
        except Exception:  # noqa: BLE001 - the first refusal is of the file as the user wrote it
            raise error from None
        return model, [f"compiled without {dropped} shapes that no inertia comes from: {' '.join(str(error).split())}"]


def drop_unused_shapes(mujoco: Any, spec: Any) -> int:
    """Delete what refers to shapes, the shapes of bodies that state their inertia, and assets that none then uses."""
    if spec.compiler.inertiafromgeom == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE:
        return 0
    unused = [geom for body in spec.bodies[1:] if body.explicitinertial for geom in body.geoms]
    unused += list(spec.worldbody.geoms)
    referring = ("sensors", "pairs", "excludes", "actuators", "tendons", "equalities", "keys", "skins")
    for name in referring:
        for element in list(getattr(spec, name, ())):
            spec.delete(element)
    for geom in unused:
        spec.delete(geom)
    used = {geom.meshname for geom in spec.geoms} | {geom.hfieldname for geom in spec.geoms}
    for asset in [*spec.meshes, *spec.hfields]:
        if asset.name not in used:
            spec.delete(asset)
    for geom in spec.geoms:
        geom.material = ""
    for appearance in [*spec.materials, *spec.textures]:
        spec.delete(appearance)
    return len(unused)


def describe(mujoco: Any, model: Any) -> dict[str, Any]:
    """Return bodies and joints in MuJoCo's order; an unnamed one has an empty name."""
    bodies = [
        {
            "name": model.body(k).name,
            "parent": int(model.body_parentid[k]),
            "pos": model.body_pos[k].tolist(),
            "quat": model.body_quat[k].tolist(),
            "mass": float(model.body_mass[k]),
            "ipos": model.body_ipos[k].tolist(),
            "iquat": model.body_iquat[k].tolist(),
            "diaginertia": model.body_inertia[k].tolist(),
        }
        for k in range(1, model.nbody)
    ]
    rotors = rotor_armatures(mujoco, model)
    joints = []
    for k in range(model.njnt):
        dof, q = int(model.jnt_dofadr[k]), int(model.jnt_qposadr[k])
        stiffness = model.jnt_stiffness[k]
        joints.append(
            {
                "name": model.joint(k).name,
                "body": int(model.jnt_bodyid[k]),
                "type": KINDS[int(model.jnt_type[k])],
                "axis": model.jnt_axis[k].tolist(),
                "pos": model.jnt_pos[k].tolist(),
                "armature": float(model.dof_armature[dof]) + rotors.get(k, 0.0),
                "damping": float(model.dof_damping[dof].flat[0]),
                "frictionloss": float(model.dof_frictionloss[dof]),
                "stiffness": float(stiffness.flat[0]),
                "limited": bool(model.jnt_limited[k]),
                "range": model.jnt_range[k].tolist(),
                "qpos0": float(model.qpos0[q]),
            }
        )
    gravity_off = model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    gravity = [0.0, 0.0, 0.0] if gravity_off else model.opt.gravity.tolist()
    return {"bodies": bodies, "joints": joints, "gravity": gravity}


def rotor_armatures(mujoco: Any, model: Any) -> dict[int, float]:
    """Return what actuators add to the inertia of single joints: armature times gear squared (MuJoCo 4)."""
    added: dict[int, float] = {}
    kinds = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
    for k, armature in enumerate(getattr(model, "actuator_armature", ())):
        joint = int(model.actuator_trnid[k, 0])
        if int(model.actuator_trntype[k]) in kinds and KINDS[int(model.jnt_type[joint])] in {"slide", "hinge"}:
            added[joint] = added.get(joint, 0.0) + float(armature) * float(model.actuator_gear[k, 0]) ** 2
    return added


if __name__ == "__main__":
    folder = Path(__file__).resolve().parent
    sys.path[:] = [
        entry for entry in sys.path if Path(entry).resolve() != folder
    ]  # a mujoco.py stands beside this file
    answer = os.dup(1)
    os.dup2(2, 1)  # warnings that MuJoCo prints must not stand among the answer
    with os.fdopen(answer, "w", encoding="utf-8") as stdout:
        json.dump(main(sys.argv[1]), stdout)
