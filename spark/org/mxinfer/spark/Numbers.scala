package org.mxinfer.spark

import org.apache.spark.ml.linalg.{SQLDataTypes, Vector}
import org.apache.spark.sql.types._
import org.mxinfer.{DType, DataDesc, ErrorCode, InvalidArgumentException, MxinferException, Tensor}
import scala.collection.mutable.ArrayBuilder

/** Converts between numbers in cells and arrays of a model. */
private[spark] object Numbers {
  def isNumeric(dataType: DataType): Boolean = dataType match {
    case _: NumericType | BooleanType => true
    case ArrayType(element, _) => isNumeric(element)
    case other => other == SQLDataTypes.VectorType
  }

  /** Appends all numbers of a cell; nested arrays are flattened. */
  def read(cell: Any, to: ArrayBuilder[Double]): Unit = cell match {
    case null => throw new InvalidArgumentException("the cell is null, or has a null in it")
    case number: Number => to += number.doubleValue
    case is: Boolean => to += (if (is) 1 else 0)
    case vector: Vector => to ++= vector.toArray
    case several: scala.collection.Seq[_] => several.foreach(read(_, to))
  }

  def count(cell: Any): Long = cell match {
    case null => 0
    case vector: Vector => vector.size.toLong
    case several: scala.collection.Seq[_] => several.map(count).sum
    case _ => 1
  }

  /** Returns how many numbers an input takes for each row. */
  def perRow(input: DataDesc): Int = {
    val sizes = input.shape.toArray
    val batch = if (sizes.isEmpty) 0 else DataDesc.getBatchAxis(input.layout)
    if (sizes.isEmpty || batch != 0 || sizes.tail.exists(_ < 0)) {
      throw new InvalidArgumentException(s"the model's input '${input.name}' is $input; rows of a table need one whose " +
        "first dimension is the batch and whose other sizes are known; the option `inputs` says what they are")
    }
    sizes.tail.product.toInt
  }

  /** Returns the rows of an input as one tensor of its dtype. */
  def tensor(input: DataDesc, rows: Int, numbers: Array[Double]): Tensor = {
    val shape = rows.toLong +: input.shape.toArray.tail
    input.dtype match {
      case DType.FLOAT32 => Tensor.float32Of(numbers, shape: _*)
      case DType.FLOAT64 => Tensor.of(numbers, shape: _*)
      case DType.INT32 => Tensor.of(numbers.map(_.toInt), shape: _*)
      case DType.INT64 => Tensor.of(numbers.map(_.toLong), shape: _*)
      case other => throw unsupported(s"input '${input.name}'", other)
    }
  }

  /** Returns the numbers of an output, without conversion. */
  def numbers(output: Tensor): IndexedSeq[Number] = output.dtype match {
    case DType.FLOAT32 => output.toFloatArray.toIndexedSeq.map(Float.box)
    case DType.FLOAT64 => output.toDoubleArray.toIndexedSeq.map(Double.box)
    case DType.INT32 => output.toIntArray.toIndexedSeq.map(Int.box)
    case DType.INT64 => output.toLongArray.toIndexedSeq.map(Long.box)
    case other => throw unsupported(s"output '${output.name}'", other)
  }

  def converted(number: Number, to: DataType): Any = to match {
    case FloatType => number.floatValue
    case DoubleType => number.doubleValue
    case IntegerType => number.intValue
    case LongType => number.longValue
  }

  private def unsupported(what: String, dtype: DType) = new MxinferException(ErrorCode.UNSUPPORTED,
    s"the model's $what is of $dtype; columns are float32, float64, int32 or int64")
}
