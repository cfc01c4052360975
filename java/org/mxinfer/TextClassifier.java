package org.mxinfer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Takes texts of any length and gives labels. A model that takes texts, with the tokenizer and the vocabulary in its
 * file, needs nothing else; in front of a bare network stand those of {@link TextOptions}.
 *
 * <pre>{@code
 * try (TextClassifier classifier = new TextClassifier("models/language_id")) {
 *   List<Classification> best = classifier.classify("Wo ist der Bahnhof?", 3);  // German, ...
 * }
 * }</pre>
 *
 * <p>Of a list, texts of about one length run as one batch, and one that is wrong costs the others nothing.
 */
public class TextClassifier extends Predictor {
  private final String[] labels;

  /**
   * Loads a model that takes texts by itself, with default options.
   *
   * @param uri where it is; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #TextClassifier(String, TextOptions, Options)}
   */
  public TextClassifier(String uri) {
    this(uri, TextOptions.DEFAULT);
  }

  /**
   * Loads a model.
   *
   * @param uri where it is; see {@link Model#load(String, Options)}
   * @param text what stands in front of its network
   * @throws MxinferException as {@link #TextClassifier(String, TextOptions, Options)}
   */
  public TextClassifier(String uri, TextOptions text) {
    this(uri, text, new Options());
  }

  /**
   * Loads a model, or a bucketed model: "lstm", where "lstm-10-symbol.json" and its like are.
   *
   * @param uri where it is; see {@link Model#load(String, Options)}
   * @param text what stands in front of its network
   * @param options those of the groups "load", "run", "queue" and "scores" count
   * @throws MxinferException as {@link Classifier#Classifier(String, Options)}; INVALID_ARGUMENT also if the model takes
   *     no text and there is no tokenizer, or takes text and there is one, if the vocabulary lacks a token that the
   *     options name or has ids that the network has no row for, and for options that make no sense
   */
  public TextClassifier(String uri, TextOptions text, Options options) {
    super(Native.TEXT_CLASSIFIER, open(uri, text, options));
    labels = labelsOfModel();
  }

  /**
   * Makes one of a model.
   *
   * @param model the model, which may be closed afterwards
   * @param text what stands in front of its network
   * @param options those of the groups "run", "queue" and "scores" count
   * @throws MxinferException as {@link #TextClassifier(String, TextOptions, Options)}
   */
  public TextClassifier(Model model, TextOptions text, Options options) {
    super(Native.TEXT_CLASSIFIER, create(model, text, options));
    labels = labelsOfModel();
  }

  private static long open(String uri, TextOptions text, Options options) {
    byte[] name = Text.utf8(uri, "uri");
    Objects.requireNonNull(text, "text");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    return Native.openText(name, text.texts, text.buckets, text.padValue, text.lower, text.maxBatch, settings);
  }

  private static long create(Model model, TextOptions text, Options options) {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(text, "text");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    return model.<Long>with(address -> Native.createText(address, text.texts, text.buckets, text.padValue, text.lower,
        text.maxBatch, settings));
  }

  private String[] labelsOfModel() {
    try (Model model = model()) {
      return model.labels().toArray(new String[0]);
    }
  }

  /**
   * Classifies a text, into all classes.
   *
   * @param text the text
   * @return every class, in the order of the labels
   * @throws MxinferException as {@link #classify(String, int)}
   */
  public List<Classification> classify(String text) {
    return classify(text, 0);
  }

  /**
   * Classifies a text.
   *
   * @param text the text
   * @param topK how many classes, by falling score; 0: every class in the order of the labels
   * @return the classes
   * @throws MxinferException INVALID_ARGUMENT: a text without a token, unless the options put one in front of it or
   *     behind it, one with a character 0, topK below 0
   */
  public List<Classification> classify(String text, int topK) {
    byte[] utf8 = Text.utf8(text, "text");
    return Unpack.classes(call(address -> Native.classifyText(address, utf8, null, topK)), labels);
  }

  /**
   * Classifies a pair of texts, such as a question and an answer.
   *
   * @param first the first text
   * @param second the second text
   * @param topK how many classes, by falling score; 0: every class in the order of the labels
   * @return the classes
   * @throws MxinferException as {@link #classify(String, int)}
   */
  public List<Classification> classifyPair(String first, String second, int topK) {
    byte[] one = Text.utf8(first, "first");
    byte[] two = Text.utf8(second, "second");
    return Unpack.classes(call(address -> Native.classifyText(address, one, two, topK)), labels);
  }

  /**
   * Classifies a list of texts.
   *
   * @param texts of any lengths
   * @param topK how many classes, by falling score; 0: every class in the order of the labels
   * @return the classes of each, or what was wrong with it
   * @throws MxinferException what is wrong with the call itself
   */
  public List<ItemResult<List<Classification>>> classifyTexts(List<String> texts, int topK) {
    return classify(TextArgs.of(texts), topK);
  }

  /**
   * Classifies a list of pairs of texts.
   *
   * @param pairs such as {@code Map.entry("first", "second")}
   * @param topK how many classes, by falling score; 0: every class in the order of the labels
   * @return the classes of each, or what was wrong with it
   * @throws MxinferException what is wrong with the call itself
   */
  public List<ItemResult<List<Classification>>> classifyPairs(List<? extends Map.Entry<String, String>> pairs, int topK) {
    return classify(TextArgs.ofPairs(pairs), topK);
  }

  private List<ItemResult<List<Classification>>> classify(TextArgs texts, int topK) {
    if (texts.firsts.length == 0) {
      return List.of();
    }
    int[] numbers = call(address -> Native.classifyTexts(address, texts.firsts, texts.seconds, topK, texts.messages));
    return Unpack.classesOfList(numbers, labels, texts.messages, texts.errors);
  }

  /**
   * As {@link #classify(String, int)}, later. With default {@link SubmitOptions}.
   *
   * @param text the text
   * @param topK how many classes, by falling score; 0: every class in the order of the labels
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(String text, int topK) {
    return classifyAsync(text, topK, SubmitOptions.DEFAULT);
  }

  /**
   * As {@link #classify(String, int)}, later. What waits runs as one list where the option "max_batch" allows.
   *
   * @param text the text
   * @param topK how many classes, by falling score; 0: every class in the order of the labels
   * @param options priority, timeout, executor
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(String text, int topK, SubmitOptions options) {
    byte[] utf8 = Text.utf8(text, "text");
    Objects.requireNonNull(options, "options");
    return call(address -> submit(options, false, null,
        () -> Native.submitText(address, utf8, topK, options.priority(), options.timeout()),
        request -> Unpack.classes(Native.takeClasses(request), labels)));
  }

  /**
   * As {@link #classifyTexts(List, int)}, later. Each text is a submission of its own: the options "max_in_flight" and
   * "when_full" count.
   *
   * @param texts of any lengths
   * @param topK how many classes, by falling score; 0: every class in the order of the labels
   * @param options priority, timeout, executor
   * @return the classes of each, or what was wrong with it
   */
  public CompletableFuture<List<ItemResult<List<Classification>>>> classifyTextsAsync(List<String> texts, int topK,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(texts, "texts", text -> classifyAsync(text, topK, options));
  }
}
