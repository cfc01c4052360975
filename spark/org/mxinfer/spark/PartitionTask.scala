package org.mxinfer.spark

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row
import org.mxinfer.{InvalidArgumentException, MxinferException, Predictor}
import scala.util.{Failure, Success, Try}

/** The work to do on rows. */
private[spark] trait RowWork extends Serializable {

  /** The value that a row passes to the model. */
  type Item

  def opener: Opener

  /** The columns to read, for messages. */
  def columns: String

  /** The default number of rows of a batch. */
  def batchSize: Int

  /** The number of fields of the result. */
  def size: Int

  /** The bytes of the cells to read. */
  def bytes(row: Row): Long

  /** Reads a row. Throws MxinferException if the row is wrong. */
  def item(row: Row): Item

  /** Returns the fields of each item, or its error. */
  def run(predictor: Predictor, items: IndexedSeq[Item]): IndexedSeq[Either[MxinferException, Row]]
}

/** The transformer's work on a partition. It goes to the executors, without the model. */
private[spark] final case class PartitionTask(place: ModelPlace, work: RowWork, batchSize: Int, maxCellBytes: Long,
    hasErrors: Boolean, metrics: Option[Metrics])
    extends (Iterator[Row] => Iterator[Row]) {

  /** Loads nothing if the partition is empty. */
  override def apply(rows: Iterator[Row]): Iterator[Row] =
    if (rows.isEmpty) Iterator.empty
    else {
      val predictor = open()
      var first = 0L
      new Batches(rows, batchSize, maxCellBytes, work.bytes).flatMap { batch =>
        val results = run(predictor, batch, first)
        first += batch.size
        results
      }
    }

  /** Returns a predictor of this JVM, and gives it back when the task ends. */
  private def open(): Predictor = {
    val task = TaskContext.get()
    val threads = place.options.get("threads").flatMap(text => Try(text.toInt).toOption).getOrElse(task.cpus())
    val model = Models.acquire(place, work.opener)
    task.addTaskCompletionListener[Unit](_ => Models.release(model))
    val predictor = model.take(threads, nanoseconds => metrics.foreach(_.countLoad(nanoseconds)))
    task.addTaskCompletionListener[Unit](_ => model.give(predictor, threads))
    predictor
  }

  private def run(predictor: Predictor, batch: IndexedSeq[Row], first: Long): IndexedSeq[Row] = {
    val items = batch.map(row => Try(item(row)))
    val answers = work.run(predictor, items.collect { case Success(item) => item }).iterator
    val results = items.map {
      case Success(_) => answers.next()
      case Failure(error: MxinferException) => Left(error)
      case Failure(error) => throw error
    }
    metrics.foreach(_.countBatch(results.size, results.count(_.isLeft)))
    batch.indices.map(at => Row.fromSeq(batch(at).toSeq :+ cell(results(at), first + at)))
  }

  private def item(row: Row): work.Item = {
    val bytes = work.bytes(row)
    if (bytes > maxCellBytes) {
      throw new InvalidArgumentException(s"the cell has $bytes bytes, and maxCellBytes is $maxCellBytes")
    }
    work.item(row)
  }

  private def cell(one: Either[MxinferException, Row], number: Long): Row = one match {
    case Right(row) => if (hasErrors) Row.fromSeq(row.toSeq :+ null) else row
    case Left(error) if hasErrors => Row.fromSeq(Seq.fill(work.size)(null) :+ error.getMessage)
    case Left(error) => throw new MxinferException(error.code,
      s"row $number of partition ${TaskContext.getPartitionId()}, ${work.columns}: ${error.getMessage}; with errors = " +
        "'column' the job goes on, and the column of the results says what was wrong")
  }
}
