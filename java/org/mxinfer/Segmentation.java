package org.mxinfer;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The class of every pixel of an image. Never changes. */
public final class Segmentation {
  /** The label of a pixel of unknown class. */
  public static final int UNKNOWN = 255;

  private final int width;
  private final int height;
  private final byte[] labels;
  private final List<SegmentArea> areas;

  private Segmentation(int width, int height, byte[] labels, List<SegmentArea> areas) {
    this.width = width;
    this.height = height;
    this.labels = labels;
    this.areas = areas;
  }

  /** Of the objects of an image, as NativeVision.segment() says. */
  static Segmentation of(Object[] objects, int image) {
    int[] head = (int[]) objects[4 * image];
    double[] sizes = (double[]) objects[4 * image + 2];
    byte[][] names = (byte[][]) objects[4 * image + 3];
    List<SegmentArea> areas = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      areas.add(new SegmentArea(Text.of(names[i]), head[3 + i], (long) sizes[2 * i], sizes[2 * i + 1]));
    }
    return new Segmentation(head[1], head[2], (byte[]) objects[4 * image + 1], List.copyOf(areas));
  }

  /**
   * Returns the width of the image.
   *
   * @return the width in pixels
   */
  public int width() {
    return width;
  }

  /**
   * Returns the height of the image.
   *
   * @return the height in pixels
   */
  public int height() {
    return height;
  }

  /**
   * Returns the class of a pixel.
   *
   * @param x the column, from the left
   * @param y the row, from the top
   * @return the class's position in the labels, or {@link #UNKNOWN}
   * @throws IndexOutOfBoundsException if the image has no such pixel
   */
  public int label(int x, int y) {
    return labels[Objects.checkIndex(y, height) * width + Objects.checkIndex(x, width)] & 0xff;
  }

  /**
   * Returns the labels of all pixels, row by row.
   *
   * @return one unsigned byte for each pixel; a copy
   */
  public byte[] labels() {
    return labels.clone();
  }

  /** The labels themselves. */
  byte[] ownLabels() {
    return labels;
  }

  /**
   * Returns how much of the image shows each class that is in it.
   *
   * @return the largest first
   */
  public List<SegmentArea> areas() {
    return areas;
  }

  /**
   * Returns the labels as an image with the palette of Pascal VOC. Written as a PNG, its values are the labels.
   *
   * @return a new image of type {@link BufferedImage#TYPE_BYTE_INDEXED}
   */
  public BufferedImage toImage() {
    byte[][] colors = new byte[3][256];
    for (int label = 0; label < 256; label++) {
      for (int bit = 0; bit < 8; bit++) {
        for (int channel = 0; channel < 3; channel++) {
          // The bits 0, 3, 6 of the label are the highest of red, 1, 4, 7 those of green, 2, 5 those of blue.
          int at = 3 * bit + channel;
          colors[channel][label] |= at < 8 && (label >> at & 1) == 1 ? (byte) (0x80 >> bit) : 0;
        }
      }
    }
    IndexColorModel palette = new IndexColorModel(8, 256, colors[0], colors[1], colors[2]);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, palette);
    System.arraycopy(labels, 0, ((DataBufferByte) image.getRaster().getDataBuffer()).getData(), 0, labels.length);
    return image;
  }
}
