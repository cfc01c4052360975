package org.mxinfer.infer

import java.awt.image.BufferedImage
import java.net.URI
import java.nio.file.Paths
import org.mxinfer
import scala.concurrent.Future
import scala.util.Try

/** Classifies samples: the network returns a score for each class. With topK, you get that many classes in descending order of
  * score; without it, all classes in label order.
  */
class Classifier(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends Predictor(modelPathPrefix, inputDescriptors, outputDescriptors, options) {

  protected override def open(uri: String, options: Options): mxinfer.Predictor = new mxinfer.Classifier(uri, options)

  private def classifier = underlying.asInstanceOf[mxinfer.Classifier]

  /** Classifies one sample, given as the flat array of the one input. Doubles are computed as floats. */
  def classify[T: Element](input: IndexedSeq[Array[T]], topK: Option[Int] = None): IndexedSeq[(String, T)] = {
    val element = implicitly[Element[T]]
    Convert.labelled(classifier.classify(element.toFloats(only(input)), Convert.topK(topK)))(element.ofFloat)
  }

  /** Classifies a batch. */
  def classifyWithNDArray(input: IndexedSeq[NDArray],
      topK: Option[Int] = None): IndexedSeq[IndexedSeq[(String, Float)]] =
    Convert.indexed(classifier.classifyBatch(only(input), Convert.topK(topK))).map(Convert.labelled(_)(identity))

  /** Submits a sample for `classify`. */
  def classifyAsync(input: IndexedSeq[Array[Float]], topK: Option[Int],
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[(String, Float)]] =
    Convert.future(classifier.classifyAsync(only(input), Convert.topK(topK), submit))(Convert.labelled(_)(identity))

  private def only[T](input: IndexedSeq[T]): T = {
    if (input.size != 1) {
      throw new mxinfer.InvalidArgumentException(
        s"classify was given ${input.size} inputs; it takes that of the first input alone")
    }
    input.head
  }
}

object Classifier {
  def apply(modelPathPrefix: String): Classifier = new Classifier(modelPathPrefix)
  def apply(modelPathPrefix: String, options: Options): Classifier = new Classifier(modelPathPrefix, options = options)
  def apply(modelPathPrefix: String, input: DataDesc, output: DataDesc): Classifier =
    new Classifier(modelPathPrefix, IndexedSeq(input), IndexedSeq(output))
}

/** Classifies images. An end-to-end model preprocesses images itself. For a bare network, set the options of the group "image",
  * such as `Options("preset" -> "imagenet")`.
  */
class ImageClassifier(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends Classifier(modelPathPrefix, inputDescriptors, outputDescriptors, options) {

  protected override def open(uri: String, options: Options): mxinfer.Predictor =
    new mxinfer.ImageClassifier(uri, options)

  private def classifier = underlying.asInstanceOf[mxinfer.ImageClassifier]

  /** Classifies an image, of any type and size, and returns all classes. Its pixels are converted as those of a PNG. */
  def classify(image: BufferedImage): IndexedSeq[(String, Float)] = classifyImage(image).head

  /** Classifies an image, of any type and size. */
  def classify(image: BufferedImage, topK: Int): IndexedSeq[(String, Float)] = classifyImage(image, Some(topK)).head

  /** Classifies an image; the result is that of a batch of one. */
  def classifyImage(image: BufferedImage, topK: Option[Int] = None): IndexedSeq[IndexedSeq[(String, Float)]] =
    IndexedSeq(Convert.labelled(classifier.classify(image, Convert.topK(topK)))(identity))

  /** Classifies images, of any types and sizes, as one batch. */
  def classifyImageBatch(images: Iterable[BufferedImage],
      topK: Option[Int] = None): IndexedSeq[IndexedSeq[(String, Float)]] =
    Convert.indexed(classifier.classifyImages(Convert.javaList(images), Convert.topK(topK)))
      .map(result => Convert.labelled(result.get)(identity))

  /** Submits an image for `classifyImage`. */
  def classifyImageAsync(image: BufferedImage, topK: Option[Int] = None,
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[(String, Float)]] =
    Convert.future(classifier.classifyAsync(image, Convert.topK(topK), submit))(Convert.labelled(_)(identity))

  /** Classifies a JPEG or PNG file at an absolute address: http, https, s3, hdfs or file. */
  def classifyUri(image: URI, topK: Option[Int] = None): IndexedSeq[(String, Float)] =
    Convert.labelled(classifier.classify(image, Convert.topK(topK)))(identity)

  /** Fetches files at addresses, several at a time, and classifies them as one batch. An invalid one does not affect the
    * others.
    */
  def classifyUris(images: Iterable[URI], topK: Option[Int] = None): IndexedSeq[Try[IndexedSeq[(String, Float)]]] =
    Convert.indexed(classifier.classifyUris(Convert.javaList(images), Convert.topK(topK)))
      .map(result => Try(Convert.labelled(result.get)(identity)))

  /** Submits an address for `classifyUri`. */
  def classifyUriAsync(image: URI, topK: Option[Int] = None,
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[(String, Float)]] =
    Convert.future(classifier.classifyAsync(image, Convert.topK(topK), submit))(Convert.labelled(_)(identity))
}

object ImageClassifier {
  def apply(modelPathPrefix: String): ImageClassifier = new ImageClassifier(modelPathPrefix)
  def apply(modelPathPrefix: String, options: Options): ImageClassifier =
    new ImageClassifier(modelPathPrefix, options = options)
  def apply(modelPathPrefix: String, input: DataDesc, output: DataDesc): ImageClassifier =
    new ImageClassifier(modelPathPrefix, IndexedSeq(input), IndexedSeq(output))

  /** Reads a local file. For addresses, call `classifyUri`. */
  def loadImageFromFile(path: String): BufferedImage = Images.load(path)
  def loadInputBatch(paths: Iterable[String]): IndexedSeq[BufferedImage] = paths.map(Images.load).toIndexedSeq
}

private[infer] object Images {
  def load(path: String): BufferedImage = {
    refuseAddress(path)
    val image =
      try javax.imageio.ImageIO.read(Paths.get(path).toFile)
      catch {
        case error: java.io.IOException =>
          throw new mxinfer.MxinferException(mxinfer.ErrorCode.NOT_FOUND, s"cannot read $path: $error")
      }
    if (image == null)
      throw new mxinfer.MxinferException(mxinfer.ErrorCode.MALFORMED, s"$path is no image that Java can read")
    image
  }

  /** With no more of it in the message than the scheme: what follows may hold a password. */
  private def refuseAddress(path: String): Unit = {
    val end = path.indexOf("://")
    if (end > 0 && path.take(end).forall(c => c.isLetterOrDigit || "+-.".contains(c))) {
      throw new mxinfer.InvalidArgumentException(
        s"an address of ${path.take(end)}:// was given, where the path of an image of this machine is needed; " +
          "classifyUri and detectUri take addresses")
    }
  }
}
