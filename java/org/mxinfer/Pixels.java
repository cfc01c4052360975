package org.mxinfer;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.DataBufferInt;
import java.awt.image.PixelInterleavedSampleModel;
import java.awt.image.Raster;
import java.awt.image.SinglePixelPackedSampleModel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;

/**
 * The samples of a BufferedImage, row by row: RGB, or grey. Transparency is dropped, as that of files. The library
 * converts samples of 16 bits, and grey for a network of colours.
 */
final class Pixels {
  /** Samples of 16 bits are in the machine's byte order. */
  final byte[] bytes;
  final int width;
  final int height;
  final int channels;
  /** Of a sample: 8 or 16. */
  final int bits;

  private Pixels(int width, int height, int channels, int bits) {
    this.width = width;
    this.height = height;
    this.channels = channels;
    this.bits = bits;
    long size = (long) width * height * channels * (bits / 8);
    if (size > Integer.MAX_VALUE - 8) {
      throw new InvalidArgumentException("the image has " + width + " x " + height + " pixels, whose " + size
          + " bytes are more than an array of Java can hold (2^31 - 9); make it smaller first");
    }
    bytes = new byte[(int) size];
  }

  static Pixels of(BufferedImage image) {
    boolean grey = isGrey(image);
    Pixels pixels = new Pixels(image.getWidth(), image.getHeight(), grey ? 1 : 3, has16Bits(image, grey) ? 16 : 8);
    pixels.read(image);
    return pixels;
  }

  /** Grey samples are taken as they are: getRGB() would take them for linear ones, and change them. */
  private static boolean isGrey(BufferedImage image) {
    ColorModel model = image.getColorModel();
    return model.getColorSpace().getType() == ColorSpace.TYPE_GRAY && !(model instanceof java.awt.image.IndexColorModel)
        && model.getTransferType() != DataBuffer.TYPE_SHORT  // signed: half of its values
        && model.getTransferType() != DataBuffer.TYPE_FLOAT && model.getTransferType() != DataBuffer.TYPE_DOUBLE
        && !(model.hasAlpha() && model.isAlphaPremultiplied());
  }

  private void read(BufferedImage image) {
    Raster raster = image.getRaster();
    switch (image.getType()) {
      case BufferedImage.TYPE_3BYTE_BGR:
      case BufferedImage.TYPE_4BYTE_ABGR:
      case BufferedImage.TYPE_BYTE_GRAY:
        readBytes(raster);
        break;
      case BufferedImage.TYPE_INT_RGB:
      case BufferedImage.TYPE_INT_ARGB:
        readInts(raster);
        break;
      default:
        if (bits == 16) {
          readShorts(raster);
        } else if (channels == 1) {
          readGrey(raster, image.getColorModel());
        } else {
          readColors(image);
        }
    }
  }

  /** The first three bands of bytes, or the one of grey. */
  private void readBytes(Raster raster) {
    PixelInterleavedSampleModel model = (PixelInterleavedSampleModel) raster.getSampleModel();
    DataBufferByte buffer = (DataBufferByte) raster.getDataBuffer();
    int[] bands = model.getBandOffsets();
    int step = model.getPixelStride();
    for (int y = 0; y < height; y++) {
      int at = buffer.getOffset() + (y - raster.getSampleModelTranslateY()) * model.getScanlineStride()
          - raster.getSampleModelTranslateX() * step;
      if (channels == 1) {
        copyGrey(buffer.getData(), at + bands[0], step, y * width);
      } else {
        copyColors(buffer.getData(), at, bands, step, y * width * 3);
      }
    }
  }

  private void copyGrey(byte[] from, int first, int step, int to) {
    for (int x = 0; x < width; x++) {
      bytes[to + x] = from[first + x * step];
    }
  }

  /** Local variables alone in the loop: so it is compiled to what reads no fields. */
  private void copyColors(byte[] from, int first, int[] bands, int step, int to) {
    byte[] out = bytes;
    int red = first + bands[0];
    int green = first + bands[1];
    int blue = first + bands[2];
    for (int at = 0, end = to + width * 3; to < end; to += 3, at += step) {
      out[to] = from[red + at];
      out[to + 1] = from[green + at];
      out[to + 2] = from[blue + at];
    }
  }

  private void readInts(Raster raster) {
    SinglePixelPackedSampleModel model = (SinglePixelPackedSampleModel) raster.getSampleModel();
    DataBufferInt buffer = (DataBufferInt) raster.getDataBuffer();
    int[] from = buffer.getData();
    int to = 0;
    for (int y = 0; y < height; y++) {
      int at = buffer.getOffset() + (y - raster.getSampleModelTranslateY()) * model.getScanlineStride()
          - raster.getSampleModelTranslateX();
      to = putColors(from, at, to);
    }
  }

  private int putColors(int[] from, int first, int to) {
    for (int x = 0; x < width; x++, to += 3) {
      int color = from[first + x];
      bytes[to] = (byte) (color >> 16);
      bytes[to + 1] = (byte) (color >> 8);
      bytes[to + 2] = (byte) color;
    }
    return to;
  }

  private void readGrey(Raster raster, ColorModel model) {
    int size = model.getComponentSize(0);
    int[] row = new int[width];
    int to = 0;
    for (int y = 0; y < height; y++) {
      raster.getSamples(raster.getMinX(), raster.getMinY() + y, width, 1, 0, row);
      for (int value : row) {
        bytes[to++] = (byte) (size > 8 ? value >> (size - 8) : value * 255 / ((1 << size) - 1));
      }
    }
  }

  private void readColors(BufferedImage image) {
    int[] row = new int[width];
    int to = 0;
    for (int y = 0; y < height; y++) {
      image.getRGB(0, y, width, 1, row, 0, width);
      to = putColors(row, 0, to);
    }
  }

  /** Whether samples have 16 bits, which getRGB() would round. */
  private static boolean has16Bits(BufferedImage image, boolean grey) {
    ColorModel model = image.getColorModel();
    return model instanceof java.awt.image.ComponentColorModel && model.getTransferType() == DataBuffer.TYPE_USHORT
        && model.getComponentSize(0) == 16 && (grey || model.getColorSpace().isCS_sRGB())
        && !(model.hasAlpha() && model.isAlphaPremultiplied());
  }

  private void readShorts(Raster raster) {
    ShortBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asShortBuffer();
    int bands = raster.getNumBands();
    int[] row = new int[width * bands];
    for (int y = 0; y < height; y++) {
      raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, row);
      for (int x = 0; x < width; x++) {
        for (int channel = 0; channel < channels; channel++) {
          to.put((short) row[x * bands + channel]);
        }
      }
    }
  }
}
