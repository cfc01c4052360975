package org.mxinfer.infer

import java.awt.image.BufferedImage
import java.net.URI
import org.mxinfer
import scala.concurrent.Future
import scala.util.Try

/** Finds objects in images. Functions with MXNet's names return for each object its label, and an array of score, xmin, ymin,
  * xmax and ymax, in pixels of the image.
  */
class ObjectDetector(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends Predictor(modelPathPrefix, inputDescriptors, outputDescriptors, options) {

  protected override def open(uri: String, options: Options): mxinfer.Predictor =
    new mxinfer.ObjectDetector(uri, options)

  private def detector = underlying.asInstanceOf[mxinfer.ObjectDetector]

  /** Finds objects that score `threshold` or more, the best `most` of them (0: all), in descending order of score. */
  def detect(image: BufferedImage, threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD,
      most: Int = 0): IndexedSeq[Detection] =
    Convert.indexed(detector.detect(image, threshold, most))

  /** Finds the best objects of an image, without a threshold. The result is that of a batch of one. */
  def imageObjectDetect(image: BufferedImage,
      topK: Option[Int] = None): IndexedSeq[IndexedSeq[(String, Array[Float])]] =
    IndexedSeq(Convert.found(detector.detect(image, 0, Convert.topK(topK))))

  /** Finds the best objects of each image, as one batch. */
  def imageBatchObjectDetect(images: Iterable[BufferedImage],
      topK: Option[Int] = None): IndexedSeq[IndexedSeq[(String, Array[Float])]] =
    Convert.indexed(detector.detectImages(Convert.javaList(images), 0, Convert.topK(topK)))
      .map(result => Convert.found(result.get))

  /** Submits an image for `detect`. */
  def detectAsync(image: BufferedImage, threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD, most: Int = 0,
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[Detection]] =
    Convert.future(detector.detectAsync(image, threshold, most, submit))(Convert.indexed)

  /** Finds objects in a JPEG or PNG file at an absolute address: http, https, s3, hdfs or file. */
  def detectUri(image: URI, threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD,
      most: Int = 0): IndexedSeq[Detection] =
    Convert.indexed(detector.detect(image, threshold, most))

  /** Finds objects in files at addresses, as one batch. An invalid one does not affect the others. */
  def detectUris(images: Iterable[URI], threshold: Float = mxinfer.ObjectDetector.DEFAULT_THRESHOLD,
      most: Int = 0): IndexedSeq[Try[IndexedSeq[Detection]]] =
    Convert.indexed(detector.detectUris(Convert.javaList(images), threshold, most))
      .map(result => Try(Convert.indexed(result.get)))

  /** Submits an address for `detectUri`. */
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
