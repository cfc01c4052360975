"""ModelTransformer: a model as a stage of a Spark ML Pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence

from pyspark.ml import Transformer
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasInputCol, HasInputCols, HasOutputCol
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import DataFrame
from pyspark.sql.types import StructField, StructType

from ..errors import InvalidArgumentError
from . import _types
from ._signature import table_result_type
from ._work import BATCH_ROWS, MAX_CELL_BYTES, Work
from .functions import column_function
from .metrics import Metrics
from .model_ref import ModelSource, model_ref

if TYPE_CHECKING:
    from ..types import RowErrors

__all__ = ["ModelTransformer"]

TASKS = ("classify", "detect", "predict")
# A saved pipeline is a plain-text file.
_SECRET = frozenset({"headers", "s3_access_key_id", "s3_secret_access_key", "s3_session_token", "hdfs_delegation_token"})


def _param(name: str, doc: str, convert: Callable[[Any], Any]) -> Any:
    return Param(Params._dummy(), name, doc, convert)


class ModelTransformer(
    Transformer, HasInputCol, HasInputCols, HasOutputCol, DefaultParamsReadable, DefaultParamsWritable
):
    """A stage of a Pipeline that adds a struct column with the results of classify_udf, detect_udf or predict_udf (`task`).

    The Pipeline saves and loads it with the model's address, not its weights. transform checks the types of columns before a
    job starts. Each parameter is a keyword of the constructor, and has a set and a get method: setTopK, getTopK. `options` is a
    dict of the options of mxinfer's classes.
    """

    task: Any = _param("task", "what the model does: classify, detect or predict", TypeConverters.toString)
    modelUri: Any = _param("modelUri", "the model's path or address, which every executor can reach", TypeConverters.toString)
    sha256: Any = _param("sha256", "the SHA-256 of the model's file", TypeConverters.toString)
    topK: Any = _param("topK", "number of classes for each row", TypeConverters.toInt)
    scoreThreshold: Any = _param("scoreThreshold", "lowest score of an object", TypeConverters.toFloat)
    maxDetections: Any = _param("maxDetections", "maximum number of objects for each row", TypeConverters.toInt)
    batchSize: Any = _param("batchSize", "rows that run as one batch; 0: chosen automatically", TypeConverters.toInt)
    maxCellBytes: Any = _param("maxCellBytes", "a binary cell with more bytes is an error", TypeConverters.toInt)
    errors: Any = _param("errors", "column: invalid rows get an error; raise: they fail the job", TypeConverters.toString)
    returns: Any = _param("returns", "for predict, the outputs as DDL; without it, the driver loads the model", TypeConverters.toString)
    options: Any = _param("options", "options of mxinfer's classes by name", TypeConverters.identity)

    def __init__(
        self,
        *,
        inputCol: Optional[str] = None,
        inputCols: Optional[Sequence[str]] = None,
        outputCol: str = "result",
        modelUri: Optional[ModelSource] = None,
        sha256: Optional[str] = None,
        task: str = "classify",
        topK: int = 1,
        scoreThreshold: float = 0.5,
        maxDetections: Optional[int] = None,
        batchSize: int = BATCH_ROWS,
        maxCellBytes: int = MAX_CELL_BYTES,
        errors: RowErrors = "column",
        returns: Optional[str] = None,
        options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        given = {name: value for name, value in locals().items() if name not in ("self", "__class__") and value is not None}
        super().__init__()
        self._setDefault(
            outputCol="result",
            task="classify",
            topK=1,
            scoreThreshold=0.5,
            batchSize=BATCH_ROWS,
            maxCellBytes=MAX_CELL_BYTES,
            errors="column",
            options={},
        )
        self._metrics: Optional[Metrics] = None
        for name, value in given.items():
            getattr(self, "set" + name[0].upper() + name[1:])(value)

    def setMetrics(self, metrics: Optional[Metrics]) -> ModelTransformer:
        """Set the metrics that the workers count into. They belong to a session and are not saved."""
        self._metrics = metrics
        return self

    def setInputCol(self, value: str) -> ModelTransformer:
        """Set the column to read."""
        return self._with(inputCol=value)

    def setInputCols(self, value: Sequence[str]) -> ModelTransformer:
        """Set the columns to read, for predict: one for each input, or the features of the only input."""
        return self._with(inputCols=list(value))

    def setOutputCol(self, value: str) -> ModelTransformer:
        """Set the name of the column to add."""
        return self._with(outputCol=value)

    def setModelUri(self, value: ModelSource) -> ModelTransformer:
        """Set where the executors find the model. A ModelRef sets address and checksum; a broadcast one is an error."""
        ref = model_ref(value)
        if ref.contents is not None:
            raise InvalidArgumentError(
                "modelUri: a model that was broadcast lives as long as its session, and a stage longer; expected a path "
                "or an address"
            )
        return self._with(modelUri=ref.uri, **({} if ref.sha256 is None else {"sha256": ref.sha256}))

    def getModelUri(self) -> str:
        """Return where the executors find the model."""
        return str(self.getOrDefault(self.modelUri))

    def setSha256(self, value: str) -> ModelTransformer:
        """Set the SHA-256 that the model's file must have."""
        return self._with(sha256=value)

    def getSha256(self) -> Optional[str]:
        """Return the SHA-256 that the model's file must have."""
        return self._text("sha256")

    def setTask(self, value: str) -> ModelTransformer:
        """Set the task: classify, detect or predict."""
        _types.check_choice("task", value, TASKS)
        return self._with(task=value)

    def getTask(self) -> str:
        """Return the task: classify, detect or predict."""
        return str(self.getOrDefault(self.task))

    def setTopK(self, value: int) -> ModelTransformer:
        """Set the number of classes for each row."""
        _types.check_count("topK", value)
        return self._with(topK=value)

    def getTopK(self) -> int:
        """Return the number of classes for each row."""
        return int(self.getOrDefault(self.topK))

    def setScoreThreshold(self, value: float) -> ModelTransformer:
        """Set the lowest score of an object."""
        return self._with(scoreThreshold=value)

    def getScoreThreshold(self) -> float:
        """Return the lowest score of an object."""
        return float(self.getOrDefault(self.scoreThreshold))

    def setMaxDetections(self, value: int) -> ModelTransformer:
        """Set the number of objects to keep for each row, best first."""
        _types.check_count("maxDetections", value)
        return self._with(maxDetections=value)

    def getMaxDetections(self) -> Optional[int]:
        """Return the number of objects to keep for each row; None: all."""
        return int(self.getOrDefault(self.maxDetections)) if self.isDefined(self.maxDetections) else None

    def setBatchSize(self, value: int) -> ModelTransformer:
        """Set how many rows run as one batch; 0: TablePredictor's default."""
        _types.check_count("batchSize", value, least=0)
        return self._with(batchSize=value)

    def getBatchSize(self) -> int:
        """Return how many rows run as one batch; 0: TablePredictor's default."""
        return int(self.getOrDefault(self.batchSize))

    def setMaxCellBytes(self, value: int) -> ModelTransformer:
        """Set the size above which a binary cell is an error."""
        _types.check_count("maxCellBytes", value)
        return self._with(maxCellBytes=value)

    def getMaxCellBytes(self) -> int:
        """Return the size above which a binary cell is an error."""
        return int(self.getOrDefault(self.maxCellBytes))

    def setErrors(self, value: str) -> ModelTransformer:
        """Set how to handle invalid rows: "column" gives them an error, "raise" fails the job."""
        _types.check_choice("errors", value, ("column", "raise"))
        return self._with(errors=value)

    def getErrors(self) -> str:
        """Return how invalid rows are handled."""
        return str(self.getOrDefault(self.errors))

    def setReturns(self, value: str) -> ModelTransformer:
        """Set the fields of predict's result as DDL, so that the driver need not load the model."""
        return self._with(returns=value)

    def getReturns(self) -> Optional[str]:
        """Return the fields of predict's result."""
        return self._text("returns")

    def setOptions(self, value: Mapping[str, Any]) -> ModelTransformer:
        """Set options of mxinfer's classes by name. Keys and tokens are rejected: they would be saved in plain text."""
        secret = sorted(_SECRET & set(value))
        if secret:
            raise InvalidArgumentError(
                "options: {} would be saved with the stage, in plain text; executors find credentials in their environment "
                "and their profiles".format(", ".join(secret))
            )
        return self._with(options=dict(value))

    def getOptions(self) -> Dict[str, Any]:
        """Return the options of mxinfer's classes by name."""
        return dict(self.getOrDefault(self.options))

    def transformSchema(self, schema: StructType) -> StructType:
        """Return the schema of the result.

        Raises:
            InvalidArgumentError: A column is missing, or its type does not fit.
        """
        output = StructField(self.getOutputCol(), self._result_type(self._work(), schema))
        return StructType([*schema.fields, output])

    def _transform(self, dataset: DataFrame) -> DataFrame:
        work = self._work()
        found = self._result_type(work, dataset.schema)
        result = column_function(work, found)(*self._columns())
        return dataset.withColumn(self.getOutputCol(), result)

    def _work(self) -> Work:
        if not self.isDefined(self.modelUri):
            raise InvalidArgumentError("modelUri is not set; it says where the executors find the model")
        return Work(
            self.getTask(),
            model_ref(self.getModelUri(), self.getSha256()),
            top_k=self.getTopK(),
            score_threshold=self.getScoreThreshold(),
            max_detections=self.getMaxDetections(),
            errors=self.getErrors(),
            batch_rows=self.getBatchSize(),
            max_cell_bytes=self.getMaxCellBytes(),
            metrics=self._metrics,
            options=self.getOptions(),
        )

    def _columns(self) -> List[str]:
        one, several = self.isSet(self.inputCol), self.isSet(self.inputCols)
        if one == several:
            raise InvalidArgumentError("inputCol or inputCols has to be set{}".format(", not both" if one else ""))
        names = [self.getInputCol()] if one else list(self.getInputCols())
        if len(names) != 1 and self.getTask() != "predict":
            raise InvalidArgumentError("inputCols: {} takes one column; got {}".format(self.getTask(), names))
        return names

    def _result_type(self, work: Work, schema: StructType) -> StructType:
        found = table_result_type(work, schema, self._columns(), self.getReturns())
        if self.getOutputCol() in schema.names:
            raise InvalidArgumentError("outputCol: the table has a column '{}' already".format(self.getOutputCol()))
        return found

    def _text(self, name: str) -> Optional[str]:
        param = self.getParam(name)
        return str(self.getOrDefault(param)) if self.isDefined(param) else None

    def _with(self, **values: Any) -> ModelTransformer:
        self._set(**values)
        return self
