package org.mxinfer.spark

import org.apache.spark.ml.param.Param
import org.apache.spark.ml.param.shared.{HasInputCol, HasInputCols}
import org.apache.spark.ml.util.{DefaultParamsReadable, Identifiable}
import org.apache.spark.sql.types._
import org.mxinfer.{Model, Options, Predictor}
import scala.util.Try

/** Runs any network with an [[org.mxinfer.Predictor]] on columns of numbers, arrays of numbers, or Spark ML's vectors. Pass one
  * column for each input of the model, in order, or any number of columns that are the features of the only input. The result
  * is a struct of the outputs that `returns` names, and of `error` as in the other transformers.
  */
class PredictorTransformer(override val uid: String) extends ModelTransformer[PredictorTransformer] with HasInputCol
    with HasInputCols {
  def this() = this(Identifiable.randomUID("mxinferPredictor"))

  /** The outputs of the model to return, as DDL: "embedding array<float>, score float". The driver does not read the model to
    * find them. Numbers are float, double, int or bigint; an array holds all numbers of a row.
    */
  final val returns: Param[String] = new Param[String](this, "returns", "outputs of the model, as DDL")

  def setInputCol(value: String): PredictorTransformer = assigned(inputCol, value)
  def setInputCols(value: Array[String]): PredictorTransformer = assigned(inputCols, value)
  def setReturns(value: String): PredictorTransformer = assigned(returns, value)
  def getReturns: String = $(returns)

  private[spark] override def resultFields: Seq[StructField] = {
    if (!isDefined(returns)) refuse(s"returns is not set: ${returns.doc}, such as 'embedding array<float>'")
    val fields = Try(StructType.fromDDL($(returns)).fields.toSeq).getOrElse(Nil)
    if (fields.isEmpty || !fields.forall(field => isResult(field.dataType) && field.name != "error")) {
      refuse(s"returns is '${$(returns)}', where fields of float, double, int, bigint or arrays of them are expected, " +
        "such as 'embedding array<float>'")
    }
    fields.map(field => StructField(field.name, field.dataType))
  }

  private def isResult(dataType: DataType): Boolean = dataType match {
    case FloatType | DoubleType | IntegerType | LongType => true
    case ArrayType(FloatType | DoubleType | IntegerType | LongType, _) => true
    case _ => false
  }

  private[spark] override def work(schema: StructType): RowWork = {
    val names = (get(inputCol), get(inputCols)) match {
      case (Some(name), None) => Seq(name)
      case (None, Some(several)) if several.nonEmpty => several.toSeq
      case _ => refuse("inputCol or inputCols has to be set, and not both")
    }
    names.map(column(schema, _)).foreach { field =>
      if (!Numbers.isNumeric(field.dataType)) {
        refuse(s"column '${field.name}' is of type ${field.dataType.simpleString}; numbers, arrays of numbers or vectors " +
          "of Spark ML are expected")
      }
    }
    NumberWork(names.toList, names.map(schema.fieldIndex).toList, resultFields.toList)
  }
}

object PredictorTransformer extends DefaultParamsReadable[PredictorTransformer] {
  override def load(path: String): PredictorTransformer = super.load(path)
}

private[spark] case object PredictorOpener extends Opener {
  override def open(model: Model, options: Options): Predictor = new Predictor(model, options)
}
