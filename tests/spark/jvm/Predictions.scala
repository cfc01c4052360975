package org.mxinfer.spark.tests

import java.nio.file.Files
import org.apache.spark.ml.feature.VectorAssembler
import org.apache.spark.sql.DataFrame
import org.mxinfer.{Options, Predictor}
import org.mxinfer.spark.PredictorTransformer
import scala.util.Random

/** Numbers through a network, as the jar alone computes them. */
final class Predictions(on: Cluster) extends ClusterCase(on) {
  import Checks._
  import spark.implicits._

  override def run(): Unit = {
    arrays()
    features()
    inputs()
    wrongRows()
    refusals()
    saved()
  }

  private def transformer(model: String) = new PredictorTransformer().setModelUri(model).setOutputCol("best")

  private def arrays(): Unit = {
    val random = new Random(3)
    val inputs = Seq.fill(40)(Seq.fill(32 * 32)(random.nextInt(256).toFloat))
    val predictor = new Predictor(samples.digits, new Options().threads(1))
    val expected = inputs.map(sample => predictor.predict(sample.toArray).head.toSeq)
    predictor.close()
    val data = context.parallelize(inputs.zipWithIndex.map(_.swap), 2).toDF("id", "numbers")
    val digits = transformer(samples.digits).setInputCol("numbers").setReturns("probabilities_output array<float>")
    val found = rows(digits.setBatchSize(1).transform(data))
    same(found.map(_.getSeq[Float](0).toList), expected.map(_.toList), "the same bits")
    check(found.forall(_.isNullAt(1)), found)
  }

  /** A network without weights: the sum of the numbers of each row. */
  private def sum: String = network("sum", """{"nodes": [{"op": "null", "name": "x", "inputs": []},
    {"op": "sum", "name": "total", "attrs": {"axis": "1"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]]}""")

  /** The sum of two inputs, and that of its numbers. */
  private def pair: String = network("pair", """{"nodes": [{"op": "null", "name": "x", "inputs": []},
    {"op": "null", "name": "y", "inputs": []}, {"op": "elemwise_add", "name": "both", "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "sum", "name": "total", "attrs": {"axis": "1"}, "inputs": [[2, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0], [3, 0, 0]]}""")

  private def network(name: String, json: String): String = {
    val file = cluster.folder.resolve(s"$name-symbol.json")
    Files.write(file, json.getBytes)
    file.toString
  }

  private def sums = transformer(sum).setOptions(Map("inputs" -> "x=-1,3")).setReturns("total_output double")

  /** Columns of several types beside each other, and the vector that Spark makes of them. */
  private def features(): Unit = {
    val data = Seq((0, 1.5, 2.0f, 3L, true), (1, -1.0, 0.0f, 7L, false)).toDF("id", "a", "b", "c", "d")
    same(values(sums.setInputCols(Array("a", "b", "c")).transform(data)), Seq(6.5, 6.0), "sums")
    same(values(sums.setInputCols(Array("a", "d", "id")).transform(data)), Seq(2.5, 0.0), "a boolean and an int")
    val vectors = new VectorAssembler().setInputCols(Array("a", "b", "c")).setOutputCol("vector").transform(data)
    same(values(sums.setInputCol("vector").transform(vectors)), Seq(6.5, 6.0), "sums of vectors")
  }

  private def values(table: DataFrame): Seq[Double] = rows(table).map(_.getDouble(0))

  private def pairs = transformer(pair).setOptions(Map("inputs" -> "x=-1,2;y=-1,2")).setInputCols(Array("x", "y"))

  private def inputs(): Unit = {
    val data = Seq((0, Seq(1f, 2f), Seq(10L, 20L)), (1, Seq(3f, 4f), Seq(30L, 40L))).toDF("id", "x", "y")
    val found = rows(pairs.setReturns("total_output int, both_output array<float>").setErrors("raise").transform(data))
    same(found.map(_.toSeq), Seq(Seq(33, Seq(11f, 22f)), Seq(77, Seq(33f, 44f))), "two inputs")
    fails("returns has 'other'", "both_output, total_output")(pairs.setReturns("other float").transform(data).collect())
    fails("'both_output' has 2 numbers", "array<float>")(pairs.setReturns("both_output float").transform(data).collect())
    fails("3 columns 'x', 'y', 'id'", "inputs are x, y") {
      pairs.setInputCols(Array("x", "y", "id")).setReturns("total_output int").transform(data).collect()
    }
  }

  private def wrongRows(): Unit = {
    val right = Seq(Some(1.0), Some(2.0), Some(3.0))
    val cells = Seq(Some(right), None, Some(right.take(1)), Some(right.updated(1, None)))
    val data = context.parallelize(cells.zipWithIndex.map(_.swap), 1).toDF("id", "numbers")
    val found = rows(sums.setInputCol("numbers").transform(data))
    same(found.head.toSeq, Seq(6.0, null), "the row that is right")
    check(found.tail.forall(_.isNullAt(0)), found)
    check(found(1).getString(1).contains("null") && found(3).getString(1).contains("null"), found)
    same(found(2).getString(1), "the row has 1 numbers for the model's input 'x', which takes 3", "a row that is too short")
    fails("row 1 of partition 0", "'numbers'")(sums.setInputCol("numbers").setErrors("raise").transform(data).collect())
  }

  private def refusals(): Unit = {
    val data = Seq((1.0, "text")).toDF("a", "text")
    refused("'text'", "of type string", "numbers")(sums.setInputCol("text").transform(data))
    refused("no column 'b'")(sums.setInputCols(Array("a", "b")).transform(data))
    refused("inputCol or inputCols")(sums.transform(data))
    refused("inputCol or inputCols")(sums.setInputCol("a").setInputCols(Array("a")).transform(data))
    refused("returns is not set")(transformer(sum).setInputCol("a").transform(data))
    for (wrong <- Seq("total_output", "total_output string", "error float", "")) {
      refused("returns is '")(sums.setInputCol("a").setReturns(wrong).transform(data))
    }
  }

  private def saved(): Unit = {
    val path = cluster.folder.resolve("predictor").toString
    val made = sums.setInputCols(Array("a", "b", "c"))
    made.save(path)
    val loaded = PredictorTransformer.load(path)
    same((loaded.getInputCols.toList, loaded.getReturns, loaded.getOptions, loaded.getModelUri),
      (List("a", "b", "c"), made.getReturns, made.getOptions, made.getModelUri), "what was loaded")
  }
}
