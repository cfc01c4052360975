package org.mxinfer.infer

import org.mxinfer
import scala.concurrent.Future

/** Runs a model on arrays. Any number of threads may call it at once. After `close()` functions throw IllegalStateException.
  *
  * @param modelPathPrefix where the model is: a prefix, a folder or one file
  * @param inputDescriptors one for each input, in order; empty if the model's files say what they are
  * @param outputDescriptors the outputs that you expect, whose shapes are checked; empty for any
  * @param options names and values, such as `Options("threads" -> "4")`
  */
class Predictor(modelPathPrefix: String, inputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty,
    outputDescriptors: IndexedSeq[DataDesc] = IndexedSeq.empty, options: Options = Options())
    extends AutoCloseable {

  /** The same object for Java. */
  val underlying: mxinfer.Predictor = open(modelPathPrefix, Convert.options(options, inputDescriptors))

  try checkOutputs()
  catch {
    case error: Throwable =>
      underlying.close()
      throw error
  }

  protected def open(uri: String, options: Options): mxinfer.Predictor = new mxinfer.Predictor(uri, options)

  private def checkOutputs(): Unit = {
    val actual = outputs
    if (outputDescriptors.nonEmpty && outputDescriptors.size != actual.size) {
      throw new mxinfer.InvalidArgumentException(
        s"there are ${outputDescriptors.size} output descriptors, and the model has ${actual.size} outputs: " +
          actual.mkString(", "))
    }
    outputDescriptors.zip(actual).foreach { case (expected, output) =>
      if (!agree(expected.shape, output.shape)) {
        throw new mxinfer.InvalidArgumentException(
          s"the output descriptor '${expected.name}' has shape ${expected.shape}, and the model's output " +
            s"'${output.name}' has ${output.shape}")
      }
    }
  }

  private def agree(expected: Shape, actual: Shape): Boolean =
    expected.rank == actual.rank && expected.toArray.zip(actual.toArray).forall { case (e, a) =>
      e == a || e < 0 || a < 0
    }

  /** Runs the model on flat arrays. Each holds one sample of an input, or a batch of samples one after another. T is the type
    * that the model takes and returns, Float or Double.
    */
  def predict[T: Element](input: IndexedSeq[Array[T]]): IndexedSeq[Array[T]] =
    implicitly[Element[T]].predict(underlying, input)

  /** Runs the model on arrays with shapes, whole batches. */
  def predictWithNDArray(input: IndexedSeq[NDArray]): IndexedSeq[NDArray] =
    Convert.indexed(underlying.predict(Convert.javaList(input)))

  /** Runs the model on arrays in the memory of the predictor's GPU, and writes the outputs into your memory there. The call
    * enqueues the work in your stream: a cudaStream_t, or 0 for CUDA's default one. Until the stream has finished this work, do
    * not change the inputs and do not read the outputs.
    */
  def predictOnDevice(input: IndexedSeq[DeviceTensor], output: IndexedSeq[DeviceTensor], stream: Long = 0): Unit =
    underlying.predictOnDevice(Convert.javaList(input), Convert.javaList(output), stream)

  /** Submits floats for `predict`. */
  def predictAsync(input: IndexedSeq[Array[Float]]): Future[IndexedSeq[Array[Float]]] =
    Convert.future(underlying.predictAsync(input: _*))(_.toIndexedSeq)

  /** Submits arrays for `predictWithNDArray`. They must not change before the future is done. */
  def predictWithNDArrayAsync(input: IndexedSeq[NDArray],
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[NDArray]] =
    Convert.future(underlying.predictAsync(Convert.javaList(input), submit))(Convert.indexed)

  def inputs: IndexedSeq[DataDesc] = Convert.indexed(underlying.inputs)
  def outputs: IndexedSeq[DataDesc] = Convert.indexed(underlying.outputs)

  /** Returns the names and shapes of the outputs, for the inputs as you described them. */
  def outputShapes: IndexedSeq[(String, Shape)] = {
    val shapes = inputDescriptors.map(desc => desc.name -> mxinfer.Shape.of(desc.shape.toArray.map(math.abs): _*)).toMap
    Convert.indexed(underlying.outputShapes(Convert.javaShapes(shapes))).map(desc => (desc.name, desc.shape))
  }

  override def close(): Unit = underlying.close()
}

object Predictor {
  def apply(modelPathPrefix: String): Predictor = new Predictor(modelPathPrefix)
  def apply(modelPathPrefix: String, options: Options): Predictor = new Predictor(modelPathPrefix, options = options)
  def apply(modelPathPrefix: String, input: DataDesc, output: DataDesc): Predictor =
    new Predictor(modelPathPrefix, IndexedSeq(input), IndexedSeq(output))
}
