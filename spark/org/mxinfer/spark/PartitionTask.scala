package org.mxinfer.spark

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row
import org.mxinfer.{InvalidArgumentException, MxinferException, Predictor}
import scala.util.{Failure, Success, Try}

/** What a network gives for images, as fields of the result. */
private[spark] trait ImageResult extends Serializable {
  def opener: Opener

  /** The fields for each image, or what was wrong with it. */
  def run(predictor: Predictor, images: IndexedSeq[CellImage]): IndexedSeq[Either[MxinferException, Row]]

  /** How many fields. */
  def size: Int
}

/** The transformer's work on a partition: goes to the executors, without anything of the model. */
private[spark] final case class PartitionTask(place: ModelPlace, result: ImageResult, name: String, column: Int,
    images: ImageColumn, batchSize: Int, maxCellBytes: Long, hasErrors: Boolean, metrics: Option[Metrics])
    extends (Iterator[Row] => Iterator[Row]) {

  /** An empty partition loads nothing. */
  override def apply(rows: Iterator[Row]): Iterator[Row] =
    if (rows.isEmpty) Iterator.empty
    else {
      val predictor = open()
      var first = 0L
      new Batches(rows, batchSize, maxCellBytes, cellBytes).flatMap { batch =>
        val results = run(predictor, batch, first)
        first += batch.size
        results
      }
    }

  /** The predictor of this JVM, until the task ends. */
  private def open(): Predictor = {
    val task = TaskContext.get()
    val threads = place.options.get("threads").flatMap(text => Try(text.toInt).toOption).getOrElse(task.cpus())
    val model = Models.acquire(place, result.opener)
    task.addTaskCompletionListener[Unit](_ => Models.release(model))
    val predictor = model.take(threads, nanoseconds => metrics.foreach(_.countLoad(nanoseconds)))
    task.addTaskCompletionListener[Unit](_ => model.give(predictor, threads))
    predictor
  }

  private def run(predictor: Predictor, batch: IndexedSeq[Row], first: Long): IndexedSeq[Row] = {
    val cells = batch.map(row => Try(image(row)))
    val answers = result.run(predictor, cells.collect { case Success(image) => image }).iterator
    val results = cells.map {
      case Success(_) => answers.next()
      case Failure(error: MxinferException) => Left(error)
      case Failure(error) => throw error
    }
    metrics.foreach(_.countBatch(results.size, results.count(_.isLeft)))
    batch.indices.map(at => Row.fromSeq(batch(at).toSeq :+ cell(results(at), first + at)))
  }

  private def image(row: Row): CellImage = {
    if (row.isNullAt(column)) throw new InvalidArgumentException("the cell is null")
    if (cellBytes(row) > maxCellBytes) {
      throw new InvalidArgumentException(s"the cell has ${cellBytes(row)} bytes, and maxCellBytes is $maxCellBytes")
    }
    images.image(row.get(column))
  }

  private def cellBytes(row: Row): Long = if (row.isNullAt(column)) 0L else images.bytes(row.get(column))

  private def cell(one: Either[MxinferException, Row], number: Long): Row = one match {
    case Right(row) => if (hasErrors) Row.fromSeq(row.toSeq :+ null) else row
    case Left(error) if hasErrors => Row.fromSeq(Seq.fill(result.size)(null) :+ error.getMessage)
    case Left(error) => throw new MxinferException(error.code,
      s"row $number of partition ${TaskContext.getPartitionId()}, column '$name': ${error.getMessage}; with errors = " +
        "'column' the job goes on, and the column of the results says what was wrong")
  }
}
