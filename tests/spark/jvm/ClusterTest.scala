package org.mxinfer.spark.tests

import java.nio.file.{Files, Path, Paths}
import java.security.MessageDigest
import org.apache.spark.ml.{Pipeline, PipelineModel}
import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.mxinfer.spark.{ImageClassifierTransformer, ImageTransformer, Metrics, ObjectDetectorTransformer}
import scala.collection.JavaConverters._

/** The transformers on a cluster of processes: ClusterTest SOURCES FOLDER, by spark-submit. */
object ClusterTest {
  import Checks._

  def main(arguments: Array[String]): Unit = {
    val spark = SparkSession.builder.appName("mxinfer").getOrCreate()
    try new ClusterTest(spark, new Pictures(arguments(0)), arguments(0), Paths.get(arguments(1))).run()
    finally spark.stop()
    println(s"spark: $checks checks hold")
  }
}

final class ClusterTest(spark: SparkSession, pictures: Pictures, source: String, folder: Path) {
  import Checks._
  import spark.implicits._

  private val context = spark.sparkContext
  private val times = new TaskTimes(context)

  def run(): Unit = {
    val cases = Seq[(String, () => Unit)]("results" -> results _, "threads" -> threads _, "wrong rows" -> wrongRows _,
      "raise" -> raise _, "empty partitions" -> emptyPartitions _, "schemas" -> schemas _, "models" -> models _,
      "persistence" -> persistence _, "columns of images" -> columns _, "objects" -> objects _, "models that are kept" -> (() => ModelsTest.run(pictures.digits)))
    cases.foreach { case (name, run) =>
      val begin = System.nanoTime
      run()
      println(f"$name: ${(System.nanoTime - begin) / 1e9}%.1f s")
    }
  }

  private def classifier = new ImageClassifierTransformer().setInputCol("content").setOutputCol("best")
    .setModelUri(pictures.digits)

  private def table(cells: Seq[Array[Byte]], partitions: Int = 1): DataFrame =
    context.parallelize(cells.zipWithIndex.map(_.swap), partitions).toDF("id", "content")

  /** The results by id. They are sorted here: a sort on the cluster computes them once more, to see how they are spread. */
  private def rows(table: DataFrame): Seq[Row] =
    table.select("id", "best").collect().sortBy(_.getInt(0)).map(_.getStruct(1)).toSeq

  private val counted = pictures.make(3000)

  /** As many rows as there were, each what the jar says of its picture; one model in each executor, and two tasks on it. */
  private def results(): Unit = {
    val parquet = folder.resolve("pictures").toString
    table(counted, 8).write.parquet(parquet)
    val read = spark.read.parquet(parquet).repartition(8)
    val metrics = Metrics.register(context)
    times.clear()
    val found = classifier.setMetrics(metrics).transform(read).select("id", "best.*").collect()
    val expected = pictures.local(counted, 1)
    same(found.length, counted.size, "rows")
    same(found.map(_.getInt(0)).toSet, counted.indices.toSet, "ids")
    found.foreach { row =>
      close(Seq((row.getString(1), row.getFloat(2), row.getInt(3))), expected(row.getInt(0)), row)
      check(row.isNullAt(4), row)
    }
    check(times.settled(9).together, "two tasks ran at the same time in an executor")
    same(times.executors.size, 2, "executors")
    same(metrics.loads.value.toLong, 2L, "models loaded")
    same(metrics.rows.value.toLong, 3000L, "rows counted")
    same(metrics.errors.value.toLong, 0L, "errors")
    check(metrics.batches.value >= 3000 / 64 && metrics.batches.value <= 3000 / 64 + 8, metrics.batches)
    best(metrics, read)
  }

  /** Classes of each, and nothing loaded again. */
  private def best(metrics: Metrics, read: DataFrame): Unit = {
    val expected = pictures.local(counted.take(500), 3)
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
    val expected = pictures.local(counted.take(300), 1).map(_.head.productIterator.toSeq :+ null)
    val metrics = Metrics.register(context)
    val transformer = classifier.setOptions(Map("threads" -> "2")).setBatchSize(1).setMetrics(metrics)
    for (_ <- 1 to 2) same(rows(transformer.transform(table(counted.take(300), 8))).map(_.toSeq), expected, "two threads")
    check(metrics.loads.value <= 2, metrics.loads)
    same(metrics.rows.value.toLong, 600L, "rows counted")
  }

  private def wrong = Seq(pictures.bytes("seven.jpg"), null, Array.empty[Byte], pictures.bytes("two.png").take(300),
    "no image".getBytes, new Array[Byte](70 << 10), pictures.bytes("two.png"))

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
    val right = transformer.transform(table(Seq(pictures.bytes("two.png"))))
    same(right.select("best.*").columns.toSeq, Seq("label", "score", "index"), "no column of errors")
    same(right.select("best.label").as[String].collect().toSeq, Seq("two"), "the label")
  }

  private def emptyPartitions(): Unit = {
    val metrics = Metrics.register(context)
    val transformer = classifier.setModelUri(pictures.bundle).setMetrics(metrics)
    same(rows(transformer.transform(table(Nil, 4))).size, 0, "rows")
    same(metrics.loads.value.toLong, 0L, "models loaded for nothing")
    same(rows(transformer.transform(table(Seq(pictures.bytes("two.png")), 4))).map(_.getString(0)), Seq("two"), "labels")
    same(metrics.loads.value.toLong, 1L, "models loaded")
  }

  /** Refused by the driver, and no job has begun. */
  private def schemas(): Unit = {
    val data = table(Seq(pictures.bytes("two.png")))
    times.clear()
    refused("inputCol is 'pictures'", "id, content")(classifier.setInputCol("pictures").transform(data))
    refused("'id'", "of type int", "binary", "string", "Spark's images")(classifier.setInputCol("id").transform(data))
    refused("outputCol is 'id'")(classifier.setOutputCol("id").transform(data))
    refused("modelUri is not set")(
      new ImageClassifierTransformer().setInputCol("content").setOutputCol("best").transform(data))
    refused("'id'")(new Pipeline().setStages(Array(classifier.setInputCol("id"))).fit(data))
    for (wrong <- Seq(() => classifier.setErrors("ignore"), () => classifier.setTopK(0), () => classifier.setBatchSize(0))) {
      check(scala.util.Try(wrong()).failed.toOption.exists(_.isInstanceOf[IllegalArgumentException]), "a parameter")
    }
    same(times.jobCount, 0, "jobs")
    val result = classifier.transformSchema(data.schema)
    same(result, classifier.transform(data).schema, "the schema before and behind")
    same(result("best").dataType.simpleString, "struct<label:string,score:float,index:int,error:string>", "the result")
  }

  private def models(): Unit = {
    val data = table(Seq(pictures.bytes("two.png")))
    def label(transformer: ImageTransformer[_]) = transformer.transform(data).select("best.label").as[String].collect().toSeq
    fails("the model '/nowhere/digits' cannot be used on executor", "SparkContext.addFile", "spark-files:NAME") {
      classifier.setModelUri("/nowhere/digits").transform(data).collect()
    }
    fails("spark-files:absent.mxz", "under the name 'absent.mxz'") {
      classifier.setModelUri("spark-files:absent.mxz").transform(data).collect()
    }
    fails("SHA-256")(classifier.setModelUri(pictures.bundle).setSha256("0" * 64).transform(data).collect())
    fails("no_such_option")(classifier.setOptions(Map("no_such_option" -> "1")).transform(data).collect())
    val digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(Paths.get(pictures.bundle)))
    val sha256 = digest.map(byte => f"$byte%02x").mkString
    context.addFile(pictures.bundle)
    same(label(classifier.setModelUri("spark-files:digits.mxz").setSha256(sha256)), Seq("two"), "spark-files")
    same(label(classifier.setModelUri(Paths.get(pictures.bundle).toUri.toString)), Seq("two"), "an address")
  }

  private def persistence(): Unit = {
    val data = table(counted.take(20))
    val options = Map("threads" -> "1", "labels" -> """["a \"b\"", "ä"]""")
    val saved = classifier.setSha256("ab").setTopK(3).setBatchSize(5).setErrors("raise").setMaxCellBytes(1L << 40)
      .setOptions(options)
    val alone = folder.resolve("transformer").toString
    saved.save(alone)
    val loaded = ImageClassifierTransformer.load(alone)
    same(loaded.extractParamMap().toSeq.map(pair => pair.param.name -> pair.value).toSet,
      saved.extractParamMap().toSeq.map(pair => pair.param.name -> pair.value).toSet, "parameters")
    same(loaded.uid, saved.uid, "the uid")

    val whole = folder.resolve("pipeline").toString
    new Pipeline().setStages(Array(classifier.setTopK(2))).fit(data).save(whole)
    val pipeline = PipelineModel.load(whole)
    same(rows(pipeline.transform(data)), rows(classifier.setTopK(2).transform(data)), "results of what was loaded")
    val detector = new ObjectDetectorTransformer().setScoreThreshold(0.25).setMaxDetections(3)
    detector.save(folder.resolve("detector").toString)
    val again = ObjectDetectorTransformer.load(folder.resolve("detector").toString)
    same((again.getScoreThreshold, again.getMaxDetections), (0.25, 3), "a detector's parameters")
  }

  private def columns(): Unit = {
    val contents = spark.read.format("binaryFile").load(pictures.folder)
    val expected = pictures.files.map(file => file.getFileName.toString -> file.getFileName.toString.takeWhile(_ != '.')).toMap
    def labels(transformer: ImageTransformer[_], data: DataFrame) = transformer.transform(data).collect().map { row =>
      Paths.get(row.getAs[String]("path")).getFileName.toString -> row.getAs[Row]("best").getString(0)
    }.toMap
    same(labels(classifier, contents), expected, "contents")
    same(labels(classifier.setInputCol("path"), contents.select("path")), expected, "Spark's addresses of files")
    val names = pictures.files.map(_.toString)
    same(labels(classifier.setInputCol("path"), names.toDF("path")), expected, "paths")
    same(labels(classifier.setInputCol("path"), pictures.files.map(_.toUri.toString).toDF("path")), expected, "addresses")
    val odd = classifier.setInputCol("path").transform(Seq("/nowhere.png", "s3://b/a b", names.head).toDF("path"))
      .select("best.error").as[String].collect()
    check(odd(0).contains("/nowhere.png") && odd(1).contains("%20") && odd(2) == null, odd.toSeq)
    images()
  }

  /** Spark's own reader of images, and pixels with alpha. */
  private def images(): Unit = {
    val read = spark.read.format("image").load(pictures.folder)
    val found = classifier.setInputCol("image").transform(read).select("image.origin", "best.*").collect()
    same(found.length, 10, "images")
    pictures.withClassifier { local =>
      found.foreach { row =>
        val image = javax.imageio.ImageIO.read(new java.io.File(new java.net.URI(row.getString(0))))
        same(row.toSeq.slice(1, 4), Pictures.tuples(local.classify(image, 1)).head.productIterator.toSeq, row)
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

  private def objects(): Unit = {
    val ssd = s"$source/tests/golden/ssd/ssd"
    val options = Map("height" -> "48", "width" -> "48")
    val detector = new ObjectDetectorTransformer().setInputCol("content").setOutputCol("best").setModelUri(ssd)
      .setOptions(options.asJava).setScoreThreshold(0).setMaxDetections(3)
    val cells = Seq(pictures.bytes("two.png"), null, pictures.bytes("seven.jpg"))
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
