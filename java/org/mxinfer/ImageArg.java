package org.mxinfer;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** An image as the native code takes it. */
final class ImageArg {
  final int source;
  final byte[] bytes;
  /** How many numbers `size` has. */
  private static final int SIZE_NUMBERS = 4;

  /** Of pixels: width, height, channels, bits of a sample. */
  final int[] size;

  private ImageArg(int source, byte[] bytes, int[] size) {
    this.source = source;
    this.bytes = bytes;
    this.size = size;
  }

  static ImageArg of(BufferedImage image) {
    Pixels pixels = Pixels.of(Objects.requireNonNull(image, "image"));
    return new ImageArg(Native.PIXELS, pixels.bytes,
        new int[] {pixels.width, pixels.height, pixels.channels, pixels.bits});
  }

  static ImageArg of(byte[] encoded) {
    return new ImageArg(Native.ENCODED, Objects.requireNonNull(encoded, "encoded"), null);
  }

  /** Files of the system are read by the library, those in a zip file and the like here. */
  static ImageArg of(Path path) {
    Objects.requireNonNull(path, "path");
    if (path.getFileSystem() == FileSystems.getDefault()) {
      return new ImageArg(Native.FILE, Text.utf8(path, "path"), null);
    }
    try {
      return of(Files.readAllBytes(path));
    } catch (IOException e) {
      MxinferException error = new MxinferException(ErrorCode.NOT_FOUND, "cannot read " + path + ": " + e);
      error.initCause(e);
      throw error;
    }
  }

  static ImageArg of(URI uri) {
    return new ImageArg(Native.FILE, Text.utf8(uri, "uri"), null);
  }

  Object[] items() {
    return new Object[] {bytes};
  }

  /** Images of one source, side by side, and the arguments that are wrong by themselves. */
  static final class Batch {
    final int source;
    final Object[] items;
    final int[] sizes;
    final byte[][] messages;
    /** By image: why it could not even be read, or null. The library takes what stands in its place for no image. */
    final MxinferException[] errors;

    private Batch(int source, int count) {
      this.source = source;
      items = new Object[count];
      sizes = new int[count * SIZE_NUMBERS];
      messages = new byte[count][];
      errors = new MxinferException[count];
    }

    /** `what` is the argument's name. */
    static <T> Batch of(int source, List<T> images, String what, Function<T, ImageArg> convert) {
      Object[] list = Objects.requireNonNull(images, what).toArray();
      Batch batch = new Batch(source, list.length);
      for (int i = 0; i < list.length; i++) {
        @SuppressWarnings("unchecked")
        T image = (T) Objects.requireNonNull(list[i], "an element of " + what);
        batch.set(i, image, convert);
      }
      return batch;
    }

    private <T> void set(int index, T image, Function<T, ImageArg> convert) {
      try {
        ImageArg arg = convert.apply(image);
        items[index] = arg.bytes;
        if (arg.size != null) {
          System.arraycopy(arg.size, 0, sizes, index * SIZE_NUMBERS, SIZE_NUMBERS);
        }
      } catch (MxinferException e) {
        items[index] = new byte[0];
        errors[index] = e;
      }
    }

    /** Paths, or, if one is of another file system than the system's, the contents of all. */
    static Batch ofFiles(List<Path> paths) {
      boolean own = true;
      for (Path path : Objects.requireNonNull(paths, "paths")) {
        own &= Objects.requireNonNull(path, "an element of paths").getFileSystem() == FileSystems.getDefault();
      }
      if (own) {
        return of(Native.FILE, paths, "paths", ImageArg::of);
      }
      return of(Native.ENCODED, paths, "paths", path -> {
        try {
          return of(Files.readAllBytes(path));
        } catch (IOException e) {
          throw new MxinferException(ErrorCode.NOT_FOUND, "cannot read " + path + ": " + e);
        }
      });
    }

    private static ImageArg of(byte[] bytes) {
      return ImageArg.of(bytes);
    }
  }
}
