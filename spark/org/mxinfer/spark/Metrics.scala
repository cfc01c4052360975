package org.mxinfer.spark

import org.apache.spark.SparkContext
import org.apache.spark.util.{DoubleAccumulator, LongAccumulator}

/** Accumulators that count what transformers do. The page of a stage shows them, and the driver can read them when a job has
  * ended. They measure work done, not the size of a result: if Spark repeats work, for a lost executor or a table that is used
  * twice, it counts again. Failed tasks count nothing.
  */
final class Metrics private (
    /** Rows that the models ran on, including invalid ones. */
    val rows: LongAccumulator,
    /** Invalid rows. */
    val errors: LongAccumulator,
    /** Batches. */
    val batches: LongAccumulator,
    /** Loads of models: one in each executor. */
    val loads: LongAccumulator,
    /** The time of all loads together, in seconds. */
    val loadSeconds: DoubleAccumulator)
    extends Serializable {

  private[spark] def countBatch(ofRows: Int, wrong: Int): Unit = {
    rows.add(ofRows.toLong)
    errors.add(wrong.toLong)
    batches.add(1)
  }

  private[spark] def countLoad(nanoseconds: Long): Unit = {
    loads.add(1)
    loadSeconds.add(nanoseconds / 1e9)
  }
}

object Metrics {

  /** Registers the accumulators, named NAME.rows and so on. */
  def register(context: SparkContext, name: String = "mxinfer"): Metrics = {
    def counter(what: String) = context.longAccumulator(s"$name.$what")
    new Metrics(counter("rows"), counter("errors"), counter("batches"), counter("loads"),
      context.doubleAccumulator(s"$name.load_seconds"))
  }

  /** For Java. */
  def register(context: SparkContext): Metrics = register(context, "mxinfer")
}
