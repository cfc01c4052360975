package org.mxinfer.infer

import java.util.concurrent.{CancellationException, CompletableFuture, CompletionException}
import java.util.function.BiConsumer
import org.mxinfer
import scala.collection.JavaConverters._
import scala.concurrent.{Future, Promise}
import scala.util.Try

/** Between Java's types and Scala's. */
private[infer] object Convert {
  def indexed[T](list: java.util.List[T]): IndexedSeq[T] = list.asScala.toIndexedSeq

  def javaList[T](items: Iterable[T]): java.util.List[T] = items.toSeq.asJava

  /** What became of the items of a list. */
  def results[T, R](of: java.util.List[mxinfer.ItemResult[T]])(convert: T => R): IndexedSeq[Try[R]] =
    indexed(of).map(result => Try(convert(result.get)))

  def javaShapes(shapes: Map[String, Shape]): java.util.Map[String, mxinfer.Shape] = shapes.asJava

  def future[T, R](from: CompletableFuture[T])(convert: T => R): Future[R] = {
    val promise = Promise[R]()
    from.whenComplete(new BiConsumer[T, Throwable] {
      override def accept(value: T, error: Throwable): Unit =
        promise.complete(if (error == null) converted(value, convert) else scala.util.Failure(causeOf(error)))
    })
    promise.future
  }

  /** As Try, but with what is fatal too: the promise must be kept, and nobody else would see it. */
  private def converted[T, R](value: T, convert: T => R): scala.util.Try[R] =
    try scala.util.Success(convert(value))
    catch { case error: Throwable => scala.util.Failure(error) }

  private def causeOf(error: Throwable): Throwable = error match {
    case wrapped: CompletionException if wrapped.getCause != null => wrapped.getCause
    case cancelled: CancellationException => cancelled
    case other => other
  }

  /** No topK is every class in the order of the labels; 0 would be that too, and is none of MXNet's. */
  def topK(of: Option[Int]): Int = {
    of.foreach { k =>
      if (k < 1) throw new mxinfer.InvalidArgumentException(s"topK is $k; it is 1 or more, or None for all classes")
    }
    of.getOrElse(0)
  }

  def labelled[T](classes: java.util.List[mxinfer.Classification])(score: Float => T): IndexedSeq[(String, T)] =
    indexed(classes).map(one => (one.label, score(one.score)))

  def found(objects: java.util.List[mxinfer.Detection]): IndexedSeq[(String, Array[Float])] =
    indexed(objects).map { one =>
      (one.getClassName, Array(one.getProbability, one.getXMin, one.getYMin, one.getXMax, one.getYMax))
    }

  /** Options for descriptors of inputs, if there are some. */
  def options(given: Options, inputs: IndexedSeq[DataDesc]): Options = {
    val copy = new mxinfer.Options
    given.toMap.asScala.foreach { case (name, value) => copy.set(name, value) }
    if (inputs.nonEmpty) copy.inputs(javaList(inputs.map(DataDesc.withFreeBatch)))
    copy
  }
}
