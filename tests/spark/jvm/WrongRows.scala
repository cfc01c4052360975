package org.mxinfer.spark.tests

import org.mxinfer.spark.Metrics

/** Rows that are wrong, and partitions without rows. */
final class WrongRows(on: Cluster) extends ClusterCase(on) {
  import Checks._
  import spark.implicits._

  override def run(): Unit = {
    wrongRows()
    raise()
    emptyPartitions()
  }

  private def wrong = Seq(samples.bytes("seven.jpg"), null, Array.empty[Byte], samples.bytes("two.png").take(300),
    "no image".getBytes, new Array[Byte](70 << 10), samples.bytes("two.png"))

  private def wrongRows(): Unit = {
    val metrics = Metrics.register(context)
    val transformer = classifier.setMaxCellBytes(64 << 10).setMetrics(metrics)
    for (topK <- Seq(1, 2)) {
      val found = rows(transformer.setTopK(topK).transform(table(wrong)))
      same(found.map(_.isNullAt(0)), Seq(false, true, true, true, true, true, false), found)
      val errors = found.map(_.getAs[String]("error"))
      same(errors.map(_ == null), Seq(true, false, false, false, false, false, true), errors)
      same(errors(1), "the cell is null", "the error of a null")
      check(errors(5).contains("71680 bytes") && errors(5).contains("maxCellBytes is 65536"), errors(5))
      check(Seq(2, 3, 4).forall(at => errors(at).nonEmpty), errors)
    }
    same(metrics.errors.value.toLong, 10L, "errors counted")
    same(metrics.rows.value.toLong, 14L, "rows counted")
    same(rows(classifier.transform(table(wrong))).map(_.getString(0)).filter(_ != null), Seq("seven", "two"), "labels")
  }

  private def raise(): Unit = {
    val transformer = classifier.setErrors("raise")
    fails("row 1 of partition", "column 'content'", "the cell is null", "errors = 'column'") {
      transformer.transform(table(wrong)).collect()
    }
    fails("row 0 of partition", "PNG")(transformer.transform(table(wrong.slice(3, 4))).collect())
    val right = transformer.transform(table(Seq(samples.bytes("two.png"))))
    same(right.select("best.*").columns.toSeq, Seq("label", "score", "index"), "no column of errors")
    same(right.select("best.label").as[String].collect().toSeq, Seq("two"), "the label")
  }

  private def emptyPartitions(): Unit = {
    val metrics = Metrics.register(context)
    val transformer = classifier.setModelUri(samples.bundle).setMetrics(metrics)
    same(rows(transformer.transform(table(Nil, 4))).size, 0, "rows")
    same(metrics.loads.value.toLong, 0L, "models loaded for nothing")
    same(rows(transformer.transform(table(Seq(samples.bytes("two.png")), 4))).map(_.getString(0)), Seq("two"), "labels")
    same(metrics.loads.value.toLong, 1L, "models loaded")
  }
}
