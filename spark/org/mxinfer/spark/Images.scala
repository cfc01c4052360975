package org.mxinfer.spark

import java.awt.image.{BufferedImage, DataBufferByte}
import java.net.{URI, URISyntaxException}
import java.nio.file.{InvalidPathException, Path, Paths}
import java.util.{List => JavaList}
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._
import org.mxinfer.{InvalidArgumentException, ItemResult, MxinferException}
import scala.collection.JavaConverters._

/** The image of a cell, as the classes of mxinfer.jar take it. */
private[spark] sealed trait CellImage
private[spark] final case class EncodedImage(bytes: Array[Byte]) extends CellImage
private[spark] final case class PixelImage(pixels: BufferedImage) extends CellImage
private[spark] final case class FileImage(path: Path) extends CellImage
private[spark] final case class AddressImage(uri: URI) extends CellImage

/** The four calls of a class for lists of images. */
private[spark] trait ImageCalls[R] {
  def encoded(images: JavaList[Array[Byte]]): JavaList[ItemResult[R]]
  def pixels(images: JavaList[BufferedImage]): JavaList[ItemResult[R]]
  def files(images: JavaList[Path]): JavaList[ItemResult[R]]
  def addresses(images: JavaList[URI]): JavaList[ItemResult[R]]

  /** Returns the results in the order of the images, with one call for each kind of image. */
  final def run(images: IndexedSeq[CellImage]): IndexedSeq[Either[MxinferException, R]] = {
    val results = new Array[Either[MxinferException, R]](images.size)
    def call[T](select: PartialFunction[CellImage, T])(function: JavaList[T] => JavaList[ItemResult[R]]): Unit = {
      val places = images.indices.filter(at => select.isDefinedAt(images(at)))
      if (places.nonEmpty) {
        val answers = function(places.map(at => select(images(at))).asJava).asScala
        places.zip(answers).foreach { case (at, answer) => 
          results(at) = if (answer.isOk) Right(answer.get) else Left(answer.error.get)
        }
      }
    }
    call { case EncodedImage(bytes) => bytes }(encoded)
    call { case PixelImage(image) => image }(pixels)
    call { case FileImage(path) => path }(files)
    call { case AddressImage(uri) => uri }(addresses)
    results.toIndexedSeq
  }
}

/** Reads images from the cells of a column. Precondition: the cells are not null. */
private[spark] sealed trait ImageColumn extends Serializable {
  def bytes(cell: Any): Long

  /** Throws InvalidArgumentException if the cell is not an image. */
  def image(cell: Any): CellImage
}

private[spark] object ImageColumn {

  /** Returns the reader for columns of this type, or None if they cannot hold images. */
  def of(dataType: DataType): Option[ImageColumn] = dataType match {
    case BinaryType => Some(EncodedColumn)
    case StringType => Some(TextColumn)
    case struct: StructType => PixelColumn.of(struct)
    case _ => None
  }
}

/** The contents of JPEG and PNG files. */
private[spark] case object EncodedColumn extends ImageColumn {
  def bytes(cell: Any): Long = cell.asInstanceOf[Array[Byte]].length.toLong
  def image(cell: Any): CellImage = EncodedImage(cell.asInstanceOf[Array[Byte]])
}

/** Paths and addresses. Spark writes addresses of files with one slash, such as file:/photos/1.jpg. */
private[spark] case object TextColumn extends ImageColumn {
  def bytes(cell: Any): Long = cell.asInstanceOf[String].length.toLong

  def image(cell: Any): CellImage = {
    val text = cell.asInstanceOf[String]
    try {
      if (text.startsWith("file:/") && !text.startsWith("file://")) FileImage(Paths.get(new URI(text)))
      else if (text.contains("://")) AddressImage(new URI(text))
      else FileImage(Paths.get(text))
    } catch {
      case error @ (_: URISyntaxException | _: InvalidPathException | _: IllegalArgumentException) =>
        throw new InvalidArgumentException(s"the cell is neither a path nor an address: ${error.getMessage}; " +
          "in addresses a space is written as %20")
    }
  }
}

/** Spark's images: rows of pixels from top to bottom. A pixel is grey, or blue, green, red (and alpha, which is ignored). */
private[spark] final case class PixelColumn(width: Int, height: Int, channels: Int, data: Int) extends ImageColumn {
  def bytes(cell: Any): Long = {
    val row = cell.asInstanceOf[Row]
    if (row.isNullAt(data)) 0L else row.getAs[Array[Byte]](data).length.toLong
  }

  def image(cell: Any): CellImage = {
    val row = cell.asInstanceOf[Row]
    if (Seq(width, height, channels, data).exists(row.isNullAt)) {
      throw new InvalidArgumentException("a field of the image is null")
    }
    PixelImage(pixels(row.getInt(width), row.getInt(height), row.getInt(channels), row.getAs[Array[Byte]](data)))
  }

  private def pixels(width: Int, height: Int, channels: Int, data: Array[Byte]): BufferedImage = {
    if (width < 0 && height < 0) throw new InvalidArgumentException("Spark could not read the image")
    if (width < 1 || height < 1 || !Set(1, 3, 4)(channels) || width.toLong * height * channels != data.length) {
      throw new InvalidArgumentException(s"the image says $width x $height pixels of $channels bytes, and has " +
        s"${data.length} bytes; channels are 1 (grey), 3 (BGR) or 4 (BGRA), of 8 bits each")
    }
    val kind = if (channels == 1) BufferedImage.TYPE_BYTE_GRAY else BufferedImage.TYPE_3BYTE_BGR
    val image = new BufferedImage(width, height, kind)
    val to = image.getRaster.getDataBuffer.asInstanceOf[DataBufferByte].getData
    if (channels == 4) PixelColumn.withoutAlpha(data, to) else System.arraycopy(data, 0, to, 0, data.length)
    image
  }
}

private[spark] object PixelColumn {

  /** Returns the reader for a struct that has the fields of Spark's images, and perhaps others. */
  def of(struct: StructType): Option[PixelColumn] = {
    def field(name: String, dataType: DataType) =
      struct.fields.indexWhere(each => each.name == name && each.dataType == dataType)
    val column = PixelColumn(field("width", IntegerType), field("height", IntegerType), field("nChannels", IntegerType),
      field("data", BinaryType))
    if (Seq(column.width, column.height, column.channels, column.data).contains(-1)) None else Some(column)
  }

  private def withoutAlpha(from: Array[Byte], to: Array[Byte]): Unit = {
    var pixel = 0
    while (pixel * 4 < from.length) {
      System.arraycopy(from, pixel * 4, to, pixel * 3, 3)
      pixel += 1
    }
  }
}
