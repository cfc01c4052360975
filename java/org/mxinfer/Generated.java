package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A generated sequence. Never changes. */
public final class Generated {
  /** Why a sequence ends. */
  public enum Finish {
    /** With the end token, or one of the stop ids. */
    END,
    /** At the maximum length. */
    LENGTH,
    /** Because the stop function returned true. */
    STOPPED
  }

  private final int[] ids;
  private final String text;
  private final double score;
  private final double logProbability;
  private final Finish finish;
  private final OptionalInt endId;

  private Generated(Object[] objects, int first) {
    ids = (int[]) objects[first];
    text = Text.of((byte[]) objects[first + 1]);
    double[] numbers = (double[]) objects[first + 2];
    score = numbers[0];
    logProbability = numbers[1];
    int[] end = (int[]) objects[first + 3];
    finish = Finish.values()[end[0]];
    endId = end[1] == 0 ? OptionalInt.empty() : OptionalInt.of(end[2]);
  }

  /** Of four objects for each, as NativeSequence.generate() says. */
  static List<Generated> listOf(Object[] objects) {
    List<Generated> list = new ArrayList<>();
    for (int i = 0; i < objects.length; i += 4) {
      list.add(new Generated(objects, i));
    }
    return List.copyOf(list);
  }

  /**
   * Returns the ids, without the prompt and without the token that ended the sequence.
   *
   * @return a copy
   */
  public int[] ids() {
    return ids.clone();
  }

  /**
   * Returns the text of the ids.
   *
   * @return the text; "" without a tokenizer and a vocabulary
   */
  public String text() {
    return text;
  }

  /**
   * Returns the score that orders the sequences of a beam.
   *
   * @return the score; for samples, the log probability
   */
  public double score() {
    return score;
  }

  /**
   * Returns the sum of the log probabilities of the tokens, the end token included.
   *
   * @return the sum
   */
  public double logProbability() {
    return logProbability;
  }

  /**
   * Returns why the sequence ended.
   *
   * @return the reason
   */
  public Finish finish() {
    return finish;
  }

  /**
   * Returns the token that ended the sequence.
   *
   * @return empty unless it ended with {@link Finish#END}
   */
  public OptionalInt endId() {
    return endId;
  }

  /**
   * Returns score and text.
   *
   * @return such as "-1.33 the old cat"
   */
  @Override
  public String toString() {
    return score + " " + text;
  }
}
