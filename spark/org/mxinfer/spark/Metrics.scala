package org.mxinfer.spark

import org.apache.spark.SparkContext
import org.apache.spark.util.{DoubleAccumulator, LongAccumulator}

/** Counts of what transformers have done, as accumulators: for the page of a stage, and for the driver when a job has ended.
  * They say what was done, and not how large the result is: what Spark does again, for an executor that was lost or a table
  * that is used twice, counts again, and tasks that failed count nothing.
  */
final class Metrics private (
    /** Rows that were predicted on, wrong ones too. */
    val rows: LongAccumulator,
    /** Rows that were wrong. */
    val errors: LongAccumulator,
    /** Batches. */
    val batches: LongAccumulator,
    /** Models that were loaded: one in each executor. */
    val loads: LongAccumulator,
    /** What that took, of all executors together. */
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

  /** Makes them, named NAME.rows and so on. */
  def register(context: SparkContext, name: String = "mxinfer"): Metrics = {
    def counter(what: String) = context.longAccumulator(s"$name.$what")
    new Metrics(counter("rows"), counter("errors"), counter("batches"), counter("loads"),
      context.doubleAccumulator(s"$name.load_seconds"))
  }

  /** For Java. */
  def register(context: SparkContext): Metrics = register(context, "mxinfer")
}
