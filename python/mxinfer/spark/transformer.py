"""ModelTransformer: a model as a stage of a Pipeline of Spark ML."""

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
# A saved pipeline is a file in plain text.
_SECRET = frozenset({"headers", "s3_access_key_id", "s3_secret_access_key", "s3_session_token", "hdfs_delegation_token"})


def _param(name: str, doc: str, convert: Callable[[Any], Any]) -> Any:
    return Param(Params._dummy(), name, doc, convert)


class ModelTransformer(
    Transformer, HasInputCol, HasInputCols, HasOutputCol, DefaultParamsReadable, DefaultParamsWritable
):
    """Adds a struct column with a model's results, as classify_udf, detect_udf or predict_udf give them (`task`).

    A stage of a Pipeline: it is saved and loaded with it, by the model's address, not its weights. Types of columns are
    checked when transform is called, before a job starts. Each parameter is a keyword of the constructor and has a
    set and a get method: setTopK, getTopK. `options` is a dict of the options of mxinfer's classes.
    """

    task: Any = _param("task", "what the model does: classify, detect or predict", TypeConverters.toString)
    modelUri: Any = _param("modelUri", "the model's path or address, for every executor", TypeConverters.toString)
    sha256: Any = _param("sha256", "the SHA-256 of the model's file", TypeConverters.toString)
    topK: Any = _param("topK", "how many classes of each row", TypeConverters.toInt)
    scoreThreshold: Any = _param("scoreThreshold", "the least score of an object", TypeConverters.toFloat)
    maxDetections: Any = _param("maxDetections", "the most objects of a row", TypeConverters.toInt)
    batchSize: Any = _param("batchSize", "rows that go through the network at a time; 0: as many as are right", TypeConverters.toInt)
    maxCellBytes: Any = _param("maxCellBytes", "a binary cell of more bytes is wrong", TypeConverters.toInt)
    errors: Any = _param("errors", "column: wrong rows have an error; raise: they fail the job", TypeConverters.toString)
    returns: Any = _param("returns", "of predict, the outputs as DDL; else the driver loads the model", TypeConverters.toString)
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
        """Has the workers count into these. They are of a session, and not saved."""
        self._metrics = metrics
        return self

    def setInputCol(self, value: str) -> ModelTransformer:
        """The column that is read."""
        return self._with(inputCol=value)

    def setInputCols(self, value: Sequence[str]) -> ModelTransformer:
        """Of predict, the columns that are read: one for each input, or the features of the only one."""
        return self._with(inputCols=list(value))

    def setOutputCol(self, value: str) -> ModelTransformer:
        """The column that is added."""
        return self._with(outputCol=value)

    def setModelUri(self, value: ModelSource) -> ModelTransformer:
        """Where the executors find the model. Of a ModelRef, its address and checksum; one that was broadcast is none."""
        ref = model_ref(value)
        if ref.contents is not None:
            raise InvalidArgumentError(
                "modelUri: a model that was broadcast lives as long as its session, and a stage longer; expected a path "
                "or an address"
            )
        return self._with(modelUri=ref.uri, **({} if ref.sha256 is None else {"sha256": ref.sha256}))

    def getModelUri(self) -> str:
        """Where the executors find the model."""
        return str(self.getOrDefault(self.modelUri))

    def setSha256(self, value: str) -> ModelTransformer:
        """The SHA-256 that the model's file must have."""
        return self._with(sha256=value)

    def getSha256(self) -> Optional[str]:
        """The SHA-256 that the model's file must have."""
        return self._text("sha256")

    def setTask(self, value: str) -> ModelTransformer:
        """classify, detect or predict."""
        _types.check_choice("task", value, TASKS)
        return self._with(task=value)

    def getTask(self) -> str:
        """classify, detect or predict."""
        return str(self.getOrDefault(self.task))

    def setTopK(self, value: int) -> ModelTransformer:
        """How many classes of each row."""
        _types.check_count("topK", value)
        return self._with(topK=value)

    def getTopK(self) -> int:
        """How many classes of each row."""
        return int(self.getOrDefault(self.topK))

    def setScoreThreshold(self, value: float) -> ModelTransformer:
        """The least score of an object."""
        return self._with(scoreThreshold=value)

    def getScoreThreshold(self) -> float:
        """The least score of an object."""
        return float(self.getOrDefault(self.scoreThreshold))

    def setMaxDetections(self, value: int) -> ModelTransformer:
        """The most objects of a row, the best."""
        _types.check_count("maxDetections", value)
        return self._with(maxDetections=value)

    def getMaxDetections(self) -> Optional[int]:
        """The most objects of a row; None: all."""
        return int(self.getOrDefault(self.maxDetections)) if self.isDefined(self.maxDetections) else None

    def setBatchSize(self, value: int) -> ModelTransformer:
        """How many rows go through the network at a time; 0: as many as TablePredictor finds right."""
        _types.check_count("batchSize", value, least=0)
        return self._with(batchSize=value)

    def getBatchSize(self) -> int:
        """How many rows go through the network at a time; 0: as many as TablePredictor finds right."""
        return int(self.getOrDefault(self.batchSize))

    def setMaxCellBytes(self, value: int) -> ModelTransformer:
        """A binary cell of more bytes is wrong."""
        _types.check_count("maxCellBytes", value)
        return self._with(maxCellBytes=value)

    def getMaxCellBytes(self) -> int:
        """A binary cell of more bytes is wrong."""
        return int(self.getOrDefault(self.maxCellBytes))

    def setErrors(self, value: str) -> ModelTransformer:
        """"column" gives wrong rows an error, "raise" fails the job."""
        _types.check_choice("errors", value, ("column", "raise"))
        return self._with(errors=value)

    def getErrors(self) -> str:
        """What becomes of wrong rows."""
        return str(self.getOrDefault(self.errors))

    def setReturns(self, value: str) -> ModelTransformer:
        """Of predict, the fields of the result as DDL, so that the driver does not load the model to see."""
        return self._with(returns=value)

    def getReturns(self) -> Optional[str]:
        """Of predict, the fields of the result."""
        return self._text("returns")

    def setOptions(self, value: Mapping[str, Any]) -> ModelTransformer:
        """Options of mxinfer's classes by name. No keys and tokens: they would be saved in plain text."""
        secret = sorted(_SECRET & set(value))
        if secret:
            raise InvalidArgumentError(
                "options: {} would be saved with the stage, in plain text; executors find credentials in their environment "
                "and their profiles".format(", ".join(secret))
            )
        return self._with(options=dict(value))

    def getOptions(self) -> Dict[str, Any]:
        """Options of mxinfer's classes by name."""
        return dict(self.getOrDefault(self.options))

    def transformSchema(self, schema: StructType) -> StructType:
        """The schema of the result. InvalidArgumentError: a column is missing or has a type that does not fit."""
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
