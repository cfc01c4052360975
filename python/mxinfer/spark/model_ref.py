"""ModelRef: where workers find a model. A job carries it instead of the weights."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from pyspark import SparkFiles
from pyspark.sql import SparkSession

from ..errors import Error, InvalidArgumentError
from ..model import Model

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import LoadOptions

__all__ = ["ModelRef", "ModelSource", "broadcast_model"]

SPARK_FILES = "spark-files:"


@dataclass(frozen=True)
class ModelRef:
    """A model's address, with its checksums. It has no weights, so that it is small in a job's closure.

    `uri` is the argument of Model.load: an address (s3://, hdfs://, https://, file://), or a path, which must be the same on every
    executor. A relative path starts in the driver's working directory. "spark-files:NAME" is a file that SparkContext.addFile or
    --files sent to the executors.
    """

    uri: str
    sha256: Optional[str] = None
    """The SHA-256 of the model's file, or of each of its files, separated by commas."""
    contents: Any = field(default=None, repr=False, compare=False)
    """The Broadcast with the bytes of the file, if broadcast_model made this."""

    def load(self, **load_options: Unpack[LoadOptions]) -> Model:
        """Load the model in this process. Raises the exceptions of Model.load."""
        if self.contents is not None:
            return Model.load_archive(self.contents.value, **load_options)
        if self.sha256:
            load_options["sha256"] = self.sha256.split(",")
        return Model.load(self.path(), **load_options)

    def path(self) -> str:
        """Return the argument for Model.load in this process."""
        if self.uri.startswith(SPARK_FILES):
            return str(SparkFiles.get(self.uri[len(SPARK_FILES) :]))
        return self.uri


ModelSource = Union[str, "os.PathLike[str]", ModelRef]


def model_ref(model: ModelSource, sha256: Optional[str] = None) -> ModelRef:
    """Return the ModelRef of a path, an address or a ModelRef."""
    if isinstance(model, ModelRef):
        if sha256 is not None:
            raise InvalidArgumentError("sha256: the ModelRef says which it is; give it to that")
        return model
    if not isinstance(model, (str, os.PathLike)):
        raise InvalidArgumentError(
            "model: a {} names none; expected a path, an address or a ModelRef. An mxinfer.Model stays in its process: "
            "name the file that it is loaded from".format(type(model).__name__)
        )
    text = os.fspath(model)
    if "://" not in text and not text.startswith(SPARK_FILES):
        text = os.path.abspath(text)
    return ModelRef(text, sha256)


def broadcast_model(spark: SparkSession, path: Union[str, "os.PathLike[str]"]) -> ModelRef:
    """Send a model file of the driver to the executors, by a Broadcast.

    Use it for models of up to about 100 MB: the driver holds the bytes of the file, and so does each worker, in addition to the
    weights.

    Args:
        path: one file, a bundle (.mxz) or an archive.

    Raises:
        InvalidArgumentError: The file cannot be read, or is a folder or a prefix.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            contents = file.read()
    except OSError as error:
        raise InvalidArgumentError(
            "broadcast_model: '{}' cannot be read as one file ({}); expected a bundle or an archive, which `mxinfer "
            "pack` makes of a prefix or a folder".format(name, error.strerror)
        ) from error
    digest = hashlib.sha256(contents).hexdigest()
    return ModelRef("broadcast:" + os.path.basename(name), digest, spark.sparkContext.broadcast(contents))


def identity(model: ModelRef) -> Tuple[str, Optional[str]]:
    """Return what identifies a model. A broadcast model is identified by its contents, even if it is broadcast again."""
    return model.uri, model.sha256


def advice(error: Error, model: ModelRef) -> str:
    """Return what a user can do if a model does not load on an executor."""
    if error.code not in ("not_found", "network"):
        return ""
    if model.uri.startswith(SPARK_FILES):
        return ". Send it with SparkContext.addFile or --files, and name it by the file's name without its folders"
    return (
        ". The model has to be there under this name on every executor: put it where all reach it (s3://, hdfs://, "
        "https://), send it with SparkContext.addFile and name it spark-files:NAME, or use broadcast_model"
    )
