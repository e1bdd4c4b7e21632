"""The cheapest one-to-one assignment of rows to columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def assign(cost: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give every row its own column so that the sum of costs is least (shortest augmenting paths with potentials).

    :param cost: R x C with R <= C, finite.
    :returns: R column numbers, all different.
    :raises ValueError: when there are more rows than columns.
    """
    rows, columns = cost.shape
    if rows > columns:
        raise ValueError(f"{rows} rows cannot each have one of {columns} columns")
    row_price = np.zeros(rows + 1)
    column_price = np.zeros(columns + 1)
    row_of = np.zeros(columns + 1, np.int64)  # row (from 1) that holds a column (from 1); column 0 is the start of each search
    for row in range(1, rows + 1):
        row_of[0] = row
        column = 0
        distance = np.full(columns + 1, np.inf)
        came_from = np.zeros(columns + 1, np.int64)
        done = np.zeros(columns + 1, bool)
        while True:
            done[column] = True
            holder = row_of[column]
            slack = cost[holder - 1] - row_price[holder] - column_price[1:]
            open_ = ~done[1:]
            better = open_ & (slack < distance[1:])
            distance[1:][better] = slack[better]
            came_from[1:][better] = column
            following = 1 + int(np.argmin(np.where(open_, distance[1:], np.inf)))
            step = distance[following]
            row_price[row_of[done]] += step
            column_price[done] -= step
            distance[~done] -= step
            column = following
            if row_of[column] == 0:
                break
        while column:
            previous = int(came_from[column])
            row_of[column] = row_of[previous]
            column = previous
    result = np.zeros(rows, np.int64)
    for column in range(1, columns + 1):
        if row_of[column]:
            result[row_of[column] - 1] = column - 1
    return result
