package org.mxinfer.spark.tests

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart, SparkListenerTaskEnd}
import scala.collection.mutable.ArrayBuffer

/** What ran where and when. Spark tells it somewhat later: `settled` waits for that. */
final class TaskTimes(context: SparkContext) extends SparkListener {
  private val tasks = new ArrayBuffer[(String, Long, Long)]
  private var jobs = 0
  context.addSparkListener(this)

  override def onTaskEnd(task: SparkListenerTaskEnd): Unit = synchronized {
    tasks += ((task.taskInfo.executorId, task.taskInfo.launchTime, task.taskInfo.finishTime))
  }

  override def onJobStart(job: SparkListenerJobStart): Unit = synchronized { jobs += 1 }

  def clear(): Unit = synchronized {
    tasks.clear()
    jobs = 0
  }

  def jobCount: Int = synchronized(jobs)

  def executors: Set[String] = synchronized(tasks.map(_._1).toSet)

  def count: Int = synchronized(tasks.size)

  def settled(atLeast: Int): this.type = {
    val end = System.nanoTime + 300000000000L  // something hangs then
    while (count < atLeast) {
      if (System.nanoTime > end) throw new AssertionError(s"Spark has told of $count tasks, and not of $atLeast")
      Thread.sleep(20)
    }
    this
  }

  /** Whether two ran at the same time in one executor. */
  def together: Boolean = synchronized {
    val pairs = for (one <- tasks; other <- tasks if one ne other) yield (one, other)
    pairs.exists { case (one, other) => one._1 == other._1 && one._2 < other._3 && other._2 < one._3 }
  }
}
