package org.mxinfer.spark

import org.apache.spark.ml.param.shared.HasInputCol
import org.apache.spark.sql.Row
import org.apache.spark.sql.types.StructType
import org.mxinfer.{InvalidArgumentException, MxinferException, Predictor}

/** A transformer of a column of images: binary (the contents of JPEG or PNG files), string (paths or addresses), or
  * Spark's images.
  */
abstract class ImageTransformer[Self <: ImageTransformer[Self]] private[spark] extends ModelTransformer[Self]
    with HasInputCol {
  def setInputCol(value: String): Self = assigned(inputCol, value)

  private[spark] def result: ImageResult

  private[spark] override def work(schema: StructType): RowWork = {
    if (!isDefined(inputCol)) refuse("inputCol is not set: the column of images")
    val field = column(schema, $(inputCol))
    val images = ImageColumn.of(field.dataType).getOrElse(refuse(s"column '${field.name}' is of type " +
      s"${field.dataType.simpleString}; images come from binary (the contents of JPEG or PNG files), string (paths or " +
      "addresses) or a struct of Spark's images (height, width, nChannels, data)"))
    ImageWork(field.name, schema.fieldIndex(field.name), images, result)
  }
}

/** The outputs of a network for images, as fields of the result. */
private[spark] trait ImageResult extends Serializable {
  def opener: Opener
  def size: Int
  def run(predictor: Predictor, images: IndexedSeq[CellImage]): IndexedSeq[Either[MxinferException, Row]]
}

private[spark] final case class ImageWork(name: String, column: Int, images: ImageColumn, result: ImageResult)
    extends RowWork {
  override type Item = CellImage
  override def opener: Opener = result.opener
  override def columns: String = s"column '$name'"
  override def batchSize: Int = 32
  override def size: Int = result.size
  override def bytes(row: Row): Long = if (row.isNullAt(column)) 0L else images.bytes(row.get(column))

  override def item(row: Row): CellImage = {
    if (row.isNullAt(column)) throw new InvalidArgumentException("the cell is null")
    images.image(row.get(column))
  }

  override def run(predictor: Predictor, items: IndexedSeq[CellImage]): IndexedSeq[Either[MxinferException, Row]] =
    result.run(predictor, items)
}
