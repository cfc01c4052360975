package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Generates sequences token by token: texts, translations, captions.
 *
 * <pre>{@code
 * GeneratorOptions network = GeneratorOptions.DEFAULT.withVocabulary(Vocabulary.load(Path.of("vocab.json")));
 * try (SequenceGenerator generator = new SequenceGenerator("language_model", network, new Options())) {
 *   System.out.println(generator.generate("The ship", GenerateOptions.DEFAULT).get(0).text());
 * }
 * }</pre>
 *
 * <p>The network takes either the last token and its states, or all tokens so far. It returns a score for each token of
 * the vocabulary, and the next states. docs/how-to/generation.md describes these graphs.
 */
public class SequenceGenerator extends Predictor {
  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param network what the network takes and returns
   * @param options those of the groups "load", "run" and "queue"
   * @throws MxinferException as {@link Predictor#Predictor(String, Options)}; INVALID_ARGUMENT also for names that the
   *     model does not have, a model whose outputs are all states, ids that are not in the vocabulary, buckets that are
   *     not in ascending order
   */
  public SequenceGenerator(String uri, GeneratorOptions network, Options options) {
    super(Native.SEQUENCE_GENERATOR, make(0, Text.utf8(uri, "uri"), network, options));
  }

  /**
   * Makes a generator for a model.
   *
   * @param model the model, which may be closed afterwards
   * @param network what the network takes and returns
   * @param options those of the groups "run" and "queue"
   * @throws MxinferException as {@link #SequenceGenerator(String, GeneratorOptions, Options)}
   */
  public SequenceGenerator(Model model, GeneratorOptions network, Options options) {
    super(Native.SEQUENCE_GENERATOR, Objects.requireNonNull(model, "model")
        .<Long>with(address -> make(address, null, network, options)));
  }

  private static long make(long model, byte[] uri, GeneratorOptions network, Options options) {
    Objects.requireNonNull(network, "network");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    int[] ids = {network.beginId, network.endId};
    return Vocabulary.<Long>withOptional(network.vocabulary, words -> Tokenizer.<Long>withOptional(network.tokenizer,
        tokenizer -> NativeSequence.createGenerator(model, uri, network.texts, network.step.ordinal(),
            network.scores.ordinal(), network.states, network.buckets, network.padValue, words, tokenizer, ids,
            settings)));
  }

  private List<List<Generated>> generate(int[][] ids, byte[][] texts, boolean isBatch, GenerateOptions options) {
    TensorArgs inputs = TensorArgs.of(options.inputs, "inputs");
    Object[][] made = call(address -> NativeSequence.generate(address, ids, texts, isBatch, options.numbers(),
        options.floats(), options.seed, options.stopIds, options.stop, inputs.names, inputs.data, inputs.dtypes,
        inputs.shapes));
    List<List<Generated>> lists = new ArrayList<>();
    for (Object[] sequences : made) {
      lists.add(Generated.listOf(sequences));
    }
    return List.copyOf(lists);
  }

  /**
   * Continues a prompt of ids.
   *
   * @param prompt the ids; none if there is a begin id
   * @param options how tokens are chosen
   * @return the sequences: those of a beam best first, and fewer if no more are possible; samples in the order of their
   *     numbers
   * @throws MxinferException INVALID_ARGUMENT: options outside their ranges, an empty prompt without a begin id, ids
   *     that the network has no score for, inputs or states that do not fit, scores that are NaN
   */
  public List<Generated> generate(int[] prompt, GenerateOptions options) {
    int[][] prompts = {Objects.requireNonNull(prompt, "prompt")};
    return generate(prompts, null, false, Objects.requireNonNull(options, "options")).get(0);
  }

  /**
   * Continues a text.
   *
   * @param prompt the text, as {@link #ids} sees it
   * @param options how tokens are chosen
   * @return the sequences, as {@link #generate(int[], GenerateOptions)} returns them
   * @throws MxinferException as {@link #generate(int[], GenerateOptions)}; INVALID_ARGUMENT also without a vocabulary
   *     and a tokenizer
   */
  public List<Generated> generate(String prompt, GenerateOptions options) {
    byte[][] prompts = {Text.utf8(prompt, "prompt")};
    return generate(null, prompts, false, Objects.requireNonNull(options, "options")).get(0);
  }

  /**
   * Continues many prompts of ids. Those that can run as one batch do.
   *
   * @param prompts the ids of each
   * @param options how tokens are chosen
   * @return for each, what {@link #generate(int[], GenerateOptions)} returns for it alone, with the same seed
   * @throws MxinferException as {@link #generate(int[], GenerateOptions)}, for the first invalid prompt
   */
  public List<List<Generated>> generateBatch(List<int[]> prompts, GenerateOptions options) {
    int[][] list = Objects.requireNonNull(prompts, "prompts").toArray(new int[0][]);
    for (int[] prompt : list) {
      Objects.requireNonNull(prompt, "an element of prompts");
    }
    return generate(list, null, true, Objects.requireNonNull(options, "options"));
  }

  /**
   * Continues many texts. Those that can run as one batch do.
   *
   * @param prompts the texts
   * @param options how tokens are chosen
   * @return for each, what {@link #generate(String, GenerateOptions)} returns for it alone, with the same seed
   * @throws MxinferException as {@link #generate(String, GenerateOptions)}, for the first invalid prompt
   */
  public List<List<Generated>> generateTexts(List<String> prompts, GenerateOptions options) {
    return generate(null, Text.utf8(prompts, "prompts"), true, Objects.requireNonNull(options, "options"));
  }

  private Generation start(int[] ids, byte[] text, GenerateOptions options) {
    TensorArgs inputs = TensorArgs.of(options.inputs, "inputs");
    return call(address -> new Generation(NativeSequence.start(address, ids, text, options.numbers(), options.floats(),
        options.seed, options.stopIds, options.stop, inputs.names, inputs.data, inputs.dtypes, inputs.shapes)));
  }

  /**
   * Starts one sequence, token by token. Nothing runs before you ask for the first token.
   *
   * @param prompt the ids; none if there is a begin id
   * @param options how tokens are chosen: greedy search or sampling; its inputs are copied
   * @return the sequence; close it
   * @throws MxinferException as {@link #generate(int[], GenerateOptions)}; INVALID_ARGUMENT also for a beam and for
   *     more than one sequence
   */
  public Generation start(int[] prompt, GenerateOptions options) {
    return start(Objects.requireNonNull(prompt, "prompt"), null, Objects.requireNonNull(options, "options"));
  }

  /**
   * Starts one sequence, token by token. Nothing runs before you ask for the first token.
   *
   * @param prompt the text, as {@link #ids} sees it
   * @param options how tokens are chosen: greedy search or sampling; its inputs are copied
   * @return the sequence; close it
   * @throws MxinferException as {@link #generate(String, GenerateOptions)}; INVALID_ARGUMENT also for a beam and for
   *     more than one sequence
   */
  public Generation start(String prompt, GenerateOptions options) {
    return start(null, Text.utf8(prompt, "prompt"), Objects.requireNonNull(options, "options"));
  }

  /**
   * Returns the ids of a text: those of the tokenizer, or of its words between white space.
   *
   * @param text the text
   * @return the ids, without the begin id
   * @throws InvalidArgumentException if there is neither a vocabulary nor a tokenizer
   */
  public int[] ids(String text) {
    byte[] utf8 = Text.utf8(text, "text");
    return call(address -> NativeSequence.generatorIds(address, utf8));
  }

  /**
   * Returns the text of ids.
   *
   * @param ids the ids
   * @return the text
   * @throws InvalidArgumentException for an id that is not in the vocabulary
   */
  public String text(int... ids) {
    Objects.requireNonNull(ids, "ids");
    return Text.of(call(address -> NativeSequence.generatorText(address, ids)));
  }

  /**
   * Returns the words.
   *
   * @return a new handle of the vocabulary; close it; an empty one if there is neither a vocabulary nor a tokenizer
   */
  public Vocabulary vocabulary() {
    return call(address -> new Vocabulary(NativeSequence.generatorVocabulary(address)));
  }

  /**
   * Returns the options that you may leave open, as they were found in the model.
   *
   * @return names, states, kinds, ids; without the vocabulary and the tokenizer
   */
  public GeneratorOptions found() {
    return GeneratorOptions.ofFound(call(NativeSequence::found));
  }
}
