package org.mxinfer;

/** Which words a search among {@link WordVectors} looks at. Never changes; each {@code with} returns another. */
public final class NearestOptions {
  /** All words but those that are asked about. */
  public static final NearestOptions DEFAULT = new NearestOptions(null, 0, false);

  /** Null: none; otherwise of one number. */
  final float[] minScore;
  final long first;
  final boolean includeGiven;

  private NearestOptions(float[] minScore, long first, boolean includeGiven) {
    this.minScore = minScore;
    this.first = first;
    this.includeGiven = includeGiven;
  }

  /**
   * Leaves out words of a lower cosine.
   *
   * @param score -1 to 1
   * @return such options
   */
  public NearestOptions withMinScore(float score) {
    return new NearestOptions(new float[] {score}, first, includeGiven);
  }

  /**
   * Looks at the first words alone, which are the frequent ones in most files.
   *
   * @param words how many; 0: all
   * @return such options
   * @throws InvalidArgumentException if the number is below 0
   */
  public NearestOptions withFirst(long words) {
    if (words < 0) {
      throw new InvalidArgumentException("first is " + words + "; it is a number of words, or 0 for all");
    }
    return new NearestOptions(minScore, words, includeGiven);
  }

  /**
   * Sets whether the words that are asked about may be among the answers.
   *
   * @param included whether they may
   * @return such options
   */
  public NearestOptions withGiven(boolean included) {
    return new NearestOptions(minScore, first, included);
  }
}
