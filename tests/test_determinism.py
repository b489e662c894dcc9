"""The same submission with the same seed gets the same verdict, messages and errors, while two graders work.

`python tests/repeats.py` does it with more submissions, a hundred times.
"""

from __future__ import annotations

import pytest
from conftest import require_docker
from repeats import GRADERS, repeat

CHOSEN = (
    "reference", "empty_rows_nan", "view_of_strided_input", "library_call", "memory_limit/many_small_tensors",
    "output_limit/floods_stdout", "runtime_error/garbage_on_the_wire", "wrong_answer/guesses_the_seed",
)  # fmt: skip


@pytest.mark.timeout(300)
@pytest.mark.parametrize("driver", ["local", "docker"])
def test_every_answer_is_the_same(driver: str) -> None:
    if driver == "docker":
        require_docker()
    found = repeat(driver, 2, list(CHOSEN))
    assert {name: max(answers.values()) for name, answers in found.items()} == dict.fromkeys(CHOSEN, 2 * GRADERS)
