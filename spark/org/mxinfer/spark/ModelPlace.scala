package org.mxinfer.spark

import java.nio.file.Paths
import org.apache.spark.{SparkEnv, SparkFiles}
import org.mxinfer.{ErrorCode, Model, MxinferException, Options}
import scala.collection.JavaConverters._

/** Where a model is, and the options that it is loaded with: all that goes to the executors. */
private[spark] final case class ModelPlace(uri: String, sha256: Seq[String], options: Map[String, String]) {
  import ModelPlace._

  /** With so many threads a call, if the options do not say it. */
  def nativeOptions(threads: Int): Options = {
    val native = new Options().threads(threads)
    options.foreach { case (name, value) => native.set(name, value) }
    if (sha256.nonEmpty) native.sha256(sha256.asJava)
    native
  }

  /** On an executor. What goes wrong says where, since the driver tells it. */
  def load(): Model = located(Model.load(path, nativeOptions(1)))

  /** Runs what reads the model. */
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

  /** What follows is the name of a file that SparkContext.addFile has brought to the executors. */
  val SparkFilesPrefix = "spark-files:"

  /** In the driver, of what a caller says. */
  def of(uri: String, sha256: Option[String], options: Map[String, String]): ModelPlace = {
    val isPath = !uri.contains("://") && !uri.startsWith(SparkFilesPrefix)
    ModelPlace(if (isPath) Paths.get(uri).toAbsolutePath.toString else uri,
      sha256.toList.flatMap(_.split(",")).map(_.trim).filter(_.nonEmpty), options)
  }
}
