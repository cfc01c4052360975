package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How sequences of any length become the batches that a network takes. What you do not set comes from the model's file,
 * or else is the default that each function names. Never changes; each {@code with} returns another.
 *
 * <pre>{@code
 * SequenceOptions options = SequenceOptions.DEFAULT.withBuckets(16, 32, 64).withPadSide(TextOptions.Side.LEFT);
 * }</pre>
 */
public final class SequenceOptions {
  /** Nothing is set. */
  public static final SequenceOptions DEFAULT = new SequenceOptions();

  /** By the numbers in Native; null: not set. */
  byte[][] texts = new byte[Native.TEXT_OPTIONS][];
  long[] buckets = new long[0];
  /** Null: not set; otherwise of one number. */
  double[] padValue;
  /** 0: not set. */
  int maxBatch;
  /** Names of inputs and outputs in turn. */
  byte[][] states = new byte[0][];
  boolean cutOutputs = true;

  private SequenceOptions() {}

  private SequenceOptions copy() {
    SequenceOptions copy = new SequenceOptions();
    copy.texts = texts.clone();
    copy.buckets = buckets;
    copy.padValue = padValue;
    copy.maxBatch = maxBatch;
    copy.states = states;
    copy.cutOutputs = cutOutputs;
    return copy;
  }

  private SequenceOptions with(int index, String text) {
    SequenceOptions copy = copy();
    copy.texts[index] = Text.utf8(text, "name");
    return copy;
  }

  private SequenceOptions with(int index, Enum<?> value) {
    return with(index, value.name().toLowerCase(Locale.ROOT));
  }

  /**
   * Sets the lengths at which sequences run: each at the smallest one that it fits into. By default, each runs at its
   * own length.
   *
   * @param lengths in ascending order
   * @return the new options
   */
  public SequenceOptions withBuckets(long... lengths) {
    SequenceOptions copy = copy();
    copy.buckets = Objects.requireNonNull(lengths, "lengths").clone();
    return copy;
  }

  /**
   * Sets the side of the padding. The default is after the sequence.
   *
   * @param side the end
   * @return the new options
   */
  public SequenceOptions withPadSide(TextOptions.Side side) {
    return with(Native.PAD_SIDE, Objects.requireNonNull(side, "side"));
  }

  /**
   * Sets the id, or the number, of padding. The default is 0.
   *
   * @param value the number
   * @return the new options
   */
  public SequenceOptions withPadValue(double value) {
    SequenceOptions copy = copy();
    copy.padValue = new double[] {value};
    return copy;
  }

  /**
   * Sets what happens to a sequence longer than the largest bucket. By default, what does not fit is cut off.
   *
   * @param what truncated, or an error
   * @return the new options
   */
  public SequenceOptions withTooLong(TextOptions.TooLong what) {
    return with(Native.TOO_LONG, Objects.requireNonNull(what, "what"));
  }

  /**
   * Sets the side at which a sequence that is too long is cut. The default is its end.
   *
   * @param side the end
   * @return the new options
   */
  public SequenceOptions withTruncateSide(TextOptions.Side side) {
    return with(Native.TRUNCATE_SIDE, Objects.requireNonNull(side, "side"));
  }

  /**
   * Sets the input that takes the sequence. The default is the first that is neither a state nor the length.
   *
   * @param name the input's name
   * @return the new options
   */
  public SequenceOptions withSequenceInput(String name) {
    return with(Native.SEQUENCE_INPUT, name);
  }

  /**
   * Sets the input that takes the length of each sequence. By default, mxinfer finds it by its name and use, if there
   * is one.
   *
   * @param name the input's name
   * @return the new options
   */
  public SequenceOptions withLengthInput(String name) {
    return with(Native.LENGTH_INPUT, name);
  }

  /**
   * Sets the states of a recurrent network. By default, mxinfer finds them by the names and the use of inputs.
   *
   * @param outputs for each input that takes a state, the output that returns it
   * @return the new options
   */
  public SequenceOptions withStates(Map<String, String> outputs) {
    SequenceOptions copy = copy();
    copy.states = names(outputs, "outputs");
    return copy;
  }

  /** Names of inputs and outputs in turn. */
  static byte[][] names(Map<String, String> states, String what) {
    List<String> names = new ArrayList<>();
    Objects.requireNonNull(states, what).forEach((input, output) -> {
      names.add(input);
      names.add(output);
    });
    return Text.utf8(names, what);
  }

  /**
   * Sets whether outputs with a time axis as long as the bucket are cut to the length of the sequence. The default is
   * true.
   *
   * @param cut whether they are
   * @return the new options
   */
  public SequenceOptions withCutOutputs(boolean cut) {
    SequenceOptions copy = copy();
    copy.cutOutputs = cut;
    return copy;
  }

  /**
   * Sets the most sequences of one bucket that run as one batch. The default is 32.
   *
   * @param sequences 1 or more
   * @return the new options
   * @throws InvalidArgumentException if the number is below 1
   */
  public SequenceOptions withMaxBatch(int sequences) {
    if (sequences < 1) {
      throw new InvalidArgumentException("maxBatch is " + sequences + "; it is 1 or more");
    }
    SequenceOptions copy = copy();
    copy.maxBatch = sequences;
    return copy;
  }
}
