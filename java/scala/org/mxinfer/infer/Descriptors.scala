package org.mxinfer.infer

import org.mxinfer

/** Sizes of the dimensions of an array, outermost first. */
object Shape {
  def apply(sizes: Long*): Shape = mxinfer.Shape.of(sizes: _*)
}

/** Describes an input or output of a model. The batch, 'N' of the layout, or the first dimension if there is no layout, may
  * have any size in calls, whatever the shape says.
  */
object DataDesc {
  def apply(name: String, shape: Shape, dtype: DType = mxinfer.DType.FLOAT32, layout: String = ""): DataDesc =
    new mxinfer.DataDesc(name, shape, dtype, layout)

  def getBatchAxis(layout: Option[String]): Int = mxinfer.DataDesc.getBatchAxis(layout.getOrElse(""))

  /** With a free batch. */
  private[infer] def withFreeBatch(desc: DataDesc): DataDesc = {
    val sizes = desc.shape.toArray
    if (sizes.nonEmpty) sizes(mxinfer.DataDesc.getBatchAxis(desc.layout)) = -1
    desc.withShape(mxinfer.Shape.of(sizes: _*))
  }
}

object Options {
  def apply(values: (String, String)*): Options =
    values.foldLeft(new mxinfer.Options) { case (options, (name, value)) => options.set(name, value) }
}

/** Arrays for calls with a batch. */
object NDArray {
  def array(data: Array[Float], shape: Shape): NDArray = mxinfer.Tensor.of(data, shape.toArray: _*)
  def array(data: Array[Double], shape: Shape): NDArray = mxinfer.Tensor.of(data, shape.toArray: _*)
}
