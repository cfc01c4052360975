package org.mxinfer;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How {@link Ctc} decodes scores. Never changes; each {@code with} returns another. */
public final class CtcOptions {
  /** What the numbers of a step are. */
  public enum Scores {
    /** 0 to 1, after a softmax. */
    PROBABILITIES,
    /** Their natural logarithms, after a log_softmax. */
    LOG_PROBABILITIES,
    /** Any numbers: a softmax over the classes turns them into probabilities. */
    LOGITS
  }

  /** The order of the axes of a batch. */
  public enum Layout {
    /** (sequences, steps, classes). */
    NTC,
    /** (steps, sequences, classes). */
    TNC
  }

  /** Nothing is set. */
  public static final CtcOptions DEFAULT = new CtcOptions();

  Scores scores = Scores.PROBABILITIES;
  Layout layout = Layout.NTC;
  int blank;
  long[] lengths = new long[0];
  List<String> labels = List.of();
  int beamWidth = 32;
  int best = 1;

  private CtcOptions() {}

  private CtcOptions copy() {
    CtcOptions copy = new CtcOptions();
    copy.scores = scores;
    copy.layout = layout;
    copy.blank = blank;
    copy.lengths = lengths;
    copy.labels = labels;
    copy.beamWidth = beamWidth;
    copy.best = best;
    return copy;
  }

  /**
   * Sets what the numbers of a step are. The default is probabilities.
   *
   * @param scores the kind
   * @return the new options
   */
  public CtcOptions withScores(Scores scores) {
    CtcOptions copy = copy();
    copy.scores = Objects.requireNonNull(scores, "scores");
    return copy;
  }

  /**
   * Sets the order of the axes of scores of rank 3. The default is (sequences, steps, classes).
   *
   * @param layout the order
   * @return the new options
   */
  public CtcOptions withLayout(Layout layout) {
    CtcOptions copy = copy();
    copy.layout = Objects.requireNonNull(layout, "layout");
    return copy;
  }

  /**
   * Sets the class that is the blank. The default is 0.
   *
   * @param index its position; -1: the last
   * @return the new options
   */
  public CtcOptions withBlank(int index) {
    CtcOptions copy = copy();
    copy.blank = index;
    return copy;
  }

  /**
   * Sets how many steps each sequence has. The default is all.
   *
   * @param steps one number for each sequence
   * @return the new options
   */
  public CtcOptions withLengths(long... steps) {
    CtcOptions copy = copy();
    copy.lengths = Objects.requireNonNull(steps, "steps").clone();
    return copy;
  }

  /**
   * Sets the names of the classes. Without names, results have no text.
   *
   * @param names one for each class, or one for each but the blank
   * @return the new options
   */
  public CtcOptions withLabels(List<String> names) {
    CtcOptions copy = copy();
    copy.labels = List.copyOf(Objects.requireNonNull(names, "names"));
    return copy;
  }

  /**
   * Sets the names of the classes, each a single character.
   *
   * @param characters a character for each class, or for each but the blank
   * @return the new options
   */
  public CtcOptions withCharacters(String characters) {
    CtcOptions copy = copy();
    copy.labels = Objects.requireNonNull(characters, "characters").codePoints().mapToObj(Character::toString).collect(
        Collectors.toList());
    return copy;
  }

  /**
   * Sets the names of the classes to the words of a vocabulary.
   *
   * @param vocabulary a word for each class, or for each but the blank; may be closed afterwards
   * @return the new options
   */
  public CtcOptions withVocabulary(Vocabulary vocabulary) {
    CtcOptions copy = copy();
    copy.labels = Objects.requireNonNull(vocabulary, "vocabulary").words(IntStream.range(0, vocabulary.size()).toArray());
    return copy;
  }

  /**
   * Sets how many label sequences beam search keeps from step to step. The default is 32.
   *
   * @param sequences 1 to 65536
   * @return the new options
   */
  public CtcOptions withBeamWidth(int sequences) {
    CtcOptions copy = copy();
    copy.beamWidth = sequences;
    return copy;
  }

  /**
   * Sets how many label sequences beam search returns for each sequence. The default is 1.
   *
   * @param sequences at least 1
   * @return the new options
   */
  public CtcOptions withBest(int sequences) {
    CtcOptions copy = copy();
    copy.best = sequences;
    return copy;
  }
}
