package org.mxinfer.spark.tests

import org.mxinfer.spark.{Batches, ClassifierOpener, ModelPlace, Models, SharedModel}

/** What a process keeps, in that of the driver. */
final class KeptModels(on: Cluster) extends ClusterCase(on) {
  import Checks._

  override def run(): Unit = {
    keptModels(samples.digits)
    batches()
  }

  /** One predictor a model for tasks of one thread; those of two threads have one each. The last two idle models stay. */
  private def keptModels(uri: String): Unit = {
    var loads = 0
    def place(seed: Int) = ModelPlace.of(uri, None, Map("seed" -> seed.toString))
    def acquired(seed: Int) = Models.acquire(place(seed), ClassifierOpener)
    def take(model: SharedModel, threads: Int) = model.take(threads, _ => loads += 1)

    val held = acquired(100)
    val one = take(held, 1)
    check(take(held, 1) eq one, "the predictor of one thread is shared")
    val (two, other) = (acquired(101), acquired(101))
    check(two eq other, "the model is shared")
    val (first, second) = (take(two, 2), take(two, 2))
    check(first ne second, "predictors of two threads are not shared")
    two.give(first, 2)
    check(take(two, 2) eq first, "an idle one is taken")
    two.give(first, 2)
    two.give(second, 2)
    same(loads, 2, "loads")
    Seq(two, other).foreach(Models.release)
    for (seed <- Seq(102, 103)) {
      check(!first.isClosed, s"idle models before $seed")
      val more = acquired(seed)
      take(more, 1)
      Models.release(more)
    }
    check(first.isClosed && second.isClosed, "the third idle model is closed")
    check(!one.isClosed, "a model that is held is not")
    Models.release(held)
    val again = acquired(103)
    take(again, 1)
    same(loads, 4, "loads: what was idle was there")
    Models.release(again)
  }

  /** No further ahead than a batch, which ends by its bytes too. */
  private def batches(): Unit = {
    var taken = 0
    val items = Iterator(1L, 1L, 1L, 9L, 1L, 50L, 60L, 1L).map { item => taken += 1; item }
    val batches = new Batches[Long](items, 3, 10, identity)
    same(batches.next().toList, List(1L, 1L, 1L), "by its count")
    same(taken, 3, "items taken")
    same(batches.next().toList, List(9L, 1L), "by its bytes")
    same(batches.map(_.toList).toList, List(List(50L), List(60L), List(1L)), "the rest")
  }
}
