"""What authors of tests import: checks that hold for the stand-in and for a plain module alike.

    values        assert_close, assert_equal    one result against one expected value
                  assert_same                   many calls in one frame, values and gradients, against the reference;
                                                functions, or modules with the same weights
                  check                         a rule of the author's own, with its sentence
    independence  assert_no_influence           what must not influence what: by changing it, and through the Jacobian
                  assert_independent            the first half of it alone, for changes of one's own
                  assert_no_gradient            the second half alone
    jacobian      assert_jacobian               all positions of a small call: each reads what the reference's reads
    layouts       assert_layouts                strided, expanded and aliased inputs
                  cast                          the same inputs in another dtype
    circumstances assert_dtypes                 float64, float32, float16, bfloat16
                  assert_repeatable             after other calls: no state is kept
                  assert_global_state           under another default dtype, in inference mode, ...
    resources     assert_not_used               forbidden functions, looked for while the call runs
                  assert_new_storage            bytes of the largest new storage
                  assert_flops                  FLOPs of matrix products
    modules       draw_modules                  the submission's module and the reference's, same random weights
                  assert_weight_dropout         dropout on the attention weights, only in training
                  with_weights                  the submission's module with the weights of a given one
                  load_weights                  the same for a module that is there
    stages        shown_stages                  scores, mask and weights, for `stages` of tests.py
    drawing       draw_qkv, draw_mask           q, k and v; a mask in which every query sees a key
                  draw_large_scores             q and k whose scores reach 10000 and -10000, exactly

A failed check raises `CheckFailed` with a finding (data, see `judge.messages`); it never shows an expected value.
Tolerances follow the dtype of the result: float64 1e-10, float32 1e-5, float16 5e-3, bfloat16 3e-2, both relative
and absolute.
"""

from judge.checks.circumstances import DTYPES, STATES, assert_dtypes, assert_global_state, assert_repeatable
from judge.checks.drawing import draw_large_scores, draw_mask, draw_qkv
from judge.checks.independence import assert_independent, assert_no_gradient, assert_no_influence
from judge.checks.jacobian import assert_jacobian
from judge.checks.layouts import assert_layouts, cast
from judge.checks.modules import assert_weight_dropout, draw_modules, load_weights, with_weights
from judge.checks.resources import assert_flops, assert_new_storage, assert_not_used
from judge.checks.stages import shown_stages
from judge.checks.values import assert_close, assert_equal, assert_same, check
from judge.compare import TOLERANCE, CheckFailed
from judge.feedback.trials import Trial

__all__ = [
    "DTYPES",
    "STATES",
    "TOLERANCE",
    "CheckFailed",
    "Trial",
    "assert_close",
    "assert_dtypes",
    "assert_equal",
    "assert_flops",
    "assert_global_state",
    "assert_independent",
    "assert_jacobian",
    "assert_layouts",
    "assert_new_storage",
    "assert_no_gradient",
    "assert_no_influence",
    "assert_not_used",
    "assert_repeatable",
    "assert_same",
    "assert_weight_dropout",
    "cast",
    "check",
    "draw_large_scores",
    "draw_mask",
    "draw_modules",
    "draw_qkv",
    "load_weights",
    "shown_stages",
    "with_weights",
]
