package org.mxinfer.infer

import java.awt.image.BufferedImage
import java.net.URI
import org.mxinfer
import scala.concurrent.Future
import scala.util.Try

/** Finds objects in images: for each its label, and an array of score, xmin, ymin, xmax and ymax, in pixels of the image. */
class ObjectDetector(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends Predictor(modelPathPrefix, inputDescriptors, outputDescriptors, options) {

  protected override def open(uri: String, options: Options): mxinfer.Predictor =
    new mxinfer.ObjectDetector(uri, options)

  private def detector = underlying.asInstanceOf[mxinfer.ObjectDetector]

  /** Objects that score `threshold` or more, the best `most` of them (0: all), by falling score. */
  def detect(image: BufferedImage, threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD,
      most: Int = 0): IndexedSeq[Detection] =
    Convert.indexed(detector.detect(image, threshold, most))

  /** The best objects of an image, whatever they score; the result is that of a batch of one. */
  def imageObjectDetect(image: BufferedImage,
      topK: Option[Int] = None): IndexedSeq[IndexedSeq[(String, Array[Float])]] =
    IndexedSeq(Convert.found(detector.detect(image, 0, Convert.topK(topK))))

  /** The best objects of each image, run as one batch. */
  def imageBatchObjectDetect(images: Iterable[BufferedImage],
      topK: Option[Int] = None): IndexedSeq[IndexedSeq[(String, Array[Float])]] =
    Convert.indexed(detector.detectImages(Convert.javaList(images), 0, Convert.topK(topK)))
      .map(result => Convert.found(result.get))

  /** As detect, later. */
  def detectAsync(image: BufferedImage, threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD, most: Int = 0,
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[Detection]] =
    Convert.future(detector.detectAsync(image, threshold, most, submit))(Convert.indexed)

  /** As detect, of a JPEG or PNG file at an absolute address: http, https, s3, hdfs or file. */
  def detectUri(image: URI, threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD,
      most: Int = 0): IndexedSeq[Detection] =
    Convert.indexed(detector.detect(image, threshold, most))

  /** As detectUri, of several as one batch; one that is wrong costs the others nothing. */
  def detectUris(images: Iterable[URI], threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD,
      most: Int = 0): IndexedSeq[Try[IndexedSeq[Detection]]] =
    Convert.indexed(detector.detectUris(Convert.javaList(images), threshold, most))
      .map(result => Try(Convert.indexed(result.get)))

  /** As detectUri, later. */
  def detectUriAsync(image: URI, threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD, most: Int = 0,
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[Detection]] =
    Convert.future(detector.detectAsync(image, threshold, most, submit))(Convert.indexed)
}

object ObjectDetector {
  def apply(modelPathPrefix: String): ObjectDetector = new ObjectDetector(modelPathPrefix)
  def apply(modelPathPrefix: String, options: Options): ObjectDetector =
    new ObjectDetector(modelPathPrefix, options = options)
  def apply(modelPathPrefix: String, input: DataDesc, output: DataDesc): ObjectDetector =
    new ObjectDetector(modelPathPrefix, IndexedSeq(input), IndexedSeq(output))
}
