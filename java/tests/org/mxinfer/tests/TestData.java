package org.mxinfer.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.ErrorCode;
import org.mxinfer.Model;
import org.mxinfer.MxinferException;
import org.mxinfer.Options;
import org.mxinfer.Shape;

/** Models and images of the repository, and what tests have in common. */
final class TestData {
  static final Path SOURCE = Path.of(System.getProperty("mxinfer.source.dir"));
  static final String DIGITS = SOURCE.resolve("models/digits").toString();
  static final String LANGUAGES = SOURCE.resolve("models/language_id").toString();
  static final Path BUNDLE = SOURCE.resolve("models/digits.mxz");
  static final Path SEVEN = image("seven.jpg");
  static final Path TWO = image("two.png");
  static final String SSD = SOURCE.resolve("tests/golden/ssd/ssd").toString();

  private TestData() {}

  static Path image(String name) {
    return SOURCE.resolve("examples/images").resolve(name);
  }

  static byte[] bytes(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static BufferedImage read(Path path) {
    try {
      return ImageIO.read(path.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A dark stroke on light paper: what digits takes for a number. */
  static float[] sample(int seed) {
    float[] pixels = new float[32 * 32];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (i * 31 + seed * 97 + i / 32 * seed) % 256;
    }
    return pixels;
  }

  static float[] samples(int count) {
    float[] all = new float[count * 32 * 32];
    for (int i = 0; i < count; i++) {
      System.arraycopy(sample(i), 0, all, i * 32 * 32, 32 * 32);
    }
    return all;
  }

  /** Two inputs of a dtype, and their sum. */
  static Model sum(DType dtype) {
    String symbol = "{\"nodes\":[{\"op\":\"null\",\"name\":\"a\",\"inputs\":[]},"
        + "{\"op\":\"null\",\"name\":\"b\",\"inputs\":[]},"
        + "{\"op\":\"elemwise_add\",\"name\":\"sum\",\"inputs\":[[0,0,0],[1,0,0]]}],"
        + "\"arg_nodes\":[0,1],\"heads\":[[2,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}";
    Shape shape = Shape.of(-1, 3);
    Options options = new Options().inputs(List.of(new DataDesc("a", shape, dtype), new DataDesc("b", shape, dtype)));
    return Model.loadMemory(symbol.getBytes(StandardCharsets.UTF_8), null, options);
  }

  interface Work {
    void run() throws Exception;
  }

  /** The work fails with the code, and each of the words is in the message. */
  static MxinferException assertFails(ErrorCode code, Work work, String... words) {
    try {
      work.run();
    } catch (MxinferException e) {
      assertEquals(e.getMessage(), code, e.code());
      for (String word : words) {
        assertTrue(e.getMessage(), e.getMessage().contains(word));
      }
      return e;
    } catch (Exception e) {
      throw new AssertionError("expected an MxinferException, got " + e, e);
    }
    fail("expected an error " + code);
    return null;
  }

  static MxinferException assertInvalid(Work work, String... words) {
    return assertFails(ErrorCode.INVALID_ARGUMENT, work, words);
  }

  static void assertThrows(Class<? extends Throwable> type, Work work) {
    try {
      work.run();
    } catch (Throwable e) {
      assertTrue("expected " + type + ", got " + e, type.isInstance(e));
      return;
    }
    fail("expected " + type);
  }
}
