"""The command `mxinfer predict-table`: run a model on the rows of a Parquet or Arrow file, and write another file.

    python -m mxinfer.predict_table models/digits.mxz --input photos.parquet --columns photo --output labels.parquet
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from typing import Any, Dict, Generator, Iterator, List, Optional, Sequence, Tuple, Type

from .classifier import Classifier
from .errors import Error
from .model import Model
from .options import settings_known
from .predictor import Predictor
from .table_predictor import TablePredictor
from .vision.image_classifier import ImageClassifier
from .vision.object_detector import ObjectDetector

__all__ = ["main"]

TASKS: Dict[str, Type[Predictor]] = {"classify-images": ImageClassifier, "classify": Classifier, "detect": ObjectDetector, "predict": Predictor}

DESCRIPTION = """Run a model on the rows of a Parquet or Arrow file, and write their columns followed by those of the results:
label, score and index of a classifier, detections of a detector, or the outputs of any other model. The last column is
error, which is null if the row is valid."""

EXAMPLES = """Columns of images are binary (JPEG or PNG files), strings (paths or addresses) or structs like those of Spark's image
source. The file is read and written in pieces, so that its size does not affect the memory.

Examples:
  mxinfer predict-table models/digits.mxz --input photos.parquet --columns photo --output labels.parquet
  mxinfer predict-table churn --task predict --columns age,income,visits --input rows.parquet --output scores.parquet
  mxinfer predict-table two_towers --task predict --columns user=u --columns item=i --input pairs.arrow --output out.arrow
"""


class Failure(Exception):
    """An error whose message is printed for the user."""


def columns_of(values: Sequence[str]) -> Any:
    """Parse --columns: a,b for one input; user=a,b and item=c for several."""
    if not values:
        return None
    if len(values) == 1 and "=" not in values[0]:
        return values[0].split(",")
    named: Dict[str, List[str]] = {}
    for value in values:
        name, equals, columns = value.partition("=")
        if not equals or not name or not columns:
            raise Failure("--columns {}: expected INPUT=COLUMN,COLUMN, because --columns is given several times".format(value))
        if name in named:
            raise Failure("--columns {}: input '{}' is given already; name all of its columns in one --columns".format(value, name))
        named[name] = columns.split(",")
    return named


def options_of(values: Sequence[str]) -> Dict[str, str]:
    options: Dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals:
            raise Failure("--option {}: expected NAME=VALUE, such as --option threads=2".format(value))
        if name not in {setting.name for setting in settings_known()}:
            raise Failure("--option {}: unknown option; docs/reference/options.md lists the options".format(name))
        options[name] = text
    return options


def guess_task(model: Model) -> str:
    """Guess the task: boxes mean a detector, scores or labels a classifier, and images a classifier of images."""
    meanings = {output.meaning for output in model.outputs}
    if "boxes" in meanings:
        return "detect"
    if "scores" not in meanings and not model.labels:
        return "predict"
    takes_images = len(model.inputs) == 1 and model.inputs[0].meaning in ("image", "encoded_image")
    return "classify-images" if takes_images else "classify"


def make_table(arguments: argparse.Namespace) -> TablePredictor:
    options: Dict[str, Any] = dict(options_of(arguments.option))
    if arguments.threads is not None:
        options["threads"] = arguments.threads
    groups = {setting.name: setting.group for setting in settings_known()}
    load = {name: value for name, value in options.items() if groups.get(name) in ("load", "remote")}
    model = Model.load(arguments.model, **load)
    task = arguments.task or guess_task(model)
    rest = {name: value for name, value in options.items() if name not in load}
    try:
        predictor = TASKS[task](model, **rest)
    except TypeError as error:  # an option of another class
        raise Failure("--option: {}; the task is {} (--task)".format(error, task)) from None
    return TablePredictor(
        predictor,
        columns=columns_of(arguments.columns),
        top_k=arguments.top_k,
        errors=arguments.errors,
        batch_rows=arguments.batch_rows,
        score_threshold=arguments.threshold,
    )


def open_rows(path: str, batch_rows: int) -> Tuple[Any, Iterator[Any], Optional[int]]:
    """Return the schema of a file, its record batches, and its number of rows, if known."""
    import pyarrow
    import pyarrow.ipc
    import pyarrow.parquet

    try:
        if is_parquet(path):
            file = pyarrow.parquet.ParquetFile(path)
            return file.schema_arrow, file.iter_batches(batch_size=batch_rows), file.metadata.num_rows
        source = pyarrow.memory_map(path)
        try:
            opened = pyarrow.ipc.open_file(source)
        except pyarrow.ArrowInvalid:
            reader = pyarrow.ipc.open_stream(source)
            return reader.schema, pieces(reader, batch_rows), None
        batches = (opened.get_batch(i) for i in range(opened.num_record_batches))
        return opened.schema, pieces(batches, batch_rows), None
    except (OSError, pyarrow.ArrowException) as error:
        raise Failure("{}: {}; expected a Parquet file (*.parquet) or a file in Arrow's IPC format".format(path, error)) from None


def is_parquet(path: str) -> bool:
    return path.lower().endswith(".parquet")


def pieces(batches: Any, rows: int) -> Iterator[Any]:
    """Yield the same rows, at most `rows` at a time."""
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


def output_file(path: str) -> str:
    """Return the real path of the output, or raise Failure if no file can be there. Called before anything runs."""
    if not path.lower().endswith((".parquet", ".arrow", ".feather", ".ipc")):
        raise Failure("--output {}: expected a name that ends in .parquet, or in .arrow, .feather or .ipc".format(path))
    real = os.path.realpath(path)
    if os.path.lexists(real) and not os.path.isfile(real):
        raise Failure("--output {}: it exists and is not a file; choose another name".format(path))
    if not os.path.isdir(os.path.dirname(real)):
        raise Failure("--output {}: the folder {} does not exist".format(path, os.path.dirname(real)))
    return real


@contextlib.contextmanager
def whole_file(path: str, schema: Any) -> Generator[Any, None, None]:
    """Yield a writer of batches. The file appears once it is complete; if anything fails, the old one stays."""
    import pyarrow
    import pyarrow.ipc
    import pyarrow.parquet

    mask = os.umask(0)
    os.umask(mask)
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~mask
    handle, temporary = tempfile.mkstemp(prefix=".mxinfer-", dir=os.path.dirname(path))
    os.close(handle)
    try:
        if is_parquet(path):
            with pyarrow.parquet.ParquetWriter(temporary, schema) as parquet:
                yield parquet.write_batch
        else:
            with pyarrow.OSFile(temporary, "wb") as sink, pyarrow.ipc.new_file(sink, schema) as arrow:
                yield arrow.write_batch
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


class Progress:
    """Shows progress in a line if standard error is a terminal."""

    def __init__(self, total: Optional[int]) -> None:
        self._total, self._shown, self._is_terminal = total, 0.0, sys.stderr.isatty()

    def show(self, rows: int, wrong: int) -> None:
        now = time.monotonic()
        if not self._is_terminal or now - self._shown < 0.2:
            return
        self._shown = now
        of = "" if self._total is None else " of {:,}".format(self._total)
        sys.stderr.write("\r{:,}{} rows, {:,} with errors\033[K".format(rows, of, wrong))
        sys.stderr.flush()

    def end(self) -> None:
        if self._is_terminal and self._shown:
            sys.stderr.write("\r\033[K")


def kept_columns(arguments: argparse.Namespace, schema: Any, results: Any) -> List[int]:
    """Return the indices of the columns of the input that go into the output."""
    wanted = schema.names if arguments.keep is None else [name for name in arguments.keep.split(",") if name]
    for name in wanted:
        if schema.names.count(name) != 1:
            raise Failure(
                "--keep: the input has {} columns '{}'; expected columns of the input: {}".format(
                    schema.names.count(name) or "no", name, ", ".join(schema.names)
                )
            )
        if name in results.names:
            raise Failure(
                "column '{}' of the input has the name of a result column; leave it out with --keep, which lists the columns "
                "to write beside the results".format(name)
            )
    return [schema.names.index(name) for name in wanted]


def plain(column: Any) -> Any:
    """Decode a dictionary column, since each batch of a file may have its own dictionary."""
    import pyarrow

    return column.dictionary_decode() if pyarrow.types.is_dictionary(column.type) else column


def plain_field(field: Any) -> Any:
    import pyarrow

    return field.with_type(field.type.value_type) if pyarrow.types.is_dictionary(field.type) else field


def run(arguments: argparse.Namespace) -> Dict[str, Any]:
    import pyarrow

    if arguments.batch_rows < 0 or arguments.read_rows < 1:
        raise Failure("--batch-rows and --read-rows: expected numbers of rows, such as 32 and 1024")
    output = output_file(arguments.output)
    table = make_table(arguments)
    schema, batches, total = open_rows(arguments.input, arguments.read_rows)
    results = table.result_schema(schema)
    kept = kept_columns(arguments, schema, results)
    of_output = pyarrow.schema([plain_field(schema.field(place)) for place in kept] + list(results))
    rows = wrong = 0
    progress = Progress(total)
    start = time.monotonic()
    read: List[Any] = []
    with whole_file(output, of_output) as write:
        for result in table.predict_batches(read_through(batches, read)):
            batch = read.pop()
            columns = [plain(batch.column(place)) for place in kept] + list(result.columns)
            write(pyarrow.RecordBatch.from_arrays(columns, schema=of_output))
            rows += batch.num_rows
            if "error" in results.names:
                wrong += batch.num_rows - result.column(results.get_field_index("error")).null_count
            progress.show(rows, wrong)
    progress.end()
    seconds = time.monotonic() - start
    return {
        "rows": rows,
        "wrong_rows": wrong,
        "output": arguments.output,
        "columns": of_output.names,
        "seconds": round(seconds, 3),
        "rows_per_second": round(rows / seconds, 1) if seconds > 0 else None,
    }


def read_through(batches: Iterator[Any], read: List[Any]) -> Iterator[Any]:
    """Yield the batches, and append each to `read`."""
    for batch in batches:
        read.append(batch)
        yield batch


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="mxinfer predict-table",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("model", metavar="MODEL", help="a prefix, bundle, archive, folder or address, as for the other commands")
    made.add_argument("--input", required=True, metavar="FILE", help="a Parquet file (*.parquet), or a file in Arrow's IPC format")
    made.add_argument("--output", required=True, metavar="FILE", help="the same; the file appears once it is complete")
    made.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="[INPUT=]COLUMN,...",
        help="the columns for an input; repeat it for models of several inputs (the one column of images, or the columns named "
        "like the inputs)",
    )
    made.add_argument("--task", choices=sorted(TASKS), help="what the model is for (guessed from its signature)")
    made.add_argument("--top-k", type=int, default=1, metavar="N", help="number of classes for each row; 0 is all (1)")
    made.add_argument("--threshold", type=float, default=0.5, metavar="X", help="leave out objects with a lower score (0.5)")
    made.add_argument(
        "--errors",
        choices=["column", "raise"],
        default="column",
        help="column: write the errors of invalid rows into a column; raise: fail at the first invalid row (column)",
    )
    made.add_argument("--keep", metavar="COLUMN,...", help="columns of the input to write beside the results (all)")
    made.add_argument("--batch-rows", type=int, default=0, metavar="N", help="rows that run as one batch; 0 depends on the model (0)")
    made.add_argument("--read-rows", type=int, default=1024, metavar="N", help="rows to read and write at a time (1024)")
    made.add_argument("--threads", type=int, metavar="N", help="number of threads (all cores)")
    made.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="any other option of docs/reference/options.md")
    made.add_argument("--json", action="store_true", help="report rows, invalid rows and seconds as JSON")
    return made


def main(words: Optional[Sequence[str]] = None) -> int:
    """Run the command. Returns its exit code."""
    arguments = parser().parse_args(words)
    try:
        report = run(arguments)
    except ImportError:
        print("mxinfer: predict-table requires pyarrow, which is not installed: run 'pip install pyarrow'", file=sys.stderr)
        return 1
    except (Error, Failure, OSError) as error:
        print("mxinfer: {}".format(error), file=sys.stderr)
        return 1
    except Exception as error:  # an exception of pyarrow, which may not be installed
        if not type(error).__module__.startswith("pyarrow"):
            raise
        print("mxinfer: {}: {}".format(arguments.input, error), file=sys.stderr)
        return 1
    if arguments.json:
        print(json.dumps(report))
    else:
        print(
            "{rows:,} rows, {wrong_rows:,} with errors, in {seconds} s ({rows_per_second} per second), written to {output}".format(**report)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
