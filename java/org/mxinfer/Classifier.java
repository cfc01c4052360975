package org.mxinfer;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A predictor whose output is a score for each class.
 *
 * <p>{@code topK} is the number of classes that you get, in descending order of score; equal scores are in order of
 * index. If there are fewer, you get all. With 0, or without it, you get all classes in label order.
 */
public class Classifier extends Predictor {
  private final String[] labels;

  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link Model#load(String, Options)}
   */
  public Classifier(String uri) {
    this(uri, new Options());
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run", "queue" and "scores"
   * @throws MxinferException as {@link Predictor#Predictor(String, Options)}
   */
  public Classifier(String uri, Options options) {
    this(Native.CLASSIFIER, uri, options);
  }

  /**
   * Loads a model whose files do not say what its inputs are.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param inputs one for each input, in order; -1 for sizes that are free
   * @throws MxinferException as {@link Predictor#Predictor(String, List)}
   */
  public Classifier(String uri, List<DataDesc> inputs) {
    this(uri, withInputs(inputs, new Options()));
  }

  /**
   * Makes an object of this class from a loaded model.
   *
   * @param model the model, which may be closed afterwards
   * @param options those of the groups "run", "queue" and "scores"
   * @throws MxinferException as {@link Predictor#Predictor(Model, Options)}
   */
  public Classifier(Model model, Options options) {
    this(Native.CLASSIFIER, model, options);
  }

  Classifier(int kind, String uri, Options options) {
    super(kind, uri, options);
    labels = labelsOfModel();
  }

  Classifier(int kind, Model model, Options options) {
    super(kind, model, options);
    labels = labelsOfModel();
  }

  String[] labels() {
    return labels;
  }

  /**
   * Classifies one sample, and returns all classes.
   *
   * @param sample the elements of the first input, which is float32, as a flat array
   * @return all classes, in label order
   * @throws MxinferException as {@link #classify(float[], int)}
   */
  public List<Classification> classify(float[] sample) {
    return classify(sample, 0);
  }

  /**
   * Classifies one sample.
   *
   * @param sample the elements of the first input, which is float32, as a flat array
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException INVALID_ARGUMENT: a wrong number of elements, an input that is not float32, topK below 0
   */
  public List<Classification> classify(float[] sample, int topK) {
    Objects.requireNonNull(sample, "sample");
    return Unpack.classes(call(address -> Native.classify(classifierAt(address), sample, topK)), labels);
  }

  /**
   * Classifies a batch.
   *
   * @param batch the first input, of its dtype, with samples along its first dimension
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes of each sample
   * @throws MxinferException INVALID_ARGUMENT: a shape or dtype that does not fit, topK below 0
   */
  public List<List<Classification>> classifyBatch(Tensor batch, int topK) {
    Objects.requireNonNull(batch, "batch");
    int[] numbers = call(address -> Native.classifyBatch(classifierAt(address), batch.data(), batch.dtype().ordinal(),
        batch.shape().sizes(), topK));
    return Unpack.classesOfBatch(numbers, labels);
  }

  /**
   * Submits a call of {@link #classify(float[], int)}, with default {@link SubmitOptions}.
   *
   * @param sample the sample; copied
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(float[] sample, int topK) {
    return classifyAsync(sample, topK, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #classify(float[], int)}.
   *
   * @param sample the sample; copied
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(float[] sample, int topK, SubmitOptions options) {
    Objects.requireNonNull(sample, "sample");
    Objects.requireNonNull(options, "options");
    return call(address -> submit(options, false, null,
        () -> Native.submitClassify(classifierAt(address), sample, topK, options.priority(), options.timeout()),
        this::takeClasses));
  }

  List<Classification> takeClasses(long request) {
    return Unpack.classes(Native.takeClasses(request), labels);
  }
}
