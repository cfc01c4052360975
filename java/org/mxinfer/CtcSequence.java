package org.mxinfer;

/** What a network that was trained with CTC has read. Never changes. */
public final class CtcSequence {
  private final int[] labels;
  private final String text;
  private final double logProbability;

  CtcSequence(int[] labels, String text, double logProbability) {
    this.labels = labels;
    this.text = text;
    this.logProbability = logProbability;
  }

  /**
   * Returns the classes, by their positions in the scores.
   *
   * @return a copy
   */
  public int[] labels() {
    return labels.clone();
  }

  /**
   * Returns the names of the classes, concatenated.
   *
   * @return the text; "" without {@link CtcOptions#withLabels}
   */
  public String text() {
    return text;
  }

  /**
   * Returns the natural logarithm of the probability: of the best path, or with beam search of all paths with these
   * labels that the beam kept.
   *
   * @return the logarithm
   */
  public double logProbability() {
    return logProbability;
  }

  /**
   * Returns text and log probability.
   *
   * @return such as "haha -0.25"
   */
  @Override
  public String toString() {
    return text + " " + logProbability;
  }
}
