package org.mxinfer.spark.tests

import java.nio.file.{FileAlreadyExistsException, Files, Path, Paths}
import org.apache.spark.sql.DataFrame
import org.mxinfer.spark.Metrics

/** Rows as there were, each what the jar says of its image. */
final class Results(on: Cluster) extends ClusterCase(on) {
  import Checks._
  import spark.implicits._

  override def run(): Unit = {
    results()
    threads()
    lostExecutor()
  }

  private lazy val expected = samples.local(counted, 1)

  /** As many rows as there were, each what the jar says of its image; one model in each executor, and two tasks on it. */
  private def results(): Unit = {
    val parquet = cluster.folder.resolve("samples").toString
    table(counted, 8).write.parquet(parquet)
    val read = spark.read.parquet(parquet).repartition(8)
    val metrics = Metrics.register(context)
    cluster.times.clear()
    val found = classifier.setMetrics(metrics).transform(read).select("id", "best.*").collect()
    same(found.length, counted.size, "rows")
    same(found.map(_.getInt(0)).toSet, counted.indices.toSet, "ids")
    found.foreach { row =>
      close(Seq((row.getString(1), row.getFloat(2), row.getInt(3))), expected(row.getInt(0)), row)
      check(row.isNullAt(4), row)
    }
    check(cluster.times.settled(9).together, "two tasks ran at the same time in an executor")
    same(cluster.times.executors.size, 2, "executors")
    same(metrics.loads.value.toLong, 2L, "models loaded")
    same(metrics.rows.value.toLong, 3000L, "rows counted")
    same(metrics.errors.value.toLong, 0L, "errors")
    check(metrics.batches.value >= 3000 / 32 && metrics.batches.value <= 3000 / 32 + 8, metrics.batches)
    best(metrics, read)
  }

  /** Classes of each, and nothing loaded again. */
  private def best(metrics: Metrics, read: DataFrame): Unit = {
    val expected = samples.local(counted.take(500), 3)
    val found = classifier.setTopK(3).setMetrics(metrics).transform(read.where($"id" < 500))
      .select("id", "best.classes").as[(Int, Seq[(String, Float, Int)])].collect().sortBy(_._1).map(_._2)
    same(found.length, 500, "rows")
    found.zip(expected).foreach { case (one, other) => close(one, other, "the three best classes") }
    same(metrics.loads.value.toLong, 2L, "models loaded")
  }

  /** Labels, and scores but for their last bits, which depend on how many rows are in a batch. */
  private def close(found: Seq[(String, Float, Int)], expected: Seq[(String, Float, Int)], what: => Any): Unit = {
    same(found.map(one => (one._1, one._3)), expected.map(one => (one._1, one._3)), what)
    found.zip(expected).foreach { case (one, other) => check((one._2 - other._2).abs < 1e-5, s"$what: $one, not $other") }
  }

  /** Predictors of several threads, and the same bits as those of one, in batches of the same size. */
  private def threads(): Unit = {
    val expected = samples.local(counted.take(300), 1).map(_.head.productIterator.toSeq :+ null)
    val metrics = Metrics.register(context)
    val transformer = classifier.setOptions(Map("threads" -> "2")).setBatchSize(1).setMetrics(metrics)
    for (_ <- 1 to 2) same(rows(transformer.transform(table(counted.take(300), 8))).map(_.toSeq), expected, "two threads")
    check(metrics.loads.value <= 2, metrics.loads)
    same(metrics.rows.value.toLong, 600L, "rows counted")
  }

  /** An executor ends in the middle of its task: no row is missing, and none is there twice. */
  private def lostExecutor(): Unit = {
    val mark = cluster.folder.resolve("lost").toString
    val data = context.parallelize(counted.zipWithIndex.map(_.swap), 8).map(Results.endOnce(1700, mark))
    val found = classifier.transform(data.toDF("id", "content")).select("id", "best.label").as[(Int, String)].collect()
    check(Files.exists(Paths.get(mark)), "an executor has ended")
    same(found.sortBy(_._1).toList, expected.map(_.head._1).zipWithIndex.map(_.swap).toList, "labels")
  }
}

object Results {

  /** Ends this process at once where a row comes, the first time that it comes. */
  def endOnce(id: Int, mark: String)(row: (Int, Array[Byte])): (Int, Array[Byte]) = {
    if (row._1 == id && isFirst(Paths.get(mark))) Runtime.getRuntime.halt(1)
    row
  }

  private def isFirst(mark: Path): Boolean =
    try { Files.createFile(mark); true } catch { case _: FileAlreadyExistsException => false }
}
