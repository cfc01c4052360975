package org.mxinfer;

/** Which words a search in {@link WordVectors} returns. Never changes; each {@code with} returns another. */
public final class NearestOptions {
  /** All words but those that you ask about. */
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
   * Leaves out words with a lower cosine.
   *
   * @param score -1 to 1
   * @return the new options
   */
  public NearestOptions withMinScore(float score) {
    return new NearestOptions(new float[] {score}, first, includeGiven);
  }

  /**
   * Searches only the first words, which are the most frequent ones in most files.
   *
   * @param words how many; 0: all
   * @return the new options
   * @throws InvalidArgumentException if the number is below 0
   */
  public NearestOptions withFirst(long words) {
    if (words < 0) {
      throw new InvalidArgumentException("first is " + words + "; it is a number of words, or 0 for all");
    }
    return new NearestOptions(minScore, words, includeGiven);
  }

  /**
   * Sets whether the words that you ask about may be in the result.
   *
   * @param included whether they may
   * @return the new options
   */
  public NearestOptions withGiven(boolean included) {
    return new NearestOptions(minScore, first, included);
  }
}
