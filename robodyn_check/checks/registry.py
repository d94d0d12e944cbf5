"""Every check, by code. Texts are read from the source without importing it, so ``explain`` and ``--help`` stay fast.

A check is a class with two pure static functions, decorated with its claim; its docstring is the product's text::

    @check(
        code="RD201",
        slug="mass-matrix-symmetric",
        quantities=("mass_matrix",),
        formula="M = Mᵀ",
        bound="exact",
        reference="Featherstone (2008), section 3.3",
    )
    class MassMatrixSymmetric:
        '''The mass matrix is symmetric.

        What it checks: ...
        Why it matters: ...
        Usual causes: ...
        References: ...
        '''

        @staticmethod
        def probes(context: ProbeContext) -> tuple[Request, ...]: ...

        @staticmethod
        def judge(context: JudgeContext) -> tuple[Result, ...]: ...

Codes: RDxnn. Families x: 1 model, 2 mass matrix, 3 inverse dynamics and regressor, 4 Coriolis and gravity, 5 energy
and momentum, 6 kinematics, Jacobians, task space, 7 forward dynamics, 8 flexible, 9 hygiene. x01-x49: properties one
subject must have by its own answers; x50-x99: agreement of two subjects. Codes are never reused.
"""
