package org.mxinfer;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What the network of a {@link SequenceGenerator} takes and returns. What you do not set is found in the model. Never
 * changes; each {@code with} returns another.
 */
public final class GeneratorOptions {
  /** What the network takes in each step. */
  public enum Step {
    /** One token if the network has states, the whole prefix if it has none. */
    AUTOMATIC,
    /** The last token; the states remember the others. */
    ONE_TOKEN,
    /** All tokens so far. */
    WHOLE_PREFIX
  }

  /** What the numbers are that the network returns for each token. */
  public enum Scores {
    /** By the operator that computes them. */
    AUTOMATIC,
    /** A softmax turns them into probabilities. */
    LOGITS,
    /** As log_softmax returns them. */
    LOG_PROBABILITIES,
    /** As softmax returns them. */
    PROBABILITIES
  }

  /** Nothing is set. */
  public static final GeneratorOptions DEFAULT = new GeneratorOptions();

  /** By the numbers in NativeSequence; null: not set. */
  byte[][] texts = new byte[NativeSequence.GENERATOR_TEXTS][];
  Step step = Step.AUTOMATIC;
  Scores scores = Scores.AUTOMATIC;
  /** Names of inputs and outputs in turn. */
  byte[][] states = new byte[0][];
  long[] buckets = new long[0];
  double padValue;
  /** Null: not set, as the tokenizer. */
  Vocabulary vocabulary;
  Tokenizer tokenizer;
  int beginId = NativeSequence.OPEN;
  int endId = NativeSequence.OPEN;

  private GeneratorOptions() {}

  private GeneratorOptions copy() {
    GeneratorOptions copy = new GeneratorOptions();
    copy.texts = texts;
    copy.step = step;
    copy.scores = scores;
    copy.states = states;
    copy.buckets = buckets;
    copy.padValue = padValue;
    copy.vocabulary = vocabulary;
    copy.tokenizer = tokenizer;
    copy.beginId = beginId;
    copy.endId = endId;
    return copy;
  }

  /**
   * Sets the input that takes tokens. The default is the first that an Embedding reads, else the first that is neither
   * a state, the length nor the position.
   *
   * @param name the input's name
   * @return the new options
   */
  public GeneratorOptions withTokenInput(String name) {
    GeneratorOptions copy = copy();
    copy.texts = texts.clone();
    copy.texts[NativeSequence.TOKEN_INPUT] = Text.utf8(name, "name");
    return copy;
  }

  /**
   * Sets the dimensions of the array of tokens. The default is its layout in the signature, else what fits the
   * network.
   *
   * @param layout "N", "NT" or "TN": N for sequences, T for tokens
   * @return the new options
   */
  public GeneratorOptions withTokenLayout(String layout) {
    GeneratorOptions copy = copy();
    copy.texts = texts.clone();
    copy.texts[NativeSequence.TOKEN_LAYOUT] = Text.utf8(layout, "layout");
    return copy;
  }

  /**
   * Sets what the network takes in each step.
   *
   * @param step one token, or the whole prefix
   * @return the new options
   */
  public GeneratorOptions withStep(Step step) {
    GeneratorOptions copy = copy();
    copy.step = Objects.requireNonNull(step, "step");
    return copy;
  }

  /**
   * Sets the output that has a score for each token. The default is the first that is not a state.
   *
   * @param name the output's name
   * @return the new options
   */
  public GeneratorOptions withScoreOutput(String name) {
    GeneratorOptions copy = copy();
    copy.texts = texts.clone();
    copy.texts[NativeSequence.SCORE_OUTPUT] = Text.utf8(name, "name");
    return copy;
  }

  /**
   * Sets what the scores are.
   *
   * @param scores logits or probabilities
   * @return the new options
   */
  public GeneratorOptions withScores(Scores scores) {
    GeneratorOptions copy = copy();
    copy.scores = Objects.requireNonNull(scores, "scores");
    return copy;
  }

  /**
   * Sets the states of the network. By default, mxinfer finds them by the names and the use of inputs.
   *
   * @param outputs for each input that takes a state, the output that returns it
   * @return the new options
   */
  public GeneratorOptions withStates(Map<String, String> outputs) {
    GeneratorOptions copy = copy();
    copy.states = SequenceOptions.names(outputs, "outputs");
    return copy;
  }

  /**
   * Sets the input that takes the number of the step, from 0. The default is none.
   *
   * @param name the input's name
   * @return the new options
   */
  public GeneratorOptions withPositionInput(String name) {
    GeneratorOptions copy = copy();
    copy.texts = texts.clone();
    copy.texts[NativeSequence.POSITION_INPUT] = Text.utf8(name, "name");
    return copy;
  }

  /**
   * Sets the input that takes the length of a whole prefix. By default, mxinfer finds it by its name, if there is one.
   *
   * @param name the input's name
   * @return the new options
   */
  public GeneratorOptions withLengthInput(String name) {
    GeneratorOptions copy = copy();
    copy.texts = texts.clone();
    copy.texts[NativeSequence.GENERATOR_LENGTH_INPUT] = Text.utf8(name, "name");
    return copy;
  }

  /**
   * Sets the lengths at which whole prefixes run. By default, each runs at its own length. A prefix longer than the
   * largest is an error.
   *
   * @param lengths in ascending order
   * @return the new options
   */
  public GeneratorOptions withBuckets(long... lengths) {
    GeneratorOptions copy = copy();
    copy.buckets = Objects.requireNonNull(lengths, "lengths").clone();
    return copy;
  }

  /**
   * Sets the id of the padding of whole prefixes. The default is 0.
   *
   * @param value the id
   * @return the new options
   */
  public GeneratorOptions withPadValue(double value) {
    GeneratorOptions copy = copy();
    copy.padValue = value;
    return copy;
  }

  /**
   * Sets the words, for texts. The default is those of the tokenizer.
   *
   * @param vocabulary the words; do not close the vocabulary before the generator is made
   * @return the new options
   */
  public GeneratorOptions withVocabulary(Vocabulary vocabulary) {
    GeneratorOptions copy = copy();
    copy.vocabulary = Objects.requireNonNull(vocabulary, "vocabulary");
    return copy;
  }

  /**
   * Sets what splits prompts into tokens and turns tokens into texts.
   *
   * @param tokenizer do not close it before the generator is made
   * @return the new options
   */
  public GeneratorOptions withTokenizer(Tokenizer tokenizer) {
    GeneratorOptions copy = copy();
    copy.tokenizer = Objects.requireNonNull(tokenizer, "tokenizer");
    return copy;
  }

  /**
   * Sets the id that is placed before each prompt that does not begin with it. The default is the vocabulary's begin
   * token, if it has one.
   *
   * @param id the id; -1: none
   * @return the new options
   */
  public GeneratorOptions withBeginId(int id) {
    GeneratorOptions copy = copy();
    copy.beginId = id;
    return copy;
  }

  /**
   * Sets the id that ends a sequence. The default is the vocabulary's end token, if it has one.
   *
   * @param id the id; -1: none
   * @return the new options
   */
  public GeneratorOptions withEndId(int id) {
    GeneratorOptions copy = copy();
    copy.endId = id;
    return copy;
  }

  /** Of what NativeSequence.found() gives. */
  static GeneratorOptions ofFound(Object[] found) {
    GeneratorOptions options = new GeneratorOptions();
    int[] numbers = (int[]) found[3];
    options.texts = (byte[][]) found[0];
    options.states = (byte[][]) found[1];
    options.buckets = (long[]) found[2];
    options.step = Step.values()[numbers[0]];
    options.scores = Scores.values()[numbers[1]];
    options.beginId = numbers[2];
    options.endId = numbers[3];
    options.padValue = ((double[]) found[4])[0];
    return options;
  }

  private String text(int index) {
    return texts[index] == null ? "" : Text.of(texts[index]);
  }

  /**
   * Returns what is set, by the names of the options.
   *
   * @return such as token_input, states, step and end_id; without the vocabulary and the tokenizer
   */
  public Map<String, Object> toMap() {
    Map<String, String> outputs = new LinkedHashMap<>();
    for (int i = 0; i + 1 < states.length; i += 2) {
      outputs.put(Text.of(states[i]), Text.of(states[i + 1]));
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("token_input", text(NativeSequence.TOKEN_INPUT));
    map.put("token_layout", text(NativeSequence.TOKEN_LAYOUT));
    map.put("step", step);
    map.put("score_output", text(NativeSequence.SCORE_OUTPUT));
    map.put("scores", scores);
    map.put("states", outputs);
    map.put("position_input", text(NativeSequence.POSITION_INPUT));
    map.put("length_input", text(NativeSequence.GENERATOR_LENGTH_INPUT));
    map.put("buckets", Arrays.stream(buckets).boxed().collect(Collectors.toList()));
    map.put("pad_value", padValue);
    if (beginId != NativeSequence.OPEN) {
      map.put("begin_id", beginId);
    }
    if (endId != NativeSequence.OPEN) {
      map.put("end_id", endId);
    }
    return map;
  }

  /**
   * Returns what is set as text.
   *
   * @return such as "{token_input=data, ...}"
   */
  @Override
  public String toString() {
    return toMap().toString();
  }
}
