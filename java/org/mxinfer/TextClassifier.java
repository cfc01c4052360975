package org.mxinfer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Classifies texts of any length. A model with the tokenizer and the vocabulary in its file needs nothing else. For a
 * bare network, set them with {@link TextOptions}.
 *
 * <pre>{@code
 * try (TextClassifier classifier = new TextClassifier("models/language_id")) {
 *   List<Classification> best = classifier.classify("Wo ist der Bahnhof?", 3);  // German, ...
 * }
 * }</pre>
 *
 * <p>In a list, texts of one bucket run as batches. An invalid text does not affect the others.
 */
public class TextClassifier extends SequencePredictor {
  private final String[] labels;

  /**
   * Loads a model that takes texts by itself, with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #TextClassifier(String, TextOptions, Options)}
   */
  public TextClassifier(String uri) {
    this(uri, TextOptions.DEFAULT);
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param text how texts become the network's inputs
   * @throws MxinferException as {@link #TextClassifier(String, TextOptions, Options)}
   */
  public TextClassifier(String uri, TextOptions text) {
    this(uri, text, new Options());
  }

  /**
   * Loads a model, or a bucketed model: "lstm", where "lstm-10-symbol.json" and similar files are.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param text how texts become the network's inputs
   * @param options those of the groups "load", "run", "queue" and "scores"
   * @throws MxinferException as {@link Classifier#Classifier(String, Options)}; INVALID_ARGUMENT also if the model
   *     takes no text and there is no tokenizer, if the model takes text and there is one, if the vocabulary lacks a
   *     token that the options name or has ids that the network has no row for, and for invalid options
   */
  public TextClassifier(String uri, TextOptions text, Options options) {
    super(Native.TEXT_CLASSIFIER, open(uri, text, options));
    labels = labelsOfModel();
  }

  /**
   * Makes an object of this class from a loaded model.
   *
   * @param model the model, which may be closed afterwards
   * @param text how texts become the network's inputs
   * @param options those of the groups "run", "queue" and "scores"
   * @throws MxinferException as {@link #TextClassifier(String, TextOptions, Options)}
   */
  public TextClassifier(Model model, TextOptions text, Options options) {
    super(Native.TEXT_CLASSIFIER, create(model, text, options));
    labels = labelsOfModel();
  }

  /**
   * Makes a classifier for a bucketed model, which takes ids. Labels are those of its largest bucket.
   *
   * @param model the model, which may be closed afterwards
   * @param text how texts become the networks' inputs: {@link TextOptions#withTokenizer(Tokenizer)}
   * @param options those of the groups "run", "queue" and "scores"
   * @throws MxinferException as {@link #TextClassifier(String, TextOptions, Options)}; INVALID_ARGUMENT also for a
   *     tokenizer that is given by the file of its vocabulary
   */
  public TextClassifier(BucketedModel model, TextOptions text, Options options) {
    super(Native.TEXT_CLASSIFIER, create(model, text, options));
    labels = labelsOfModel();
  }

  private static long open(String uri, TextOptions text, Options options) {
    byte[] name = Text.utf8(uri, "uri");
    Objects.requireNonNull(text, "text");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    if (text.ready != null) {
      return create(0, 0, name, text, settings);
    }
    return Native.openText(name, text.texts, text.buckets, text.padValue, text.lower, text.maxBatch, settings);
  }

  private static long create(Model model, TextOptions text, Options options) {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(text, "text");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    return model.<Long>with(address -> text.ready != null ? create(address, 0, null, text, settings)
        : Native.createText(address, text.texts, text.buckets, text.padValue, text.lower, text.maxBatch, settings));
  }

  private static long create(BucketedModel model, TextOptions text, Options options) {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(text, "text");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    return model.<Long>with(address -> create(0, address, null, text, settings));
  }

  /** With a tokenizer that is an object, or of a bucketed model. */
  private static long create(long model, long buckets, byte[] uri, TextOptions text, byte[][] settings) {
    if (text.texts[Native.TOKENIZER] != null || text.texts[Native.UNKNOWN] != null || text.lower != 0) {
      throw new InvalidArgumentException("the options name a tokenizer with the file of its vocabulary, an unknown token or "
          + "whether texts are lower-cased; here a Tokenizer says all of that: give it to withTokenizer alone");
    }
    return Tokenizer.<Long>withOptional(text.ready, tokenizer -> NativeSequence.createText(model, buckets, uri, tokenizer,
        text.texts, text.buckets, text.padValue, text.maxBatch, settings));
  }

  /**
   * Classifies a text, and returns all classes.
   *
   * @param text the text
   * @return all classes, in label order
   * @throws MxinferException as {@link #classify(String, int)}
   */
  public List<Classification> classify(String text) {
    return classify(text, 0);
  }

  /**
   * Classifies a text.
   *
   * @param text the text
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException INVALID_ARGUMENT: a text without a token, unless the options add one before or after it; a
   *     text with a character 0; topK below 0
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
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException as {@link #classify(String, int)}
   */
  public List<Classification> classifyPair(String first, String second, int topK) {
    byte[] one = Text.utf8(first, "first");
    byte[] two = Text.utf8(second, "second");
    return Unpack.classes(call(address -> Native.classifyText(address, one, two, topK)), labels);
  }

  /**
   * Classifies a text that is already split into tokens. The begin and end tokens of the options are added.
   *
   * @param tokens the tokens
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException as {@link #classify(String, int)}; UNSUPPORTED if the tokenizer is in the model's file
   */
  public List<Classification> classifyTokens(List<String> tokens, int topK) {
    byte[][] texts = Text.utf8(tokens, "tokens");
    return Unpack.classes(call(address -> NativeSequence.classifyTokens(address, texts, topK)), labels);
  }

  /**
   * Classifies ids as {@link #ids} returns them: nothing is added.
   *
   * @param ids the ids
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException as {@link #classify(String, int)}; INVALID_ARGUMENT also for an id for which the network
   *     has no row
   */
  public List<Classification> classifyIds(int[] ids, int topK) {
    Objects.requireNonNull(ids, "ids");
    return Unpack.classes(call(address -> NativeSequence.classifyIds(address, ids, topK)), labels);
  }

  /**
   * Returns the ids that the network gets for a text.
   *
   * @param text the text
   * @return its ids, begin and end tokens included, before padding
   * @throws MxinferException as {@link #classify(String, int)}
   */
  public int[] ids(String text) {
    byte[] utf8 = Text.utf8(text, "text");
    return call(address -> NativeSequence.textIds(address, utf8));
  }

  /**
   * Classifies a list of texts.
   *
   * @param texts of any lengths
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Classification>>> classifyTexts(List<String> texts, int topK) {
    return classify(TextArgs.of(texts), topK);
  }

  /**
   * Classifies a list of pairs of texts.
   *
   * @param pairs such as {@code Map.entry("first", "second")}
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes of each, or its error
   * @throws MxinferException if the call itself is invalid
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
   * Submits a call of {@link #classify(String, int)}, with default {@link SubmitOptions}.
   *
   * @param text the text
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(String text, int topK) {
    return classifyAsync(text, topK, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #classify(String, int)}. Waiting texts run as one list if the option "max_batch" allows
   * it.
   *
   * @param text the text
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
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
   * Submits each text of a list for {@link #classifyTexts(List, int)}. The options "max_in_flight" and "when_full"
   * count each of them.
   *
   * @param texts of any lengths
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Classification>>>> classifyTextsAsync(List<String> texts, int topK,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(texts, "texts", text -> classifyAsync(text, topK, options));
  }
}
