package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Decodes the scores of networks that were trained with connectionist temporal classification.
 *
 * <pre>{@code
 * CtcOptions options = CtcOptions.DEFAULT.withCharacters("abcdefghijklmnopqrstuvwxyz");  // the classes but the blank
 * Tensor steps = predictor.predict(List.of(captcha)).get(0);                             // (1, steps, classes)
 * System.out.println(Ctc.greedy(steps, options).get(0).text());                          // haha
 * }</pre>
 *
 * <p>At each step the network chooses a label or the blank, which stands for no label. To read a path, merge equal
 * neighbours and remove the blanks. Greedy decoding takes the best path. Beam search adds up the probabilities of paths
 * that read the same. It therefore finds sequences whose paths are likely together, even if none of them is the best
 * path.
 */
public final class Ctc {
  private Ctc() {}

  /**
   * Decodes along the best path. Of equal scores, it takes the first class.
   *
   * @param scores float32 or float64, (steps, classes) or three axes as the options say
   * @param options what the scores are
   * @return one result for each sequence
   * @throws InvalidArgumentException another rank or dtype, no classes, a blank outside the classes, numbers that are
   *     not what the options say, lengths or labels that do not fit
   */
  public static List<CtcSequence> greedy(Tensor scores, CtcOptions options) {
    List<CtcSequence> results = new ArrayList<>();
    decode(scores, options, 0).forEach(results::addAll);
    return List.copyOf(results);
  }

  /**
   * Decodes by prefix beam search.
   *
   * @param scores float32 or float64, (steps, classes) or three axes as the options say
   * @param options what the scores are, the width of the beam, how many results
   * @return the label sequences of each sequence, best first
   * @throws InvalidArgumentException as {@link #greedy}; also a width or a number of results outside its range
   */
  public static List<List<CtcSequence>> beamSearch(Tensor scores, CtcOptions options) {
    int width = Objects.requireNonNull(options, "options").beamWidth;
    if (width < 1) {
      throw new InvalidArgumentException("beamWidth is " + width + "; it is 1 or more");
    }
    return decode(scores, options, width);
  }

  /** A width of 0: greedy. */
  private static List<List<CtcSequence>> decode(Tensor scores, CtcOptions options, int width) {
    TensorArgs.requireReadable(Objects.requireNonNull(scores, "scores"));
    Objects.requireNonNull(options, "options");
    Object[][] results = NativeSequence.ctc(scores.data(), scores.dtype().ordinal(), scores.shape().sizes(),
        options.scores.ordinal(), options.layout.ordinal(), options.blank, options.lengths,
        Text.utf8(options.labels, "labels"), width, options.best);
    List<List<CtcSequence>> lists = new ArrayList<>();
    for (Object[] objects : results) {
      List<CtcSequence> list = new ArrayList<>();
      for (int i = 0; i < objects.length; i += 3) {
        list.add(new CtcSequence((int[]) objects[i], Text.of((byte[]) objects[i + 1]), ((double[]) objects[i + 2])[0]));
      }
      lists.add(List.copyOf(list));
    }
    return List.copyOf(lists);
  }
}
