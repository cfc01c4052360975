package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;
import org.mxinfer.Classifier;
import org.mxinfer.DType;
import org.mxinfer.ImageClassifier;
import org.mxinfer.Model;
import org.mxinfer.ObjectDetector;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.SubmitOptions;
import org.mxinfer.Tensor;

public class ClosingTest {
  private static final int THREADS = 16;

  private static void assertClosed(TestData.Work... calls) {
    for (TestData.Work call : calls) {
      TestData.assertThrows(IllegalStateException.class, call);
    }
  }

  @Test
  public void afterCloseEveryCallIsToldSo() {
    Model model = Model.load(TestData.DIGITS);
    ImageClassifier c = new ImageClassifier(TestData.DIGITS);
    ObjectDetector d = new ObjectDetector(TestData.SSD, new Options().height(48).width(48));
    model.close();
    model.close();
    c.close();
    d.close();
    assertTrue(c.isClosed());
    List<Tensor> in = List.of(Tensor.of(TestData.sample(1), 1, 1, 32, 32));
    List<Tensor> out = List.of(Tensor.allocate(DType.FLOAT32, 1, 10));
    assertClosed(model::name, model::labels, model::inputs, model::outputs, model::warnings, model::memory,
        () -> new Predictor(model), () -> new Classifier(model, new Options()));
    assertClosed(() -> c.predict(new float[1024]), () -> c.predict(new double[1024]), () -> c.predict(in),
        () -> c.predict(Map.of("data", in.get(0))), () -> c.predictFlat(List.of(new float[1024])),
        () -> c.predictInto(in, out), () -> c.predictList(in), () -> c.predictAsync(in),
        () -> c.predictAsync(new float[1024]), () -> c.predictIntoAsync(in, out, SubmitOptions.DEFAULT),
        () -> c.classify(new float[1024]), () -> c.classifyBatch(in.get(0), 1), () -> c.classify(TestData.TWO),
        () -> c.classifyFiles(List.of(TestData.TWO), 1), () -> c.classifyAsync(TestData.TWO, 1),
        () -> c.classifyAsync(new float[1024], 1), c::model, c::stats, c::memory, c::metrics, c::warnings, c::trim,
        () -> c.prometheus("", true), () -> c.explain(Map.of()), () -> c.warmup(Map.of()),
        () -> c.outputShapes(Map.of()), () -> c.inputShapes(Map.of()));
    assertClosed(() -> d.detect(TestData.TWO), () -> d.detectFiles(List.of(TestData.TWO), 0, 0),
        () -> d.detectAsync(TestData.TWO, 0, 0));
    assertEquals("what is known stays known", "data", c.inputs().get(0).name());
  }

  @Test
  public void aPredictorGoesOnWithoutItsModel() {
    Model model = Model.load(TestData.DIGITS);
    try (Predictor predictor = new Predictor(model)) {
      model.close();
      assertEquals(10, predictor.predict(TestData.sample(1))[0].length);
    }
  }

  /** Threads run until the object is closed under them: each call has the right answer, or is told that it is closed. */
  @Test
  public void closeRacesWithCallsOfOtherThreads() throws Exception {
    try (Classifier reference = new Classifier(TestData.DIGITS)) {
      float[] expected = reference.predict(TestData.sample(3))[0];
      for (int round = 0; round < 20; round++) {
        Classifier classifier = new Classifier(TestData.DIGITS);
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          boolean submits = i % 4 == 0;
          threads.add(new Thread(() -> callUntilClosed(classifier, expected, submits, started, wrong)));
        }
        threads.forEach(Thread::start);
        started.await();
        classifier.close();
        for (Thread thread : threads) {
          thread.join();
        }
        assertEquals(0, wrong.get());
      }
    }
  }

  private static void callUntilClosed(Classifier classifier, float[] expected, boolean submits, CountDownLatch started,
      AtomicInteger wrong) {
    try {
      while (true) {
        if (submits) {
          CompletableFuture<float[][]> future = classifier.predictAsync(TestData.sample(3));
          started.countDown();
          future.handle((outputs, error) -> null).join();
        } else {
          float[] scores = classifier.predict(TestData.sample(3))[0];
          started.countDown();
          assertArrayEquals(expected, scores, 0);
        }
      }
    } catch (IllegalStateException closed) {
      started.countDown();
    } catch (Throwable e) {
      e.printStackTrace();
      wrong.incrementAndGet();
      started.countDown();
    }
  }

  @Test
  public void sixteenThreadsOnOneObject() throws Exception {
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      List<String> names = List.of("zero.png", "two.png", "four.png", "six.png", "eight.png", "seven.jpg", "one.jpg");
      List<String> expected = new ArrayList<>();
      for (String name : names) {
        expected.add(classifier.classify(TestData.image(name)).toString());
      }
      AtomicInteger right = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int first = t;
        threads.add(new Thread(() -> {
          for (int i = 0; i < 50; i++) {
            int which = (first + i) % names.size();
            byte[] bytes = TestData.bytes(TestData.image(names.get(which)));
            if (classifier.classify(bytes).toString().equals(expected.get(which))) {
              right.incrementAndGet();
            }
          }
        }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(THREADS * 50, right.get());
    }
  }
}
