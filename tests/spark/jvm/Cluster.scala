package org.mxinfer.spark.tests

import java.nio.file.Path
import org.apache.spark.SparkContext
import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.mxinfer.spark.ImageClassifierTransformer

/** What the cases run on: a session, the sources, and a folder for what they write. */
final class Cluster(val spark: SparkSession, val source: String, val folder: Path) {
  val samples = new SampleImages(source)
  val counted: IndexedSeq[Array[Byte]] = samples.make(3000)
  val times = new TaskTimes(spark.sparkContext)
}

/** Cases of one subject. */
abstract class ClusterCase(protected val cluster: Cluster) {
  protected final val spark: SparkSession = cluster.spark
  protected def context: SparkContext = spark.sparkContext
  protected def samples: SampleImages = cluster.samples
  protected def counted: IndexedSeq[Array[Byte]] = cluster.counted

  def run(): Unit

  protected def classifier = new ImageClassifierTransformer().setInputCol("content").setOutputCol("best")
    .setModelUri(samples.digits)

  protected def table(cells: Seq[Array[Byte]], partitions: Int = 1): DataFrame =
    spark.createDataFrame(context.parallelize(cells.zipWithIndex.map(_.swap), partitions)).toDF("id", "content")

  /** The results by id. They are sorted here: a sort on the cluster computes them once more, to see how they are spread. */
  protected def rows(table: DataFrame): Seq[Row] =
    table.select("id", "best").collect().sortBy(_.getInt(0)).map(_.getStruct(1)).toSeq
}
