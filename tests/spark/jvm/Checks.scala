package org.mxinfer.spark.tests

import org.apache.spark.SparkException
import org.mxinfer.{ErrorCode, MxinferException}

/** What the cases check with. */
object Checks {
  private var count = 0

  def checks: Int = count

  def check(holds: Boolean, what: => Any): Unit = {
    count += 1
    if (!holds) throw new AssertionError(what.toString)
  }

  def same[T](found: T, expected: T, what: => Any): Unit =
    check(found == expected, s"$what: $found, where $expected is expected")

  /** The driver refuses it: an error of mxinfer itself, with such words. */
  def refused(words: String*)(body: => Any): Unit = {
    val error = thrown(body)
    check(error.isInstanceOf[MxinferException], s"an error of mxinfer is expected: $error")
    same(error.asInstanceOf[MxinferException].code, ErrorCode.INVALID_ARGUMENT, "the code")
    has(error, words)
  }

  /** The job fails, and the driver is told these words. */
  def fails(words: String*)(body: => Any): Unit = {
    val error = thrown(body)
    check(error.isInstanceOf[SparkException], s"an error of the job is expected: $error")
    has(error, words)
  }

  private def thrown(body: => Any): Throwable = {
    val error = try { body; null } catch { case any: Exception => any }
    check(error != null, "an error is expected")
    error
  }

  private def has(error: Throwable, words: Seq[String]): Unit =
    words.foreach(word => check(error.getMessage.contains(word), s"'$word' is not in: ${error.getMessage}"))
}
