package org.mxinfer.spark.tests

import org.apache.spark.ml.{Pipeline, PipelineModel}
import org.mxinfer.spark.{ImageClassifierTransformer, ObjectDetectorTransformer}

/** Transformers that are saved and loaded. */
final class Persistence(on: Cluster) extends ClusterCase(on) {
  import Checks._

  override def run(): Unit = {
    persistence()
  }

  private def persistence(): Unit = {
    val data = table(counted.take(20))
    val options = Map("threads" -> "1", "labels" -> """["a \"b\"", "ä"]""")
    val saved = classifier.setSha256("ab").setTopK(3).setBatchSize(5).setErrors("raise").setMaxCellBytes(1L << 40)
      .setOptions(options)
    val alone = cluster.folder.resolve("transformer").toString
    saved.save(alone)
    val loaded = ImageClassifierTransformer.load(alone)
    same(loaded.extractParamMap().toSeq.map(pair => pair.param.name -> pair.value).toSet,
      saved.extractParamMap().toSeq.map(pair => pair.param.name -> pair.value).toSet, "parameters")
    same(loaded.uid, saved.uid, "the uid")

    val whole = cluster.folder.resolve("pipeline").toString
    new Pipeline().setStages(Array(classifier.setTopK(2))).fit(data).save(whole)
    val pipeline = PipelineModel.load(whole)
    same(rows(pipeline.transform(data)), rows(classifier.setTopK(2).transform(data)), "results of what was loaded")
    val detector = new ObjectDetectorTransformer().setScoreThreshold(0.25).setMaxDetections(3)
    detector.save(cluster.folder.resolve("detector").toString)
    val again = ObjectDetectorTransformer.load(cluster.folder.resolve("detector").toString)
    same((again.getScoreThreshold, again.getMaxDetections), (0.25, 3), "a detector's parameters")
  }
}
