package org.mxinfer.spark

import java.nio.file.Paths
import org.apache.spark.{SparkEnv, SparkFiles}
import org.mxinfer.{ErrorCode, Model, MxinferException, Options}
import scala.collection.JavaConverters._

/** Where a model is, and the options to load it with. Nothing else goes to the executors. */
private[spark] final case class ModelPlace(uri: String, sha256: Seq[String], options: Map[String, String]) {
  import ModelPlace._

  /** Returns the options, with this number of threads for each call unless the options set it. */
  def nativeOptions(threads: Int): Options = {
    val native = new Options().threads(threads)
    options.foreach { case (name, value) => native.set(name, value) }
    if (sha256.nonEmpty) native.sha256(sha256.asJava)
    native
  }

  /** Loads the model on an executor. Errors name the executor, since the driver reports them. */
  def load(): Model = located(Model.load(path, nativeOptions(1)))

  /** Runs code that reads the model, and adds the executor to its errors. */
  def located[T](read: => T): T =
    try read
    catch {
      case error: MxinferException => throw failure(error.code, error.getMessage + hint(error.code), error)
      case error: LinkageError => throw failure(ErrorCode.UNSUPPORTED, s"mxinfer does not run there: $error", error)
    }

  private def path = if (uri.startsWith(SparkFilesPrefix)) SparkFiles.get(uri.stripPrefix(SparkFilesPrefix)) else uri

  private def failure(code: ErrorCode, message: String, cause: Throwable) = {
    val whole = new MxinferException(code, s"the model '$uri' cannot be used on $here: $message")
    whole.initCause(cause)
    whole
  }

  private def hint(code: ErrorCode): String =
    if (code != ErrorCode.NOT_FOUND || uri.contains("://")) ""
    else if (uri.startsWith(SparkFilesPrefix)) {
      "; give the file to Spark by SparkContext.addFile or spark-submit --files, under the name " +
        s"'${uri.stripPrefix(SparkFilesPrefix)}'"
    } else {
      s"; a path must be there on every executor: give an address (https, s3, hdfs), or add the file by " +
        s"SparkContext.addFile and name it '${SparkFilesPrefix}NAME'"
    }

  private def here = {
    val env = SparkEnv.get
    s"executor ${env.executorId} (${env.blockManager.blockManagerId.host})"
  }
}

private[spark] object ModelPlace {

  /** The prefix of the name of a file that SparkContext.addFile sent to the executors. */
  val SparkFilesPrefix = "spark-files:"

  /** Makes a ModelPlace in the driver, from the parameters of the caller. */
  def of(uri: String, sha256: Option[String], options: Map[String, String]): ModelPlace = {
    val isPath = !uri.contains("://") && !uri.startsWith(SparkFilesPrefix)
    ModelPlace(if (isPath) Paths.get(uri).toAbsolutePath.toString else uri,
      sha256.toList.flatMap(_.split(",")).map(_.trim).filter(_.nonEmpty), options)
  }
}
