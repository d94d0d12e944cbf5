"""What every cause means and what to do about it, in words; plain data."""

from __future__ import annotations

#: The name of a fail that no hypothesis explains.
UNEXPLAINED = "not-explained"
_LOADER = "Report it to the library with the model; until then rewrite the element so that both readings agree."
_ADAPTER = "Convert where the library's answers come in, or report it if its documentation says otherwise."
_LIBRARY = "Report it to the library."

#: name -> (what it means, what to do)
CAUSES: dict[str, tuple[str, str]] = {
    "armature-differs": ("another armature is held than the file says", _LOADER),
    "armature-doubled": ("armature is counted twice", "Leave it out of the model or of what you add by hand."),
    "armature-dropped": (
        "armature is not counted anywhere",
        "Add diag(armature) to M by hand, or set it after loading.",
    ),
    "armature-injected": ("the same armature is added to every joint unasked", "Set the library's armature to zero."),
    "armature-not-in-energy": ("armature is missing in the kinetic energy alone", _LIBRARY),
    "armature-not-in-mass-matrix": ("armature is missing in M alone", "Add diag(armature) to this library's M."),
    "base-velocity-frame": ("the base's linear velocity is in world axes", _ADAPTER),
    "bias-without-gravity": ("the bias force holds no gravity", "Add the gravity vector to it."),
    "coriolis-not-christoffel": (
        "C is a right, skew factorisation of C v, but not Christoffel's as declared",
        "Declare it as skew, or use it only where any skew factorisation does.",
    ),
    "coriolis-not-skew": (
        "C gives the right force, but Mdot - 2 C is not skew as declared",
        "Do not use it in an adaptive or passivity-based controller; declare it as any.",
    ),
    "coriolis-transposed": ("C is transposed", _ADAPTER),
    "damping-in-coriolis-matrix": ("viscous damping is counted in C", "Set damping to zero before asking for C."),
    "default-mass-for-missing-inertial": (
        "links without an inertial get a mass",
        "Give every link an inertial, or merge empty links into their parents.",
    ),
    "default-mass-for-zero-mass": (
        "a link that has an inertia but no mass gets a mass of 1 kg",
        "Give the link its mass, or take its inertial away.",
    ),
    "fixed-link-inertia-dropped": (
        "a link behind a fixed joint loses its mass",
        "Merge it into its parent by hand.",
    ),
    "fixed-link-not-rotated": ("a link behind a fixed joint is added in its own axes", _LOADER),
    "fixed-link-wrong-point": ("a link behind a fixed joint is added at its parent's origin", _LOADER),
    "fixed-root-pose-lost": ("the pose of what is fixed to the world is lost", _LOADER),
    "gravity-fixed-inside": ("the gravity that is handed over is ignored", _LIBRARY),
    "gravity-frame": ("gravity is read in other axes", _ADAPTER),
    "gravity-lost": ("there is no gravity", "Set gravity after loading."),
    "gravity-magnitude": ("gravity has another strength", "Set gravity after loading to what the model means."),
    "gravity-not-conservative": ("the gravity vector is no gradient: no potential energy has it", _LIBRARY),
    "gravity-only-vertical": ("only one component of gravity is used", _LIBRARY),
    "gravity-sign": ("gravity points the other way", _ADAPTER),
    "gravity-sign-convention": ("the gravity vector is the generalised force, -g", "Change its sign on the left side."),
    "gravity-vector-differs": ("another gravity is used than the file or the call says", "Set gravity after loading."),
    "inertia-about-origin": (
        "the inertia about the centre of mass is taken for the one about the link's origin",
        _LOADER,
    ),
    "inertia-recomputed-from-geometry": (
        "the inertia is computed from the collision shape, and the file's is ignored",
        "Load with the library's flag that takes the inertia from the file.",
    ),
    "inertia-replaced-by-sphere": (
        "the library replaced the inertia by that of a sphere",
        "Make the inertia physical: run `robodyn-check lint`, then load again.",
    ),
    "inertia-shifted-twice": (
        "the inertia about the link's origin is taken for the one about the centre of mass",
        _LOADER,
    ),
    "inertial-origin-rpy-applied-to-com": ("the inertial's rotation turns the centre of mass too", _LOADER),
    "inertial-origin-rpy-ignored": ("the rotation of the inertial's origin is ignored", _LOADER),
    "inertial-origin-rpy-transposed": ("the rotation of the inertial's origin is applied the other way round", _LOADER),
    "inertial-origin-unit": ("the metres of a centre of mass are taken for millimetres", _LOADER),
    "inertial-origin-xyz-ignored": ("the centre of mass is taken to be at the link's origin", _LOADER),
    "inertial-parameters-differ": ("a link has another mass, centre of mass or inertia than the file says", _LOADER),
    "input-overwritten": ("the library writes into the arrays that it is given", "Hand copies to it."),
    "jacobian-frame": ("Jacobians are in the link's axes", _ADAPTER),
    "jacobian-rows": ("the two halves of Jacobians are exchanged", _ADAPTER),
    "joint-angle-unit": ("angles are read in degrees", _ADAPTER),
    "joint-axis-differs": ("a joint turns about another axis", _LOADER),
    "joint-axis-not-unit": ("an axis that is not of length 1 is used as it is", "Normalise the axis in the file."),
    "joint-damping-differs": ("the library holds another damping", "Set it after loading."),
    "joint-friction-differs": ("the library holds another dry friction", "Set it after loading."),
    "joint-limits-in-dynamics": (
        "forces of the joint limits act beyond them",
        "Switch constraints off for the rigid-body part.",
    ),
    "joint-offset": ("a joint's zero is elsewhere", _ADAPTER),
    "joint-order-differs": ("joints come in another order", "Map coordinates by joint name."),
    "joint-placement-differs": ("a joint stands elsewhere", _LOADER),
    "joint-sign": ("a joint turns the other way round", _ADAPTER),
    "legal-model-refused": ("the library refuses a model that is legal", "Report it, or change what its words name."),
    "library-crash": ("the library dies or raises an exception", _LIBRARY),
    "library-time-out": ("the library does not answer in time", "Raise --timeout, or report it."),
    "limits-clamp": ("positions are clamped to the joint limits", "Widen the limits, or stay inside them."),
    "link-inertia-dropped": ("a link loses its mass and inertia", _LOADER),
    "loaded-model-differs": ("the library holds other numbers than the file states", _LOADER),
    "lower-triangle-only": ("only the lower triangle of M is filled", "Mirror it."),
    "mass-scaled": ("all masses and inertias are off by one factor", "Look for a density or a scale in the loader."),
    "mass-unit": ("masses and inertias are in another unit", "Convert them in the file."),
    "massless-intermediate-link": (
        "the library refuses moving links without mass, which are legal",
        "Give the link a small inertia for this library, or merge it with its neighbour.",
    ),
    "mimic-joint-reduced": ("a mimic joint is eliminated without a word", "Compare the reduced equations."),
    "not-finite": ("some answers are not finite", _LIBRARY),
    "not-repeatable": ("a second call gives other numbers", "Load anew for every use, and report it."),
    "passive-forces-in-forward-dynamics": (
        "damping or friction acts in the forward dynamics",
        "Set damping and friction to zero for the rigid-body part.",
    ),
    "passive-forces-in-inverse-dynamics": (
        "damping or friction is counted in the forces",
        "Set damping and friction to zero for the rigid-body part.",
    ),
    "planar-joint-axis-ignored": ("a planar joint moves in the plane of x and y, whatever its axis says", _LOADER),
    "potential-sign": ("the potential energy has the other sign", _ADAPTER),
    "products-of-inertia-dropped": ("ixy, ixz, iyz are not read", _LOADER),
    "products-of-inertia-sign": ("ixy, ixz, iyz are read with the other sign", _LOADER),
    "quaternion-order": ("a quaternion is read in the order w x y z", _ADAPTER),
    "reflected-rotor-inertia": (
        "rotor inertia of an extension tag is counted, which the standard format does not hold",
        "Remove the tag, or add the same armature in the other libraries.",
    ),
    "regressor-order": ("the regressor's columns come in another order", "Permute the columns."),
    "root-link-inertia-dropped": ("the root link loses its inertia", "Put an empty root link in front."),
    "rpy-order": ("roll, pitch and yaw are applied in the order z, y, x", _LOADER),
    "single-precision": ("inputs or answers are single precision", "Declare it, or use the double build."),
    "skew-joint-axis-unsupported": ("a joint axis along no coordinate axis is read as another", _LOADER),
    "stale-cache": ("answers belong to the state asked before", "Update the library's data before every question."),
    "torque-scaled": ("only a share of the given torques arrives", _ADAPTER),
    "upper-triangle-only": ("only the upper triangle of M is filled", "Mirror it."),
    "velocity-clamped": ("velocities beyond a limit are cut", "Set the velocity limits of the model wider."),
    "velocity-product-doubled": ("C v is twice what it is", _LIBRARY),
    "velocity-product-halved": ("C v is half of what it is", _LIBRARY),
    "velocity-product-lost": ("C v is missing", _LIBRARY),
    "velocity-product-scaled": ("C v is scaled", _LIBRARY),
    UNEXPLAINED: (
        "no known cause and no pair of them reproduces the answers",
        "Run `robodyn-check shrink` on the report for a small model that still fails, and report that.",
    ),
}
