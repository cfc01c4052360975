package org.mxinfer.infer

import java.awt.image.BufferedImage
import java.net.URI
import org.mxinfer
import scala.concurrent.Future
import scala.util.Try

/** Labels every pixel of an image. An end-to-end model preprocesses images itself; for a bare network, set the options of the
  * group "image".
  */
class ImageSegmenter(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends Predictor(modelPathPrefix, inputDescriptors, outputDescriptors, options) {

  protected override def open(uri: String, options: Options): mxinfer.Predictor =
    new mxinfer.ImageSegmenter(uri, options)

  private def segmenter = underlying.asInstanceOf[mxinfer.ImageSegmenter]

  /** Labels every pixel of an image, of any type and size. */
  def segment(image: BufferedImage, options: SegmentOptions = SegmentOptions): Segmentation =
    segmenter.segment(image, options)

  /** Labels the pixels of images, of any types and sizes, as one batch. An invalid image does not affect the others. */
  def segmentImages(images: Iterable[BufferedImage],
      options: SegmentOptions = SegmentOptions): IndexedSeq[Try[Segmentation]] =
    Convert.results(segmenter.segmentImages(Convert.javaList(images), options))(identity)

  /** Labels the pixels of a JPEG or PNG file at an absolute address: http, https, s3, hdfs or file. */
  def segmentUri(image: URI, options: SegmentOptions = SegmentOptions): Segmentation = segmenter.segment(image, options)

  /** Labels the pixels of files at addresses, as one batch. An invalid one does not affect the others. */
  def segmentUris(images: Iterable[URI], options: SegmentOptions = SegmentOptions): IndexedSeq[Try[Segmentation]] =
    Convert.results(segmenter.segmentUris(Convert.javaList(images), options))(identity)

  /** Submits an image for `segment`. */
  def segmentAsync(image: BufferedImage, options: SegmentOptions = SegmentOptions,
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[Segmentation] =
    Convert.future(segmenter.segmentAsync(image, options, submit))(identity)
}

object ImageSegmenter {
  def apply(modelPathPrefix: String): ImageSegmenter = new ImageSegmenter(modelPathPrefix)
  def apply(modelPathPrefix: String, options: Options): ImageSegmenter =
    new ImageSegmenter(modelPathPrefix, options = options)
}

/** Finds the key points of objects, such as the joints of people. */
class KeypointDetector(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends Predictor(modelPathPrefix, inputDescriptors, outputDescriptors, options) {

  protected override def open(uri: String, options: Options): mxinfer.Predictor =
    new mxinfer.KeypointDetector(uri, options)

  private def points = underlying.asInstanceOf[mxinfer.KeypointDetector]

  /** Finds the points of the one object that fills the image. */
  def detectKeypoints(image: BufferedImage, options: PoseOptions): Pose = points.detectKeypoints(image, options)

  /** Finds the points of the object in each box. */
  def detectKeypoints(image: BufferedImage, boxes: Iterable[Box], options: PoseOptions): IndexedSeq[Pose] =
    Convert.indexed(points.detectKeypoints(image, Convert.javaList(boxes), options))

  /** Finds the points of the objects that a detector finds, the best first. */
  def detectKeypoints(image: BufferedImage, detector: ObjectDetector, options: PoseOptions): IndexedSeq[Pose] =
    Convert.indexed(points.detectKeypoints(image, detector.underlying.asInstanceOf[mxinfer.ObjectDetector], options))
}

object KeypointDetector {
  def apply(modelPathPrefix: String): KeypointDetector = new KeypointDetector(modelPathPrefix)
  def apply(modelPathPrefix: String, options: Options): KeypointDetector =
    new KeypointDetector(modelPathPrefix, options = options)
}

/** Computes the vector of a face. Two images of one person have vectors of nearly the same direction, which
  * `org.mxinfer.Faces.cosineSimilarity` compares.
  */
class FaceEmbedder(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends Predictor(modelPathPrefix, inputDescriptors, outputDescriptors, options) {

  protected override def open(uri: String, options: Options): mxinfer.Predictor = new mxinfer.FaceEmbedder(uri, options)

  private def embedder = underlying.asInstanceOf[mxinfer.FaceEmbedder]

  /** Returns the vector of an image that shows an aligned face and nothing else. */
  def embed(face: BufferedImage): Array[Float] = embedder.embed(face)

  /** Returns the vector of a face in a photograph, which is first aligned by its landmarks (ten numbers). */
  def embed(photo: BufferedImage, landmarks: Array[Float]): Array[Float] = embedder.embed(photo, landmarks)

  /** Returns the vectors of all faces of a photograph. */
  def embedFaces(photo: BufferedImage, faces: Iterable[Array[Float]]): IndexedSeq[Array[Float]] =
    Convert.indexed(embedder.embedFaces(photo, Convert.javaList(faces)))

  /** Returns the vectors of aligned faces. An invalid image does not affect the others. */
  def embedImages(faces: Iterable[BufferedImage]): IndexedSeq[Try[Array[Float]]] =
    Convert.results(embedder.embedImages(Convert.javaList(faces)))(identity)
}

object FaceEmbedder {
  def apply(modelPathPrefix: String): FaceEmbedder = new FaceEmbedder(modelPathPrefix)
  def apply(modelPathPrefix: String, options: Options): FaceEmbedder = new FaceEmbedder(modelPathPrefix, options = options)
}
