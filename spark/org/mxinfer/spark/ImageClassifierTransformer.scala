package org.mxinfer.spark

import java.awt.image.BufferedImage
import java.net.URI
import java.nio.file.Path
import java.util.{List => JavaList}
import org.apache.spark.ml.param.{IntParam, ParamValidators}
import org.apache.spark.ml.util.{DefaultParamsReadable, Identifiable}
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._
import org.mxinfer.{Classification, ImageClassifier, Model, MxinferException, Options, Predictor}
import scala.collection.JavaConverters._

/** Classifies the images of a column with an [[org.mxinfer.ImageClassifier]]. The result is a struct of label (string),
  * score (float) and index (int) of the best class, and of `error`. If topK is above 1, `classes` replaces the first three: an
  * array of such structs, best first. `error` is a string that is null if the row is valid; with errors = "raise" there is no
  * such field.
  *
  * {{{
  * new ImageClassifierTransformer().setInputCol("content").setOutputCol("best").setModelUri("s3://models/digits.mxz")
  *   .transform(spark.read.parquet("s3a://photos/")).select("path", "best.label", "best.error")
  * }}}
  */
class ImageClassifierTransformer(override val uid: String) extends ImageTransformer[ImageClassifierTransformer] {
  def this() = this(Identifiable.randomUID("mxinferImageClassifier"))

  /** The number of classes. */
  final val topK: IntParam = new IntParam(this, "topK", "number of classes, best first", ParamValidators.gt(0))
  setDefault(topK -> 1)
  def setTopK(value: Int): ImageClassifierTransformer = assigned(topK, value)
  def getTopK: Int = $(topK)

  private[spark] override def result: ImageResult = ClassesOfImages($(topK))

  private[spark] override def resultFields: Seq[StructField] =
    if ($(topK) == 1) ClassesOfImages.Fields
    else Seq(StructField("classes", ArrayType(StructType(ClassesOfImages.Fields), containsNull = false)))
}

object ImageClassifierTransformer extends DefaultParamsReadable[ImageClassifierTransformer] {
  override def load(path: String): ImageClassifierTransformer = super.load(path)
}

private[spark] case object ClassifierOpener extends Opener {
  override def open(model: Model, options: Options): Predictor = new ImageClassifier(model, options)
}

private[spark] final case class ClassesOfImages(topK: Int) extends ImageResult {
  override def opener: Opener = ClassifierOpener
  override def size: Int = if (topK == 1) ClassesOfImages.Fields.size else 1

  override def run(predictor: Predictor, images: IndexedSeq[CellImage]): IndexedSeq[Either[MxinferException, Row]] = {
    val classifier = predictor.asInstanceOf[ImageClassifier]
    val calls = new ImageCalls[JavaList[Classification]] {
      def encoded(images: JavaList[Array[Byte]]) = classifier.classifyEncoded(images, topK)
      def pixels(images: JavaList[BufferedImage]) = classifier.classifyImages(images, topK)
      def files(images: JavaList[Path]) = classifier.classifyFiles(images, topK)
      def addresses(images: JavaList[URI]) = classifier.classifyUris(images, topK)
    }
    calls.run(images).map(_.map(classes))
  }

  private def classes(found: JavaList[Classification]): Row = {
    val rows = found.asScala.map(one => Row(one.label, one.score, one.index)).toSeq
    if (topK == 1) rows.head else Row(rows)
  }
}

private[spark] object ClassesOfImages {
  val Fields: Seq[StructField] =
    Seq(StructField("label", StringType), StructField("score", FloatType), StructField("index", IntegerType))
}
