package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Test;
import org.mxinfer.DType;
import org.mxinfer.ImageClassifier;
import org.mxinfer.Model;
import org.mxinfer.Mxinfer;
import org.mxinfer.Options;
import org.mxinfer.Predictor;

/** The library's messages in Java. */
public class LogTest {
  private final ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();

  private void take(Level level, String message) {
    messages.add(level + " " + message);
  }

  private boolean has(String... words) {
    return messages.stream().anyMatch(message -> List.of(words).stream().allMatch(message::contains));
  }

  @After
  public void silence() {
    Mxinfer.setLogCallback(null, Level.INFO);
  }

  @Test
  public void whatIsLoadedAndPlannedIsTold() throws Exception {
    Mxinfer.setLogCallback(this::take, Level.INFO);
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      classifier.classify(TestData.TWO, 1);
    }
    assertTrue(messages.toString(), has("INFO", "digits", "loaded in"));
    assertTrue(messages.toString(), has("INFO", "planned in"));
  }

  // The thread is the library's own, which the JVM does not know.
  @Test
  public void threadsOfTheLibraryTellToo() throws Exception {
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS, new Options().maxInFlight(4))) {
      AtomicReference<Thread> thread = new AtomicReference<>();
      Mxinfer.setLogCallback((level, message) -> thread.set(Thread.currentThread()), Level.DEBUG);
      classifier.classifyAsync(TestData.SEVEN, 1).get();
      assertNotNull(thread.get());
      assertFalse(thread.get() == Thread.currentThread());
      assertTrue(thread.get().isDaemon());
    }
  }

  @Test
  public void lowerLevelsAreNotTold() {
    Mxinfer.setLogCallback(this::take, Level.WARNING);
    Model.load(TestData.DIGITS).close();
    assertEquals(0, messages.size());
    Mxinfer.setLogCallback(this::take, Level.TRACE);
    Model.load(TestData.DIGITS).close();
    assertTrue(messages.size() > 0);
    messages.clear();
    Mxinfer.setLogCallback(this::take, Level.ERROR);
    Model.load(TestData.DIGITS).close();
    assertEquals(0, messages.size());
  }

  @Test
  public void theLastCallbackCounts() {
    List<String> first = new ArrayList<>();
    Mxinfer.setLogCallback((level, message) -> first.add(message), Level.INFO);
    Mxinfer.setLogCallback(this::take, Level.INFO);
    Model.load(TestData.DIGITS).close();
    assertEquals(List.of(), first);
    assertTrue(messages.size() > 0);
    messages.clear();
    Mxinfer.setLogCallback(null, Level.INFO);
    Model.load(TestData.DIGITS).close();
    assertEquals(0, messages.size());
  }

  @Test
  public void aCallbackThatThrowsDoesNoHarm() {
    Thread thread = Thread.currentThread();
    List<String> uncaught = new ArrayList<>();
    thread.setUncaughtExceptionHandler((of, e) -> {
      uncaught.add(e.getMessage());
      throw new IllegalStateException("and so does the handler");
    });
    try {
      Mxinfer.setLogCallback((level, message) -> {
        throw new IllegalArgumentException("a broken callback");
      }, Level.INFO);
      try (Model sum = TestData.sum(DType.FLOAT32); Predictor predictor = new Predictor(sum)) {
        assertEquals(3, predictor.predict(new float[] {1, 2, 3}, new float[] {1, 1, 1})[0].length);
      }
      assertTrue(uncaught.contains("a broken callback"));
    } finally {
      thread.setUncaughtExceptionHandler(null);
    }
  }

  @Test
  public void callbacksMayCallTheLibrary() {
    Mxinfer.setLogCallback((level, message) -> take(level, Mxinfer.version() + ": " + message), Level.INFO);
    Model.load(TestData.DIGITS).close();
    assertTrue(messages.toString(), has(Mxinfer.version(), "loaded"));
  }

  // What is called from a callback runs in the middle of another call on the same thread.
  @Test
  public void callbacksMayPredict() {
    try (Model sum = TestData.sum(DType.FLOAT32);
        Predictor outer = new Predictor(sum);
        Predictor inner = new Predictor(TestData.DIGITS)) {
      inner.predict(TestData.sample(1));
      Mxinfer.setLogCallback((level, message) -> inner.predict(TestData.samples(1)), Level.INFO);
      float[][] result = outer.predict(new float[] {1, 2, 3}, new float[] {1, 1, 1});
      assertArrayEquals(new float[] {2, 3, 4}, result[0], 0);
    }
  }

  @Test
  public void thereIsALevel() {
    TestData.assertThrows(NullPointerException.class, () -> Mxinfer.setLogCallback(this::take, null));
  }
}
