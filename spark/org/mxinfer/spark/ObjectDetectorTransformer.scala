package org.mxinfer.spark

import java.awt.image.BufferedImage
import java.net.URI
import java.nio.file.Path
import java.util.{List => JavaList}
import org.apache.spark.ml.param.{DoubleParam, IntParam, ParamValidators}
import org.apache.spark.ml.util.{DefaultParamsReadable, Identifiable}
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._
import org.mxinfer.{Detection, Model, MxinferException, ObjectDetector, Options, Predictor}
import scala.collection.JavaConverters._

/** Finds objects in the images of a column with an [[org.mxinfer.ObjectDetector]]. The result is a struct of `detections` and
  * `error`. `detections` is an array, best first, of structs of label (string), score (float), index (int), left, top, right
  * and bottom (float, in pixels of the image). `error` is a string that is null if the row is valid; with errors = "raise"
  * there is no such field.
  */
class ObjectDetectorTransformer(override val uid: String) extends ImageTransformer[ObjectDetectorTransformer] {
  def this() = this(Identifiable.randomUID("mxinferObjectDetector"))

  /** Objects with a lower score are left out. */
  final val scoreThreshold: DoubleParam =
    new DoubleParam(this, "scoreThreshold", "objects with a lower score are left out")

  /** The number of objects to keep for each image, best first. Default: all. */
  final val maxDetections: IntParam =
    new IntParam(this, "maxDetections", "maximum number of objects for each image", ParamValidators.gt(0))
  setDefault(scoreThreshold -> ObjectDetector.DEFAULT_THRESHOLD.toDouble)
  def setScoreThreshold(value: Double): ObjectDetectorTransformer = assigned(scoreThreshold, value)
  def setMaxDetections(value: Int): ObjectDetectorTransformer = assigned(maxDetections, value)
  def getScoreThreshold: Double = $(scoreThreshold)
  def getMaxDetections: Int = $(maxDetections)

  private[spark] override def result: ImageResult =
    ObjectsInImages($(scoreThreshold).toFloat, get(maxDetections).getOrElse(0))

  private[spark] override def resultFields: Seq[StructField] =
    Seq(StructField("detections", ArrayType(StructType(ObjectsInImages.Fields), containsNull = false)))
}

object ObjectDetectorTransformer extends DefaultParamsReadable[ObjectDetectorTransformer] {
  override def load(path: String): ObjectDetectorTransformer = super.load(path)
}

private[spark] case object DetectorOpener extends Opener {
  override def open(model: Model, options: Options): Predictor = new ObjectDetector(model, options)
}

private[spark] final case class ObjectsInImages(threshold: Float, most: Int) extends ImageResult {
  override def opener: Opener = DetectorOpener
  override def size: Int = 1

  override def run(predictor: Predictor, images: IndexedSeq[CellImage]): IndexedSeq[Either[MxinferException, Row]] = {
    val detector = predictor.asInstanceOf[ObjectDetector]
    val calls = new ImageCalls[JavaList[Detection]] {
      def encoded(images: JavaList[Array[Byte]]) = detector.detectEncoded(images, threshold, most)
      def pixels(images: JavaList[BufferedImage]) = detector.detectImages(images, threshold, most)
      def files(images: JavaList[Path]) = detector.detectFiles(images, threshold, most)
      def addresses(images: JavaList[URI]) = detector.detectUris(images, threshold, most)
    }
    calls.run(images).map(_.map(objects))
  }

  private def objects(found: JavaList[Detection]): Row = Row(found.asScala.map { one =>
    Row(one.getClassName, one.getProbability, one.getIndex, one.getXMin, one.getYMin, one.getXMax, one.getYMax)
  }.toSeq)
}

private[spark] object ObjectsInImages {
  val Fields: Seq[StructField] = ClassesOfImages.Fields ++
    Seq("left", "top", "right", "bottom").map(StructField(_, FloatType))
}
