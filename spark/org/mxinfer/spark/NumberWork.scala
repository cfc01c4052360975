package org.mxinfer.spark

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{ArrayType, StructField}
import org.mxinfer.{DataDesc, InvalidArgumentException, MxinferException, Predictor, Tensor}
import scala.collection.JavaConverters._
import scala.collection.mutable.ArrayBuilder

/** Runs a network on the numbers of columns, with its outputs as fields. */
private[spark] final case class NumberWork(names: List[String], places: List[Int], fields: List[StructField])
    extends RowWork {

  /** The numbers of each column. */
  override type Item = Seq[Array[Double]]
  override def opener: Opener = PredictorOpener
  override def columns: String = s"columns ${names.map(name => s"'$name'").mkString(", ")}"
  override def batchSize: Int = 256
  override def size: Int = fields.size
  override def bytes(row: Row): Long = places.map(place => Numbers.count(row.get(place)) * 8).sum

  override def item(row: Row): Seq[Array[Double]] = places.map { place =>
    val numbers = new ArrayBuilder.ofDouble
    Numbers.read(row.get(place), numbers)
    numbers.result()
  }

  override def run(predictor: Predictor, items: IndexedSeq[Item]): IndexedSeq[Either[MxinferException, Row]] = {
    val inputs = predictor.inputs.asScala.toList
    val rows = items.map(item => byInput(item, inputs))
    val wrong = rows.map(row => sizeError(row, inputs))
    val right = rows.indices.filter(at => wrong(at).isEmpty)
    val results = if (right.isEmpty) Iterator.empty else predict(predictor, inputs, right.map(rows)).iterator
    wrong.map {
      case Some(error) => Left(error)
      case None => Right(results.next())
    }
  }

  private def byInput(item: Item, inputs: List[DataDesc]): Seq[Array[Double]] =
    if (inputs.size == 1) Seq(item.flatten.toArray)
    else if (inputs.size == item.size) item
    else {
      throw new InvalidArgumentException(s"there are ${item.size} $columns, and the model's inputs are " +
        s"${inputs.map(_.name).mkString(", ")}; give one column for each, in this order")
    }

  private def sizeError(row: Seq[Array[Double]], inputs: List[DataDesc]): Option[MxinferException] =
    inputs.zip(row).collectFirst {
      case (input, numbers) if numbers.length != Numbers.perRow(input) => new InvalidArgumentException(
        s"the row has ${numbers.length} numbers for the model's input '${input.name}', which takes ${Numbers.perRow(input)}")
    }

  private def predict(predictor: Predictor, inputs: List[DataDesc], rows: IndexedSeq[Item]): IndexedSeq[Row] = {
    val tensors = inputs.zipWithIndex.map { case (input, at) =>
      Numbers.tensor(input, rows.size, rows.flatMap(_(at)).toArray).named(input.name)
    }
    val outputs = predictor.predict(tensors.asJava).asScala.toList
    val columns = fields.map(field => column(field, outputs, rows.size))
    rows.indices.map(row => Row.fromSeq(columns.map(_(row))))
  }

  /** Returns the cells of a field by row. */
  private def column(field: StructField, outputs: List[Tensor], rows: Int): Int => Any = {
    val output = outputs.find(_.name == field.name).getOrElse(throw new InvalidArgumentException(
      s"returns has '${field.name}', and the model's outputs are ${outputs.map(_.name).mkString(", ")}"))
    if (output.shape.rank == 0 || output.shape.get(0) != rows) {
      throw new InvalidArgumentException(s"the output '${field.name}' has shape ${output.shape}, and not a " +
        s"row for each of $rows")
    }
    val numbers = Numbers.numbers(output)
    val each = numbers.size / rows
    field.dataType match {
      case ArrayType(element, _) =>
        row => numbers.slice(row * each, (row + 1) * each).map(Numbers.converted(_, element))
      case single if each == 1 => row => Numbers.converted(numbers(row), single)
      case single => throw new InvalidArgumentException(s"the output '${field.name}' has $each numbers for a row; " +
        s"returns has ${single.simpleString}, where array<${single.simpleString}> is expected")
    }
  }
}
