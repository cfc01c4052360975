package org.mxinfer.spark

import scala.collection.mutable.ArrayBuffer

/** Groups items into batches, and reads ahead at most one batch. A batch ends with `most` items, or with the item that
  * brings it to `bytes`.
  */
private[spark] final class Batches[T](items: Iterator[T], most: Int, bytes: Long, size: T => Long)
    extends Iterator[IndexedSeq[T]] {
  override def hasNext: Boolean = items.hasNext

  override def next(): IndexedSeq[T] = {
    val batch = new ArrayBuffer[T]
    var held = 0L
    do {
      val item = items.next()
      held += size(item)
      batch += item
    } while (batch.size < most && held < bytes && items.hasNext)
    batch.toIndexedSeq
  }
}
