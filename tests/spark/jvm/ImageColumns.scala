package org.mxinfer.spark.tests

import java.nio.file.Paths
import org.apache.spark.sql.{DataFrame, Row}
import org.mxinfer.spark.ImageTransformer

/** The columns that images can come from. */
final class ImageColumns(on: Cluster) extends ClusterCase(on) {
  import Checks._
  import spark.implicits._

  override def run(): Unit = {
    columns()
    images()
  }

  private def columns(): Unit = {
    val contents = spark.read.format("binaryFile").load(samples.folder)
    val expected = samples.files.map(_.getFileName.toString).map(name => name -> name.takeWhile(_ != '.')).toMap
    def labels(transformer: ImageTransformer[_], data: DataFrame) = transformer.transform(data).collect().map { row =>
      Paths.get(row.getAs[String]("path")).getFileName.toString -> row.getAs[Row]("best").getString(0)
    }.toMap
    same(labels(classifier, contents), expected, "contents")
    same(labels(classifier.setInputCol("path"), contents.select("path")), expected, "Spark's addresses of files")
    val names = samples.files.map(_.toString)
    same(labels(classifier.setInputCol("path"), names.toDF("path")), expected, "paths")
    same(labels(classifier.setInputCol("path"), samples.files.map(_.toUri.toString).toDF("path")), expected, "addresses")
    val odd = classifier.setInputCol("path").transform(Seq("/nowhere.png", "s3://b/a b", names.head).toDF("path"))
      .select("best.error").as[String].collect()
    check(odd(0).contains("/nowhere.png") && odd(1).contains("%20") && odd(2) == null, odd.toSeq)
  }

  /** Spark's own reader of images, and pixels with alpha. */
  private def images(): Unit = {
    val read = spark.read.format("image").load(samples.folder)
    val found = classifier.setInputCol("image").transform(read).select("image.origin", "best.*").collect()
    same(found.length, 10, "images")
    samples.withClassifier { local =>
      found.foreach { row =>
        val image = javax.imageio.ImageIO.read(new java.io.File(new java.net.URI(row.getString(0))))
        same(row.toSeq.slice(1, 4), SampleImages.tuples(local.classify(image, 1)).head.productIterator.toSeq, row)
      }
    }
    val made = Seq((2, 1, 4, Array[Byte](1, 2, 3, 99, 4, 5, 6, 99)), (2, 1, 3, Array[Byte](1, 2, 3, 4, 5, 6)),
      (2, 2, 3, Array[Byte](1, 2, 3)), (-1, -1, -1, Array.empty[Byte])).toDF("width", "height", "nChannels", "data")
      .selectExpr("struct(width, height, nChannels, data) as image").coalesce(1)
    val results = classifier.setInputCol("image").transform(made).select("best.*").collect()
    same(results(0), results(1), "alpha is passed over")
    check(results(2).getString(3).contains("2 x 2 pixels of 3 bytes, and has 3 bytes"), results(2))
    check(results(3).getString(3).contains("Spark could not read"), results(3))
  }
}
