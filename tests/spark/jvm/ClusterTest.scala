package org.mxinfer.spark.tests

import java.nio.file.Paths
import org.apache.spark.sql.SparkSession

/** The transformers on a cluster of processes: ClusterTest SOURCES FOLDER, by spark-submit. */
object ClusterTest {
  def main(arguments: Array[String]): Unit = {
    val spark = SparkSession.builder.appName("mxinfer").getOrCreate()
    try run(new Cluster(spark, arguments(0), Paths.get(arguments(1)))) finally spark.stop()
    println(s"spark: ${Checks.checks} checks hold")
  }

  private def run(cluster: Cluster): Unit = Seq(new Results(cluster), new WrongRows(cluster), new Schemas(cluster),
    new ModelPlaces(cluster), new Persistence(cluster), new ImageColumns(cluster), new Objects(cluster),
    new Predictions(cluster), new KeptModels(cluster)).foreach { each =>
    val begin = System.nanoTime
    each.run()
    println(f"${each.getClass.getSimpleName}: ${(System.nanoTime - begin) / 1e9}%.1f s")
  }
}
