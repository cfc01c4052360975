package org.mxinfer.infer

import org.mxinfer
import scala.annotation.implicitNotFound

/** The types of numbers that flat arrays may have; another one is an error of the compiler. */
@implicitNotFound("flat arrays of ${T} cannot be predicted: they are of Float or Double; use Tensor for other types")
sealed trait Element[T] {
  private[infer] def predict(predictor: mxinfer.Predictor, input: Seq[Array[T]]): IndexedSeq[Array[T]]
  private[infer] def toFloats(array: Array[T]): Array[Float]
  private[infer] def ofFloat(score: Float): T
}

object Element {
  implicit object FloatElement extends Element[Float] {
    private[infer] def predict(predictor: mxinfer.Predictor, input: Seq[Array[Float]]) =
      predictor.predict(input: _*).toIndexedSeq
    private[infer] def toFloats(array: Array[Float]) = array
    private[infer] def ofFloat(score: Float) = score
  }

  implicit object DoubleElement extends Element[Double] {
    private[infer] def predict(predictor: mxinfer.Predictor, input: Seq[Array[Double]]) =
      predictor.predict(input: _*).toIndexedSeq
    private[infer] def toFloats(array: Array[Double]) = array.map(_.toFloat)
    private[infer] def ofFloat(score: Float) = score.toDouble
  }
}
