package org.mxinfer;

import java.awt.Color;
import java.util.Objects;

/** How {@link Drawing} draws. Never changes; each {@code with} returns another. */
public final class DrawOptions {
  /** Lines and texts that suit the image's size, with labels and scores, a colour for each class. */
  public static final DrawOptions DEFAULT = new DrawOptions(0, 1, true, true, new int[0]);

  final int[] colors;
  private final int lineWidth;
  private final float textScale;
  private final boolean labels;
  private final boolean scores;

  private DrawOptions(int lineWidth, float textScale, boolean labels, boolean scores, int[] colors) {
    this.lineWidth = lineWidth;
    this.textScale = textScale;
    this.labels = labels;
    this.scores = scores;
    this.colors = colors;
  }

  /**
   * Sets the width of boxes and limbs.
   *
   * @param pixels the width, up to 1000; 0: what suits the image's size
   * @return the new options
   */
  public DrawOptions withLineWidth(int pixels) {
    return new DrawOptions(pixels, textScale, labels, scores, colors);
  }

  /**
   * Sets the size of texts.
   *
   * @param scale a multiple of what suits the image's size, 0.1 to 100
   * @return the new options
   */
  public DrawOptions withTextScale(float scale) {
    return new DrawOptions(lineWidth, scale, labels, scores, colors);
  }

  /**
   * Sets whether boxes show the names of their classes.
   *
   * @param shown whether they do
   * @return the new options
   */
  public DrawOptions withLabels(boolean shown) {
    return new DrawOptions(lineWidth, textScale, shown, scores, colors);
  }

  /**
   * Sets whether boxes show their scores.
   *
   * @param shown whether they do
   * @return the new options
   */
  public DrawOptions withScores(boolean shown) {
    return new DrawOptions(lineWidth, textScale, labels, shown, colors);
  }

  /**
   * Sets the colours by class, or by the number of a point or limb. They repeat from the start.
   *
   * @param colors the colours, whose alpha is ignored; none: a colour for each class, always the same
   * @return the new options
   */
  public DrawOptions withColors(Color... colors) {
    int[] rgb = new int[Objects.requireNonNull(colors, "colors").length];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = Objects.requireNonNull(colors[i], "an element of colors").getRGB();
    }
    return new DrawOptions(lineWidth, textScale, labels, scores, rgb);
  }

  /** As NativeVision.draw() takes them. */
  float[] numbers() {
    return new float[] {lineWidth, textScale, labels ? 1 : 0, scores ? 1 : 0};
  }
}
