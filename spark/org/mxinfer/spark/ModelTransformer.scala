package org.mxinfer.spark

import org.apache.spark.ml.Transformer
import org.apache.spark.ml.param._
import org.apache.spark.ml.param.shared.HasOutputCol
import org.apache.spark.ml.util.DefaultParamsWritable
import org.apache.spark.sql.{DataFrame, Dataset, Encoders}
import org.apache.spark.sql.types._
import org.mxinfer.InvalidArgumentException
import scala.collection.JavaConverters._

/** Adds a column with the results of a model for the rows of a table. Each executor loads the model once, when it first has a
  * row for it. The driver neither reads nor sends the model.
  *
  * The schema is checked before a job starts. If a row is invalid, for example because of a null, its results are null and the
  * field `error` says what is wrong; with errors = "raise" the row fails its task instead. A model that cannot be loaded always
  * fails the task.
  *
  * `Self` is the class itself. Its methods return it, so that calls can be chained in Java too.
  */
abstract class ModelTransformer[Self <: ModelTransformer[Self]] private[spark] extends Transformer with HasOutputCol
    with DefaultParamsWritable {

  /** Where the model is: an address that the executors can reach, a path that exists on all of them, or spark-files:NAME for a
    * file that SparkContext.addFile sent to them. A relative path starts in the driver's working directory.
    */
  final val modelUri: Param[String] =
    new Param[String](this, "modelUri", "the model: an address, a path on every executor, or spark-files:NAME")

  /** Checksums of the model's files, separated by commas. Each file that is read must have one of these. */
  final val sha256: Param[String] = new Param[String](this, "sha256", "checksums of the model's files, separated by commas")

  /** The most rows that run as one batch. 0: 32 images, or 256 rows of numbers. */
  final val batchSize: IntParam = new IntParam(this, "batchSize",
    "rows that run as one batch; 0: 32 images, or 256 rows of numbers", ParamValidators.gtEq(0))

  /** How to handle invalid rows. "column": the field `error` says what is wrong; "raise": the row fails the task. */
  final val errors: Param[String] = new Param[String](this, "errors", "how to handle invalid rows: column or raise",
    ParamValidators.inArray(Array("column", "raise")))

  /** A cell with more bytes is an error. A batch also ends with the cell that brings it to this number of bytes. */
  final val maxCellBytes: LongParam =
    new LongParam(this, "maxCellBytes", "a cell with more bytes is an error", ParamValidators.gt(0))

  /** Options of the library by name. The default of threads is spark.task.cpus. Keys and tokens are rejected; put them into the
    * environment of the executors.
    */
  final val options: TextMapParam = new TextMapParam(this, "options", "options of mxinfer by name")

  setDefault(outputCol -> "result", batchSize -> 0, errors -> "column", maxCellBytes -> (64L << 20),
    options -> Map.empty[String, String])

  def setOutputCol(value: String): Self = assigned(outputCol, value)
  def setModelUri(value: String): Self = assigned(modelUri, value)
  def setSha256(value: String): Self = assigned(sha256, value)
  def setBatchSize(value: Int): Self = assigned(batchSize, value)
  def setErrors(value: String): Self = assigned(errors, value)
  def setMaxCellBytes(value: Long): Self = assigned(maxCellBytes, value)

  def setOptions(value: Map[String, String]): Self = {
    val secret = value.keySet.intersect(ModelTransformer.Secret)
    if (secret.nonEmpty) {
      refuse(s"${secret.toSeq.sorted.mkString(", ")} would be saved with the transformer, in plain text; executors find " +
        "credentials in their environment and their profiles")
    }
    assigned(options, value)
  }

  /** For Java. */
  def setOptions(value: java.util.Map[String, String]): Self = setOptions(value.asScala.toMap)

  def getModelUri: String = $(modelUri)
  def getSha256: String = $(sha256)
  def getBatchSize: Int = $(batchSize)
  def getErrors: String = $(errors)
  def getMaxCellBytes: Long = $(maxCellBytes)
  def getOptions: Map[String, String] = $(options)

  private var metrics: Option[Metrics] = None

  /** Sets the metrics to count into. They are not saved with the transformer. */
  def setMetrics(value: Metrics): Self = {
    metrics = Option(value)
    self
  }

  private[spark] final def assigned[T](param: Param[T], value: T): Self = {
    set(param, value)
    self
  }

  private def self = this.asInstanceOf[Self]

  /** Checks that the columns to read are set and fit, and returns the work to do on them. */
  private[spark] def work(schema: StructType): RowWork

  /** The fields of the result, without `error`. */
  private[spark] def resultFields: Seq[StructField]

  /** Returns the schema of the result. Throws InvalidArgumentException, which names the column, its type and the expected one. */
  override def transformSchema(schema: StructType): StructType = {
    work(schema)
    if (!isDefined(modelUri)) refuse(s"modelUri is not set: ${modelUri.doc}")
    if (schema.fieldNames.contains($(outputCol))) {
      refuse(s"outputCol is '${$(outputCol)}', and the table has such a column; choose another name")
    }
    val error = if (hasErrors) Seq(StructField("error", StringType)) else Nil
    schema.add(StructField($(outputCol), StructType(resultFields ++ error)))
  }

  override def transform(dataset: Dataset[_]): DataFrame = {
    val schema = transformSchema(dataset.schema, logging = true)
    val place = ModelPlace.of($(modelUri), get(sha256), $(options))
    val rows = work(dataset.schema)
    val most = if ($(batchSize) == 0) rows.batchSize else $(batchSize)
    val task = PartitionTask(place, rows, most, $(maxCellBytes), hasErrors, metrics)
    dataset.toDF().mapPartitions(task)(Encoders.row(schema))
  }

  override def copy(extra: ParamMap): this.type = {
    val that = defaultCopy[Self](extra)
    that.metrics = metrics
    that.asInstanceOf[this.type]
  }

  private def hasErrors = $(errors) == "column"

  private[spark] final def column(schema: StructType, name: String): StructField = schema.fields.find(_.name == name)
    .getOrElse(refuse(s"there is no column '$name'; the table has ${schema.fieldNames.mkString(", ")}"))

  private[spark] final def refuse(message: String): Nothing = throw new InvalidArgumentException(s"$uid: $message")
}

private[spark] object ModelTransformer {
  private val Secret =
    Set("headers", "s3_access_key_id", "s3_secret_access_key", "s3_session_token", "hdfs_delegation_token")
}
