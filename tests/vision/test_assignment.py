import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.assignment import assign


@settings(max_examples=120, deadline=None)
@given(st.integers(1, 4), st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_no_other_assignment_costs_less(rows: int, more: int, seed: int) -> None:
    cost = np.random.default_rng(seed).normal(0, 5, (rows, rows + more))
    chosen = assign(cost)
    assert len(set(chosen.tolist())) == rows
    least = min(sum(cost[i, p[i]] for i in range(rows)) for p in itertools.permutations(range(rows + more), rows))
    assert abs(float(cost[np.arange(rows), chosen].sum()) - least) < 1e-9


def test_more_rows_than_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="3 rows"):
        assign(np.zeros((3, 2)))
