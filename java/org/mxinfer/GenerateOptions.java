package org.mxinfer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * How a {@link SequenceGenerator} chooses tokens, and when a sequence ends. docs/how-to/generation.md has the formulas.
 * Never changes; each {@code with} returns another.
 *
 * <pre>{@code
 * GenerateOptions options = GenerateOptions.DEFAULT.withSearch(GenerateOptions.Search.SAMPLE).withTemperature(0.8f);
 * }</pre>
 */
public final class GenerateOptions {
  /** How tokens are chosen. */
  public enum Search {
    /** The best token of each step. */
    GREEDY,
    /** The best sequences of each step. */
    BEAM,
    /** A random token, by the network's probabilities. */
    SAMPLE
  }

  /** Nothing is set. */
  public static final GenerateOptions DEFAULT = new GenerateOptions();

  Search search = Search.GREEDY;
  int maxLength = 100;
  int numSequences = 1;
  int[] stopIds = new int[0];
  /** Null: none. */
  Predicate<int[]> stop;
  int beam = 4;
  float alpha = 1;
  float lengthK = 5;
  float temperature = 1;
  int topK;
  float topP = 1;
  long seed;
  float repetitionPenalty = 1;
  /** With names. */
  List<Tensor> inputs = List.of();

  private GenerateOptions() {}

  private GenerateOptions copy() {
    GenerateOptions copy = new GenerateOptions();
    copy.search = search;
    copy.maxLength = maxLength;
    copy.numSequences = numSequences;
    copy.stopIds = stopIds;
    copy.stop = stop;
    copy.beam = beam;
    copy.alpha = alpha;
    copy.lengthK = lengthK;
    copy.temperature = temperature;
    copy.topK = topK;
    copy.topP = topP;
    copy.seed = seed;
    copy.repetitionPenalty = repetitionPenalty;
    copy.inputs = inputs;
    return copy;
  }

  /**
   * Sets how tokens are chosen. The default is the best token of each step.
   *
   * @param search greedy, beam or sample
   * @return the new options
   */
  public GenerateOptions withSearch(Search search) {
    GenerateOptions copy = copy();
    copy.search = Objects.requireNonNull(search, "search");
    return copy;
  }

  /**
   * Sets how long a sequence may be, without its prompt and with its end token. The default is 100.
   *
   * @param tokens at least 1
   * @return the new options
   */
  public GenerateOptions withMaxLength(int tokens) {
    GenerateOptions copy = copy();
    copy.maxLength = tokens;
    return copy;
  }

  /**
   * Sets how many sequences are generated for each prompt: the best of a beam, or samples. The default is 1.
   *
   * @param number 1 to 65536; 1 for a greedy search
   * @return the new options
   */
  public GenerateOptions withNumSequences(int number) {
    GenerateOptions copy = copy();
    copy.numSequences = number;
    return copy;
  }

  /**
   * Sets ids that end a sequence in addition to the end token.
   *
   * @param ids the ids
   * @return the new options
   */
  public GenerateOptions withStopIds(int... ids) {
    GenerateOptions copy = copy();
    copy.stopIds = Objects.requireNonNull(ids, "ids").clone();
    return copy;
  }

  /**
   * Sets a function that may end a sequence after each token. It is called on the generating thread. If it throws, the
   * generating call throws the same exception.
   *
   * @param stop takes the ids so far without the prompt; true ends the sequence
   * @return the new options
   */
  public GenerateOptions withStop(Predicate<int[]> stop) {
    GenerateOptions copy = copy();
    copy.stop = Objects.requireNonNull(stop, "stop");
    return copy;
  }

  /**
   * Sets how many sequences a beam keeps. The default is 4.
   *
   * @param sequences 1 to the size of the vocabulary
   * @return the new options
   */
  public GenerateOptions withBeam(int sequences) {
    GenerateOptions copy = copy();
    copy.beam = sequences;
    return copy;
  }

  /**
   * Sets the length penalty. The default is 1.
   *
   * @param alpha 0: none
   * @return the new options
   */
  public GenerateOptions withAlpha(float alpha) {
    GenerateOptions copy = copy();
    copy.alpha = alpha;
    return copy;
  }

  /**
   * Sets the constant K of the length penalty. The default is 5.
   *
   * @param k not below 0
   * @return the new options
   */
  public GenerateOptions withLengthK(float k) {
    GenerateOptions copy = copy();
    copy.lengthK = k;
    return copy;
  }

  /**
   * Sets the number that scores are divided by when tokens are drawn. The default is 1.
   *
   * @param temperature above 0
   * @return the new options
   */
  public GenerateOptions withTemperature(float temperature) {
    GenerateOptions copy = copy();
    copy.temperature = temperature;
    return copy;
  }

  /**
   * Draws only from this many best tokens. The default is all.
   *
   * @param tokens their number; 0: all
   * @return the new options
   */
  public GenerateOptions withTopK(int tokens) {
    GenerateOptions copy = copy();
    copy.topK = tokens;
    return copy;
  }

  /**
   * Draws from the fewest best tokens that together have this probability. The default is 1.
   *
   * @param probability above 0, at most 1
   * @return the new options
   */
  public GenerateOptions withTopP(float probability) {
    GenerateOptions copy = copy();
    copy.topP = probability;
    return copy;
  }

  /**
   * Sets the seed of sampling. The same seed gives the same tokens. The default is 0.
   *
   * @param seed any number
   * @return the new options
   */
  public GenerateOptions withSeed(long seed) {
    GenerateOptions copy = copy();
    copy.seed = seed;
    return copy;
  }

  /**
   * Sets the penalty of tokens that are already in the sequence or its prompt. The default is 1: no penalty.
   *
   * @param penalty above 0
   * @return the new options
   */
  public GenerateOptions withRepetitionPenalty(float penalty) {
    GenerateOptions copy = copy();
    copy.repetitionPenalty = penalty;
    return copy;
  }

  /**
   * Sets other inputs of the network, which are the same in each step, and initial states, which are zeros otherwise.
   *
   * @param inputs by name, with a row for each prompt; borrowed by the generating calls
   * @return the new options
   */
  public GenerateOptions withInputs(Map<String, Tensor> inputs) {
    GenerateOptions copy = copy();
    copy.inputs = List.copyOf(Predictor.named(inputs));
    return copy;
  }

  /** As NativeSequence.generate() takes them. */
  int[] numbers() {
    return new int[] {search.ordinal(), maxLength, numSequences, beam, topK};
  }

  float[] floats() {
    return new float[] {alpha, lengthK, temperature, topP, repetitionPenalty};
  }
}
