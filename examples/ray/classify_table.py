"""Classify the images of a Parquet table with Ray Data, as mxinfer.spark does on Spark.

    pip install 'ray[data]'
    python examples/ray/classify_table.py models/digits.mxz images/ labels/ --column content

Each worker loads the model once, and has one thread and one of Ray's CPUs.
"""

import argparse
import os

import pyarrow as pa
import ray

import mxinfer


class Labels:
    """Returns the table without its images, and with the columns label, score, index and error."""

    def __init__(self, model: str, column: str) -> None:
        classifier = mxinfer.ImageClassifier(model, threads=1)
        self._table = mxinfer.TablePredictor(classifier, columns=column)
        self._column = column

    def __call__(self, batch: pa.Table) -> pa.Table:
        found = self._table.predict(batch)
        kept = batch.drop_columns([self._column])
        return pa.Table.from_arrays([*kept.columns, *found.columns], names=[*kept.column_names, *found.schema.names])


def main() -> None:
    parser = argparse.ArgumentParser(description="Labels the images of a Parquet table with Ray Data.")
    parser.add_argument("model", help="a path or address that every machine reaches")
    parser.add_argument("images", help="the table")
    parser.add_argument("labels", help="where the labels are written")
    parser.add_argument("--column", default="content", help="the column of the images")
    parser.add_argument("--workers", type=int, default=1, help="fewer than Ray has CPUs: what reads takes one too")
    given = parser.parse_args()
    model = given.model if "://" in given.model else os.path.abspath(given.model)
    table = ray.data.read_parquet(given.images)
    labels = table.map_batches(
        Labels,
        fn_constructor_args=(model, given.column),
        batch_format="pyarrow",
        batch_size=256,
        compute=ray.data.ActorPoolStrategy(size=given.workers),
        num_cpus=1,
    )
    labels.write_parquet(given.labels)


if __name__ == "__main__":
    main()
