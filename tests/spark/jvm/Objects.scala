package org.mxinfer.spark.tests

import org.apache.spark.sql.Row
import org.mxinfer.spark.ObjectDetectorTransformer
import scala.collection.JavaConverters._

/** Objects in images, as the jar alone finds them. */
final class Objects(on: Cluster) extends ClusterCase(on) {
  import Checks._

  override def run(): Unit = {
    objects()
  }

  private def objects(): Unit = {
    val ssd = s"${cluster.source}/tests/golden/ssd/ssd"
    val options = Map("height" -> "48", "width" -> "48")
    val detector = new ObjectDetectorTransformer().setInputCol("content").setOutputCol("best").setModelUri(ssd)
      .setOptions(options.asJava).setScoreThreshold(0).setMaxDetections(3)
    val cells = Seq(samples.bytes("two.png"), null, samples.bytes("seven.jpg"))
    val found = rows(detector.transform(table(cells)))
    same(found.map(_.isNullAt(0)), Seq(false, true, false), found)
    same(found(1).getString(1), "the cell is null", "the error")
    val local = new org.mxinfer.ObjectDetector(ssd, new org.mxinfer.Options().height(48).width(48))
    for (at <- Seq(0, 2)) {
      val expected = local.detect(cells(at), 0f, 3).asScala.map(one => Row(one.getClassName, one.getProbability,
        one.getIndex, one.getXMin, one.getYMin, one.getXMax, one.getYMax))
      same(found(at).getSeq[Row](0).toList, expected.toList, "the objects")
      same(expected.size, 3, "objects")
    }
    local.close()
  }
}
