"""Limit the rows that Spark sends to Python at a time."""

from __future__ import annotations

from typing import Any, Optional

ARROW_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_ROWS = 256
_UNSET = str(-(2**31))  # the default that Spark returns must be a number


def limit_arrow_rows(spark: Optional[Any]) -> None:
    """Set the rows that go to Python at a time to 256, unless the session sets them.

    Spark's default of 10,000 would be a gigabyte of 100 kB images, several times over.
    """
    if spark is not None and spark.conf.get(ARROW_ROWS, _UNSET) == _UNSET:
        spark.conf.set(ARROW_ROWS, str(_ROWS))
