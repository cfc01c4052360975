package org.mxinfer.spark.tests

import org.apache.spark.ml.Pipeline
import org.mxinfer.spark.ImageClassifierTransformer

/** What is refused by the driver before a job has begun. */
final class Schemas(on: Cluster) extends ClusterCase(on) {
  import Checks._

  override def run(): Unit = {
    schemas()
  }

  /** Refused by the driver, and no job has begun. */
  private def schemas(): Unit = {
    val data = table(Seq(samples.bytes("two.png")))
    cluster.times.clear()
    refused("no column 'samples'", "id, content")(classifier.setInputCol("samples").transform(data))
    refused("'id'", "of type int", "binary", "string", "Spark's images")(classifier.setInputCol("id").transform(data))
    refused("outputCol is 'id'")(classifier.setOutputCol("id").transform(data))
    refused("modelUri is not set")(
      new ImageClassifierTransformer().setInputCol("content").setOutputCol("best").transform(data))
    refused("'id'")(new Pipeline().setStages(Array(classifier.setInputCol("id"))).fit(data))
    for (wrong <- Seq(() => classifier.setErrors("ignore"), () => classifier.setTopK(0), () => classifier.setBatchSize(-1))) {
      check(scala.util.Try(wrong()).failed.toOption.exists(_.isInstanceOf[IllegalArgumentException]), "a parameter")
    }
    refused("s3_secret_access_key", "plain text")(classifier.setOptions(Map("s3_secret_access_key" -> "word")))
    same(cluster.times.jobCount, 0, "jobs")
    val result = classifier.transformSchema(data.schema)
    same(result, classifier.transform(data).schema, "the schema before and behind")
    same(result("best").dataType.simpleString, "struct<label:string,score:float,index:int,error:string>", "the result")
  }
}
