package org.mxinfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Runs a model on arrays.
 *
 * <pre>{@code
 * try (Predictor predictor = new Predictor("resnet18_v1")) {
 *   float[][] outputs = predictor.predict(new float[3 * 224 * 224]);
 * }
 * }</pre>
 *
 * <p>Any number of threads may call any function at once. The first call with new shapes makes a plan for them, and
 * later calls reuse it. After {@link #close()} functions throw {@link IllegalStateException}. Calls that run at that
 * time end normally, and submitted calls that wait end with {@link ErrorCode#CANCELLED}.
 *
 * <p>Functions that return a future submit to the predictor's queue, which the options of the group "queue" describe.
 * The future delivers all errors of the library, including {@link TooManyRequestsException} of a full queue. If you
 * cancel the future, a waiting request never runs, and a running one stops soon. Java arrays are copied. Tensors are
 * borrowed: their elements must not change before the future is done.
 */
public class Predictor implements AutoCloseable {
  private final NativeHandle handle;
  private final int kind;
  private final long predictor;
  private final List<DataDesc> inputs;
  private final List<DataDesc> outputs;

  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link Model#load(String, Options)}
   */
  public Predictor(String uri) {
    this(uri, new Options());
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run" and "queue"
   * @throws MxinferException as {@link Model#load(String, Options)}; UNSUPPORTED (target), INVALID_ARGUMENT (options)
   */
  public Predictor(String uri, Options options) {
    this(Native.PREDICTOR, uri, options);
  }

  /**
   * Loads a model whose files do not say what its inputs are.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param inputs one for each input, in order; -1 for sizes that are free
   * @throws MxinferException as {@link Model#load(String, Options)}; INVALID_ARGUMENT if the network has other inputs
   */
  public Predictor(String uri, List<DataDesc> inputs) {
    this(uri, inputs, new Options());
  }

  /**
   * Loads a model whose files do not say what its inputs are.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param inputs one for each input, in order; -1 for sizes that are free
   * @param options those of the groups "load", "run" and "queue"
   * @throws MxinferException as {@link #Predictor(String, Options)}; INVALID_ARGUMENT if the network has other inputs
   */
  public Predictor(String uri, List<DataDesc> inputs, Options options) {
    this(uri, withInputs(inputs, options));
  }

  /**
   * Makes a predictor from a loaded model, with default options.
   *
   * @param model the model
   * @throws MxinferException as {@link #Predictor(Model, Options)}
   */
  public Predictor(Model model) {
    this(model, new Options());
  }

  /**
   * Makes an object of this class from a loaded model.
   *
   * @param model the model, which may be closed afterwards
   * @param options those of the groups "run" and "queue"; those of "load" are ignored
   * @throws MxinferException UNSUPPORTED (target), INVALID_ARGUMENT (options)
   */
  public Predictor(Model model, Options options) {
    this(Native.PREDICTOR, model, options);
  }

  Predictor(int kind, String uri, Options options) {
    this(kind, Native.open(kind, Text.utf8(uri, "uri"), Objects.requireNonNull(options, "options").toNative()));
  }

  Predictor(int kind, Model model, Options options) {
    this(kind, create(kind, model, options));
  }

  Predictor(int kind, long address) {
    this.kind = kind;
    handle = new NativeHandle(this, getClass().getSimpleName(), address, freeing(kind));
    predictor = Native.predictorOf(kind, address);
    try (Model model = new Model(Native.modelOf(predictor))) {
      inputs = model.inputs();
      outputs = model.outputs();
    }
  }

  private static java.util.function.LongConsumer freeing(int kind) {
    return address -> Native.free(kind, address);
  }

  private static long create(int kind, Model model, Options options) {
    byte[][] texts = Objects.requireNonNull(options, "options").toNative();
    return Objects.requireNonNull(model, "model").<Long>with(address -> Native.create(kind, address, texts));
  }

  /** A segmenter, a detector of key points or an embedder. */
  static long openVision(int kind, String uri, Options options, boolean normalize) {
    return NativeVision.open(kind, Text.utf8(uri, "uri"), Objects.requireNonNull(options, "options").toNative(),
        normalize);
  }

  static long createVision(int kind, Model model, Options options, boolean normalize) {
    byte[][] texts = Objects.requireNonNull(options, "options").toNative();
    return Objects.requireNonNull(model, "model")
        .<Long>with(address -> NativeVision.create(kind, address, texts, normalize));
  }

  static Options withInputs(List<DataDesc> inputs, Options options) {
    Objects.requireNonNull(inputs, "inputs");
    return Objects.requireNonNull(options, "options").copy().inputs(inputs);
  }

  /**
   * Runs the model on flat float32 arrays. Each holds one sample of an input, or a batch of samples one after another.
   *
   * @param inputs one array for each input, in order
   * @return one flat array for each output, in order
   * @throws MxinferException INVALID_ARGUMENT: a wrong number of inputs or elements, an input or output that is not
   *     float32
   */
  public float[][] predict(float[]... inputs) {
    long address = handle.acquire();
    try {
      long results = predictFlat(Objects.requireNonNull(inputs, "inputs"));
      try {
        float[][] arrays = new float[Native.tensorCount(results)][];
        for (int i = 0; i < arrays.length; i++) {
          arrays[i] = Native.floatsOf(results, i);
        }
        return arrays;
      } finally {
        Native.freeTensors(results);
      }
    } finally {
      handle.release();
    }
  }

  /**
   * Runs a model that takes and returns float64 on flat arrays. For other models, convert with {@link
   * Tensor#float32Of(double[], long...)}.
   *
   * @param inputs one array for each input, in order: one sample, or a batch of samples one after another
   * @return one flat array for each output, in order
   * @throws MxinferException INVALID_ARGUMENT: a wrong number of inputs or elements, an input or output that is not
   *     float64
   */
  public double[][] predict(double[]... inputs) {
    long address = handle.acquire();
    try {
      long results = predictFlat(Objects.requireNonNull(inputs, "inputs"));
      try {
        double[][] arrays = new double[Native.tensorCount(results)][];
        for (int i = 0; i < arrays.length; i++) {
          arrays[i] = Native.doublesOf(results, i);
        }
        return arrays;
      } finally {
        Native.freeTensors(results);
      }
    } finally {
      handle.release();
    }
  }

  /**
   * Runs the model on flat arrays of any types. Each holds one sample of an input, or a batch of samples one after
   * another.
   *
   * @param inputs for each input, in order, a {@code float[]}, {@code double[]}, {@code int[]}, {@code long[]}, {@code
   *     byte[]} or {@code short[]}; the last four are taken as the input's dtype if that has their size
   * @return one tensor for each output, in order, with its name
   * @throws MxinferException INVALID_ARGUMENT: a wrong number of inputs or elements, a dtype that the input does not
   *     take
   */
  public List<Tensor> predictFlat(List<?> inputs) {
    Object[] arrays = Objects.requireNonNull(inputs, "inputs").toArray();
    return call(address -> TensorArgs.takeTensors(predictFlat(arrays), outputs));
  }

  private long predictFlat(Object[] arrays) {
    TensorArgs args = TensorArgs.ofFlat(arrays, inputs);
    return Native.predict(predictor, Native.FLAT, args.names, args.data, args.dtypes, args.shapes);
  }

  /**
   * Runs the model on arrays with shapes, whole batches.
   *
   * @param inputs in the order of the model; if all have names, in any order, and optional inputs may be left out
   * @return one for each output, in order, with its name
   * @throws MxinferException INVALID_ARGUMENT: a wrong number of inputs, an unknown name, a dtype or shape that does
   *     not fit
   */
  public List<Tensor> predict(List<Tensor> inputs) {
    TensorArgs args = TensorArgs.of(inputs, "inputs");
    return call(address -> TensorArgs.takeTensors(
        Native.predict(predictor, Native.WHOLE, args.names, args.data, args.dtypes, args.shapes), outputs));
  }

  /**
   * Runs the model on arrays by name.
   *
   * @param inputs the arrays by the names of the inputs; optional inputs may be left out
   * @return one for each output, in order, with its name
   * @throws MxinferException as {@link #predict(List)}
   */
  public List<Tensor> predict(Map<String, Tensor> inputs) {
    return predict(named(inputs));
  }

  static List<Tensor> named(Map<String, Tensor> inputs) {
    List<Tensor> list = new ArrayList<>();
    Objects.requireNonNull(inputs, "inputs").forEach((name, tensor) -> {
      list.add(Objects.requireNonNull(tensor, "a tensor in inputs").named(name));
    });
    return list;
  }

  /**
   * Runs the model on arrays, and writes the outputs into the caller's memory. Nothing is copied.
   *
   * @param inputs as for {@link #predict(List)}
   * @param outputs one for each output, of its dtype and shape ({@link #outputShapes}), in order or by name
   * @throws MxinferException as {@link #predict(List)}; INVALID_ARGUMENT also for outputs that do not fit
   */
  public void predictInto(List<Tensor> inputs, List<Tensor> outputs) {
    TensorArgs from = TensorArgs.of(inputs, "inputs");
    TensorArgs to = TensorArgs.ofOutputs(outputs);
    call(address -> {
      Native.predictInto(predictor, from.names, from.data, from.dtypes, from.shapes, to.names, to.data, to.dtypes,
          to.shapes);
      return null;
    });
  }

  /**
   * Runs the model on arrays in the memory of the predictor's GPU (the option "device"), and writes the outputs into
   * your memory there. The call enqueues the work in your stream and returns. Until the stream has finished this work,
   * do not change the inputs and do not read the outputs. If a node runs on the CPU, the call waits for the inputs of
   * that node. Two threads must not use one stream at the same time.
   *
   * @param inputs in the order of the model; if all have names, in any order; none may be left out
   * @param outputs one for each output, of its dtype and shape ({@link #outputShapes}), in order or by name
   * @param stream a {@code cudaStream_t} of that GPU; 0 for CUDA's default stream
   * @throws MxinferException UNSUPPORTED: a predictor on the CPU, or a model that transforms each item by itself, as
   *     end-to-end models for images do; INVALID_ARGUMENT: a tensor that is not on that GPU, and as {@link
   *     #predictInto}
   */
  public void predictOnDevice(List<DeviceTensor> inputs, List<DeviceTensor> outputs, long stream) {
    DeviceTensorArgs from = new DeviceTensorArgs(inputs, "inputs");
    DeviceTensorArgs to = new DeviceTensorArgs(outputs, "outputs");
    call(address -> {
      Native.predictOnDevice(predictor, from.names, from.addresses, from.devices, from.dtypes, from.shapes, to.names,
          to.addresses, to.devices, to.dtypes, to.shapes, stream);
      return null;
    });
  }

  /**
   * Runs a model with transforms on items of different sizes as one batch, such as images as (height, width, channels)
   * or the bytes of their files. Invalid items do not affect the others.
   *
   * @param items the items
   * @return arrays with one row for each item, and the errors of some
   * @throws MxinferException if the call itself is invalid
   */
  public BatchResult predictList(List<Tensor> items) {
    TensorArgs args = TensorArgs.of(items, "items");
    return call(address -> {
      long results = Native.predict(predictor, Native.LIST, null, args.data, args.dtypes, args.shapes);
      List<Optional<MxinferException>> errors = new ArrayList<>();
      try {
        for (int i = 0; i < args.data.length; i++) {
          byte[][] message = new byte[1][];
          int status = Native.itemStatus(results, i, message);
          errors.add(status == 0 ? Optional.empty() : Optional.of(MxinferException.of(status, message[0])));
        }
      } catch (Throwable e) {
        Native.freeTensors(results);
        throw e;
      }
      return new BatchResult(TensorArgs.takeTensors(results, outputs), List.copyOf(errors));
    });
  }

  /**
   * Submits a call of {@link #predict(List)}, with default {@link SubmitOptions}.
   *
   * @param inputs the arrays, borrowed until the future is done
   * @return the outputs
   */
  public CompletableFuture<List<Tensor>> predictAsync(List<Tensor> inputs) {
    return predictAsync(inputs, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #predict(List)}. {@code cancel()} of the future waits until the tensors are the caller's
   * again: until the running operator ends, or with the option "max_batch" the batch that the request is in. If
   * something else completes the future, such as {@code orTimeout}, the request continues, and borrows the tensors
   * until it has ended.
   *
   * @param inputs the arrays, borrowed until the future is done
   * @param options priority, timeout, executor
   * @return the outputs, or a {@link MxinferException}
   */
  public CompletableFuture<List<Tensor>> predictAsync(List<Tensor> inputs, SubmitOptions options) {
    return submitTensors(TensorArgs.of(inputs, "inputs"), options,
        request -> TensorArgs.takeTensors(Native.takeTensors(request), outputs));
  }

  /**
   * Submits a call of {@link #predict(Map)}.
   *
   * @param inputs the arrays by name, borrowed until the future is done
   * @param options priority, timeout, executor
   * @return the outputs, or a {@link MxinferException}
   */
  public CompletableFuture<List<Tensor>> predictAsync(Map<String, Tensor> inputs, SubmitOptions options) {
    return predictAsync(named(inputs), options);
  }

  /**
   * Submits a call of {@link #predict(float[][])}, with default {@link SubmitOptions}.
   *
   * @param inputs one array for each input, in order; copied
   * @return the outputs, or a {@link MxinferException}
   */
  public CompletableFuture<float[][]> predictAsync(float[]... inputs) {
    return submitFlat(Objects.requireNonNull(inputs, "inputs"), SubmitOptions.DEFAULT, request -> {
      List<Tensor> results = TensorArgs.takeTensors(Native.takeTensors(request), outputs);
      float[][] arrays = new float[results.size()][];
      Arrays.setAll(arrays, i -> results.get(i).toFloatArray());
      return arrays;
    });
  }

  /**
   * Submits a call of {@link #predictFlat(List)}.
   *
   * @param inputs one array for each input, in order; copied
   * @param options priority, timeout, executor
   * @return the outputs, or a {@link MxinferException}
   */
  public CompletableFuture<List<Tensor>> predictFlatAsync(List<?> inputs, SubmitOptions options) {
    return submitFlat(Objects.requireNonNull(inputs, "inputs").toArray(), options,
        request -> TensorArgs.takeTensors(Native.takeTensors(request), outputs));
  }

  private <T> CompletableFuture<T> submitFlat(Object[] arrays, SubmitOptions options, LongFunction<T> take) {
    return submit(options, false, null, () -> {
      TensorArgs args = TensorArgs.ofFlat(arrays, inputs);
      return Native.submitFlat(predictor, args.data, args.dtypes, args.shapes, options.priority(), options.timeout());
    }, take);
  }

  /**
   * Submits a call of {@link #predictInto(List, List)}.
   *
   * @param inputs the arrays, borrowed until the future is done
   * @param outputs the arrays to write into, borrowed until the future is done
   * @param options priority, timeout, executor
   * @return null, or a {@link MxinferException}
   */
  public CompletableFuture<Void> predictIntoAsync(List<Tensor> inputs, List<Tensor> outputs, SubmitOptions options) {
    TensorArgs from = TensorArgs.of(inputs, "inputs");
    TensorArgs to = TensorArgs.ofOutputs(outputs);
    return submit(options, true, List.of(from, to),
        () -> Native.submitPredictInto(predictor, from.names, from.data, from.dtypes, from.shapes, to.names, to.data,
            to.dtypes, to.shapes, options.priority(), options.timeout()),
        request -> {
          Native.takeNothing(request);
          return null;
        });
  }

  private <T> CompletableFuture<T> submitTensors(TensorArgs args, SubmitOptions options, LongFunction<T> take) {
    return submit(options, true, args, () -> Native.submitPredict(predictor, args.names, args.data, args.dtypes,
        args.shapes, options.priority(), options.timeout()), take);
  }

  /** Submits; what is held, and this, are kept until the request has ended. */
  <T> CompletableFuture<T> submit(SubmitOptions options, boolean borrows, Object held, LongSupplier submit,
      LongFunction<T> take) {
    Objects.requireNonNull(options, "options");
    return call(address -> Completions.submit(options, borrows, new Object[] {this, held}, submit, take));
  }

  /** Calls with the address of the object, which is not freed meanwhile. */
  <T> T call(LongFunction<T> function) {
    return handle.with(function);
  }

  /** What it is for the native code: one of the kinds in Native. */
  int kind() {
    return kind;
  }

  /** The class names. */
  String[] labelsOfModel() {
    try (Model model = model()) {
      return model.labels().toArray(new String[0]);
    }
  }

  /** The same object as a classifier. Only valid during call(). */
  long classifierAt(long address) {
    return Native.classifierOf(kind, address);
  }

  /**
   * Returns the model.
   *
   * @return a new handle of the model; close it
   */
  public Model model() {
    return call(address -> new Model(Native.modelOf(predictor)));
  }

  /**
   * Returns the model's inputs.
   *
   * @return one for each input, in order
   */
  public List<DataDesc> inputs() {
    return inputs;
  }

  /**
   * Returns the model's outputs.
   *
   * @return one for each output, in order
   */
  public List<DataDesc> outputs() {
    return outputs;
  }

  /**
   * Returns the shapes of all inputs, for the shapes of some that you pass.
   *
   * @param shapes shapes by the names of inputs; the others have the signature's, with 1 for a free batch
   * @return one for each input, in order
   * @throws MxinferException INVALID_ARGUMENT: an unknown name, a shape that does not fit
   */
  public List<DataDesc> inputShapes(Map<String, Shape> shapes) {
    TensorArgs args = TensorArgs.ofShapes(shapes);
    return call(address -> DataDesc.listOf(Native.shapesOf(predictor, true, args.names, args.shapes)));
  }

  /**
   * Returns the shapes of the outputs for shapes of inputs.
   *
   * @param shapes shapes by the names of inputs; the others have the signature's, with 1 for a free batch
   * @return one for each output, in order
   * @throws MxinferException INVALID_ARGUMENT: an unknown name, a shape that does not fit
   */
  public List<DataDesc> outputShapes(Map<String, Shape> shapes) {
    TensorArgs args = TensorArgs.ofShapes(shapes);
    return call(address -> DataDesc.listOf(Native.shapesOf(predictor, false, args.names, args.shapes)));
  }

  /**
   * Makes the plan for some shapes and runs it once on zeros, so that the first request is as fast as later ones.
   *
   * @param shapes shapes by the names of inputs; the others have the signature's, with 1 for a free batch
   * @throws MxinferException INVALID_ARGUMENT: an unknown name, a shape that does not fit
   */
  public void warmup(Map<String, Shape> shapes) {
    TensorArgs args = TensorArgs.ofShapes(shapes);
    call(address -> {
      Native.warmup(predictor, args.names, args.shapes);
      return null;
    });
  }

  /**
   * Returns, as text for people, what runs for some shapes, and why.
   *
   * @param shapes shapes by the names of inputs; the others have the signature's, with 1 for a free batch
   * @return the text
   * @throws MxinferException INVALID_ARGUMENT: an unknown name, a shape that does not fit
   */
  public String explain(Map<String, Shape> shapes) {
    TensorArgs args = TensorArgs.ofShapes(shapes);
    return call(address -> Text.of(Native.explain(predictor, args.names, args.shapes)));
  }

  /**
   * Returns warnings about options that have no effect.
   *
   * @return sentences
   */
  public List<String> warnings() {
    return call(address -> Text.listOf(Native.warnings(predictor)));
  }

  /**
   * Returns counters of the calls.
   *
   * @return the counts of now
   */
  public PredictorStats stats() {
    return call(address -> new PredictorStats(Native.stats(predictor)));
  }

  /**
   * Returns the memory that the predictor holds.
   *
   * @return the bytes of now
   */
  public MemoryUse memory() {
    return call(address -> new MemoryUse(Native.memory(predictor)));
  }

  /**
   * Returns counters and times of the calls that were submitted.
   *
   * @return the counts of now
   */
  public CallMetrics metrics() {
    return call(address -> new CallMetrics(Native.metrics(predictor)));
  }

  /**
   * Returns memory and calls in Prometheus' text format.
   *
   * @param labels goes unchanged into the braces of each line: {@code model="resnet18"}; "" for none
   * @param withHelp whether comments explain each metric; with several predictors, set it only for the first
   * @return the text
   */
  public String prometheus(String labels, boolean withHelp) {
    byte[] text = Text.utf8(labels, "labels");
    return call(address -> Text.of(Native.prometheus(predictor, text, withHelp)));
  }

  /**
   * Releases idle workspaces, and packed weights that no plan uses.
   *
   * @return the bytes that were released
   */
  public long trim() {
    return call(address -> Native.trim(predictor));
  }

  /**
   * Tells whether it is closed.
   *
   * @return true after {@link #close()}
   */
  public final boolean isClosed() {
    return handle.isClosed();
  }

  /**
   * Closes it. Cancels waiting submissions, and waits for running ones. It does not wait for other calls: the last of
   * them frees the object. You may call it again.
   */
  @Override
  public void close() {
    handle.close();
  }
}
