package org.mxinfer.spark.tests

import java.nio.file.{Files, Paths}
import java.security.MessageDigest
import org.mxinfer.spark.ImageTransformer

/** Where models are, and what the driver is told if they are not there. */
final class ModelPlaces(on: Cluster) extends ClusterCase(on) {
  import Checks._
  import spark.implicits._

  override def run(): Unit = {
    models()
  }

  private def models(): Unit = {
    val data = table(Seq(samples.bytes("two.png")))
    def label(transformer: ImageTransformer[_]) = transformer.transform(data).select("best.label").as[String].collect().toSeq
    fails("the model '/nowhere/digits' cannot be used on executor", "SparkContext.addFile", "spark-files:NAME") {
      classifier.setModelUri("/nowhere/digits").transform(data).collect()
    }
    fails("spark-files:absent.mxz", "under the name 'absent.mxz'") {
      classifier.setModelUri("spark-files:absent.mxz").transform(data).collect()
    }
    fails("SHA-256")(classifier.setModelUri(samples.bundle).setSha256("0" * 64).transform(data).collect())
    fails("no_such_option")(classifier.setOptions(Map("no_such_option" -> "1")).transform(data).collect())
    val digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(Paths.get(samples.bundle)))
    val sha256 = digest.map(byte => f"$byte%02x").mkString
    context.addFile(samples.bundle)
    same(label(classifier.setModelUri("spark-files:digits.mxz").setSha256(sha256)), Seq("two"), "spark-files")
    same(label(classifier.setModelUri(Paths.get(samples.bundle).toUri.toString)), Seq("two"), "an address")
  }
}
