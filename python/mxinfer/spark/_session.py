"""How many rows Spark sends to Python at a time."""

from __future__ import annotations

from typing import Any, Optional

ARROW_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_ROWS = 256
_UNSET = str(-(2**31))  # what Spark answers for what is not set has to be a number


def limit_arrow_rows(spark: Optional[Any]) -> None:
    """Where the session does not say how many rows go to Python at a time it says 256 from now on.

    Spark's own 10,000 would be a gigabyte of images of 100 kB, several times over.
    """
    if spark is not None and spark.conf.get(ARROW_ROWS, _UNSET) == _UNSET:
        spark.conf.set(ARROW_ROWS, str(_ROWS))
