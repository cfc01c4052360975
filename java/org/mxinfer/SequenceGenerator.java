package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes sequences token by token: texts, translations, captions.
 *
 * <pre>{@code
 * GeneratorOptions network = GeneratorOptions.DEFAULT.withVocabulary(Vocabulary.load(Path.of("vocab.json")));
 * try (SequenceGenerator generator = new SequenceGenerator("language_model", network, new Options())) {
 *   System.out.println(generator.generate("The ship", GenerateOptions.DEFAULT).get(0).text());
 * }
 * }</pre>
 *
 * <p>Its network takes the token of one step and its states, and gives a score for each token of the vocabulary and
 * the next states; or it takes all tokens so far. docs/how-to/generation.md says which graphs these are.
 */
public class SequenceGenerator extends Predictor {
  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param network what the network takes and gives
   * @param options those of the groups "load", "run" and "queue"
   * @throws MxinferException as {@link Predictor#Predictor(String, Options)}; INVALID_ARGUMENT also for names that are
   *     not the model's, a model whose outputs are all states, ids that are not the vocabulary's, buckets that do not
   *     rise
   */
  public SequenceGenerator(String uri, GeneratorOptions network, Options options) {
    super(Native.SEQUENCE_GENERATOR, make(0, Text.utf8(uri, "uri"), network, options));
  }

  /**
   * Makes a generator of a model.
   *
   * @param model the model, which may be closed afterwards
   * @param network what the network takes and gives
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
   * Goes on with a prompt of ids.
   *
   * @param prompt the ids; none if there is a begin id
   * @param options how tokens are chosen
   * @return the sequences: of a beam the best first, or fewer if no more are possible; of samples in the order of
   *     their numbers
   * @throws MxinferException INVALID_ARGUMENT: options outside of their ranges, an empty prompt without a begin id,
   *     ids that the network has no score for, inputs or states that do not fit, scores that are NaN
   */
  public List<Generated> generate(int[] prompt, GenerateOptions options) {
    int[][] prompts = {Objects.requireNonNull(prompt, "prompt")};
    return generate(prompts, null, false, Objects.requireNonNull(options, "options")).get(0);
  }

  /**
   * Goes on with a text.
   *
   * @param prompt the text, as {@link #ids} sees it
   * @param options how tokens are chosen
   * @return the sequences, as {@link #generate(int[], GenerateOptions)} gives them
   * @throws MxinferException as {@link #generate(int[], GenerateOptions)}; INVALID_ARGUMENT also without a vocabulary
   *     and a tokenizer
   */
  public List<Generated> generate(String prompt, GenerateOptions options) {
    byte[][] prompts = {Text.utf8(prompt, "prompt")};
    return generate(null, prompts, false, Objects.requireNonNull(options, "options")).get(0);
  }

  /**
   * Goes on with many prompts of ids. Those that can run as one batch do.
   *
   * @param prompts the ids of each
   * @param options how tokens are chosen
   * @return for each what {@link #generate(int[], GenerateOptions)} gives for it alone, with the same seed
   * @throws MxinferException as {@link #generate(int[], GenerateOptions)}, of the first prompt that is wrong
   */
  public List<List<Generated>> generateBatch(List<int[]> prompts, GenerateOptions options) {
    int[][] list = Objects.requireNonNull(prompts, "prompts").toArray(new int[0][]);
    for (int[] prompt : list) {
      Objects.requireNonNull(prompt, "an element of prompts");
    }
    return generate(list, null, true, Objects.requireNonNull(options, "options"));
  }

  /**
   * Goes on with many texts. Those that can run as one batch do.
   *
   * @param prompts the texts
   * @param options how tokens are chosen
   * @return for each what {@link #generate(String, GenerateOptions)} gives for it alone, with the same seed
   * @throws MxinferException as {@link #generate(String, GenerateOptions)}, of the first prompt that is wrong
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
   * Begins one sequence, token by token. Nothing runs before the first token is asked for.
   *
   * @param prompt the ids; none if there is a begin id
   * @param options how tokens are chosen: greedy or sampled; their inputs are copied
   * @return the sequence, to be closed
   * @throws MxinferException as {@link #generate(int[], GenerateOptions)}; INVALID_ARGUMENT also for a beam and for
   *     more than one sequence
   */
  public Generation start(int[] prompt, GenerateOptions options) {
    return start(Objects.requireNonNull(prompt, "prompt"), null, Objects.requireNonNull(options, "options"));
  }

  /**
   * Begins one sequence, token by token. Nothing runs before the first token is asked for.
   *
   * @param prompt the text, as {@link #ids} sees it
   * @param options how tokens are chosen: greedy or sampled; their inputs are copied
   * @return the sequence, to be closed
   * @throws MxinferException as {@link #generate(String, GenerateOptions)}; INVALID_ARGUMENT also for a beam and for
   *     more than one sequence
   */
  public Generation start(String prompt, GenerateOptions options) {
    return start(null, Text.utf8(prompt, "prompt"), Objects.requireNonNull(options, "options"));
  }

  /**
   * Returns the ids of a text: by the tokenizer, or those of its words, parted by white space.
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
   * @return a vocabulary of its own, to be closed; an empty one if there is neither a vocabulary nor a tokenizer
   */
  public Vocabulary vocabulary() {
    return call(address -> new Vocabulary(NativeSequence.generatorVocabulary(address)));
  }

  /**
   * Returns the options that may be left open, as they were found in the model.
   *
   * @return names, states, kinds, ids; without the vocabulary and the tokenizer
   */
  public GeneratorOptions found() {
    return GeneratorOptions.ofFound(call(NativeSequence::found));
  }
}
