package org.mxinfer.spark.tests

import java.awt.image.BufferedImage
import java.io.{ByteArrayOutputStream, File}
import java.nio.file.{Files, Path, Paths}
import javax.imageio.ImageIO
import org.mxinfer.{Classification, ImageClassifier, Options}
import scala.collection.JavaConverters._
import scala.util.Random

/** SampleImages of digits, and what the jar alone says of them. */
final class SampleImages(source: String) {
  val digits: String = s"$source/models/digits"
  val bundle: String = s"$source/models/digits.mxz"
  val folder: String = s"$source/examples/images"
  val files: IndexedSeq[Path] = new File(folder).listFiles.map(_.toPath).sorted.toIndexedSeq

  def bytes(name: String): Array[Byte] = Files.readAllBytes(Paths.get(folder, name))

  /** Each is one of the files, moved, in other tones and with noise: no two are the same. */
  def make(count: Int): IndexedSeq[Array[Byte]] = {
    val random = new Random(7)
    val originals = files.map(file => ImageIO.read(file.toFile))
    IndexedSeq.tabulate(count)(number => png(varied(originals(number % originals.size), random)))
  }

  private def varied(from: BufferedImage, random: Random): BufferedImage = {
    val to = new BufferedImage(from.getWidth, from.getHeight, BufferedImage.TYPE_BYTE_GRAY)
    val (right, down, tone) = (random.nextInt(17) - 8, random.nextInt(17) - 8, 0.5 + random.nextDouble() / 2)
    for (y <- 0 until to.getHeight; x <- 0 until to.getWidth) {
      val inside = from.getRaster.getBounds.contains(x - right, y - down)
      val value = if (inside) from.getRaster.getSample(x - right, y - down, 0) else from.getRaster.getSample(0, 0, 0)
      to.getRaster.setSample(x, y, 0, (value * tone + random.nextInt(40)).toInt.min(255))
    }
    to
  }

  private def png(image: BufferedImage): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    ImageIO.write(image, "png", bytes)
    bytes.toByteArray
  }

  /** The best classes of each, one after the other, without Spark. */
  def local(images: IndexedSeq[Array[Byte]], topK: Int): IndexedSeq[Seq[(String, Float, Int)]] =
    withClassifier(classifier => images.map(bytes => SampleImages.tuples(classifier.classify(bytes, topK))))

  def withClassifier[T](body: ImageClassifier => T): T = {
    val classifier = new ImageClassifier(digits, new Options().threads(1))
    try body(classifier) finally classifier.close()
  }
}

object SampleImages {
  def tuples(classes: java.util.List[Classification]): Seq[(String, Float, Int)] =
    classes.asScala.map(one => (one.label, one.score, one.index)).toList
}
