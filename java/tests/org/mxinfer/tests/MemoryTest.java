package org.mxinfer.tests;

import static org.junit.Assert.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.mxinfer.Classifier;
import org.mxinfer.ImageClassifier;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.Tensor;

public class MemoryTest {
  private static final long MIB = 1 << 20;

  private static long residentBytes() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new AssertionError("/proc/self/status has no VmRSS");
  }

  /** Grows by at most so much in the second half of the calls. */
  private static void assertFlat(int calls, long bound, TestData.Work call) throws Exception {
    for (int i = 0; i < calls / 2; i++) {
      call.run();
    }
    System.gc();
    long before = residentBytes();
    for (int i = 0; i < calls / 2; i++) {
      call.run();
    }
    System.gc();
    long grown = residentBytes() - before;
    assertTrue("memory grew by " + grown + " bytes in " + calls / 2 + " calls", grown < bound);
  }

  @Test
  public void callsKeepNothing() throws Exception {
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      float[] sample = TestData.sample(1);
      List<Tensor> inputs = List.of(Tensor.of(sample, 1, 1, 32, 32));
      byte[] png = TestData.bytes(TestData.TWO);
      assertFlat(20_000, 24 * MIB, () -> classifier.predict(sample));
      assertFlat(4_000, 24 * MIB, () -> classifier.predict(inputs));
      assertFlat(4_000, 24 * MIB, () -> classifier.classify(png, 3));
      assertFlat(4_000, 24 * MIB, () -> classifier.predictAsync(inputs).get());
      assertFlat(4_000, 24 * MIB, () -> classifier.classifyAsync(sample, 3).cancel(true));
      assertFlat(20_000, 24 * MIB, () -> TestData.assertInvalid(() -> classifier.predict(new float[3])));
    }
  }

  @Test
  public void whatIsClosedIsFreed() throws Exception {
    assertFlat(400, 24 * MIB, () -> {
      try (Classifier classifier = new Classifier(TestData.DIGITS, new Options().threads(1))) {
        classifier.classify(TestData.sample(1));
      }
    });
  }

  /** Without the cleaner, 600 predictors with their workspaces would take hundreds of megabytes. */
  @Test
  public void whatIsDroppedIsFreed() throws Exception {
    int[] made = {0};
    assertFlat(600, 48 * MIB, () -> {
      new Predictor(TestData.DIGITS, new Options().threads(1)).predict(TestData.samples(8));
      if (++made[0] % 20 == 0) {
        System.gc();
        Thread.sleep(20);
      }
    });
  }

  @Test
  public void futuresKeepTheirPredictor() throws Exception {
    List<java.util.concurrent.CompletableFuture<float[][]>> futures = new ArrayList<>();
    WeakReference<Predictor> dropped;
    {
      Predictor predictor = new Predictor(TestData.DIGITS, new Options().workers(1).threads(1));
      dropped = new WeakReference<>(predictor);
      for (int i = 0; i < 32; i++) {
        futures.add(predictor.predictAsync(TestData.samples(20)));
      }
      predictor = null;
    }
    System.gc();
    for (java.util.concurrent.CompletableFuture<float[][]> future : futures) {
      assertTrue(future.get()[0].length == 200);
    }
    futures.clear();
    while (dropped.get() != null) {  // for ever, where something refers to it
      System.gc();
      Thread.sleep(10);
    }
  }
}
