package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import org.mxinfer.Classification;
import org.mxinfer.Classifier;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.DeadlineExceededException;
import org.mxinfer.ErrorCode;
import org.mxinfer.ImageClassifier;
import org.mxinfer.ItemResult;
import org.mxinfer.Detection;
import org.mxinfer.Mxinfer;
import org.mxinfer.MxinferException;
import org.mxinfer.ObjectDetector;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.Shape;
import org.mxinfer.SubmitOptions;
import org.mxinfer.Tensor;
import org.mxinfer.TooManyRequestsException;

public class AsyncTest {
  private static final int LARGE_BATCH = 600;

  /** What takes a worker a while. */
  private static List<Tensor> slow() {
    return List.of(Tensor.of(TestData.samples(LARGE_BATCH), LARGE_BATCH, 1, 32, 32));
  }

  private static List<Tensor> one() {
    return List.of(Tensor.of(TestData.sample(1), 1, 1, 32, 32));
  }

  /**
   * Holds the worker of a predictor inside of its first call: in the message of the log that tells of the plan, which that
   * call makes.
   */
  private static final class HeldWorker implements AutoCloseable {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    final CompletableFuture<List<Tensor>> running;

    HeldWorker(Predictor predictor, SubmitOptions options) throws InterruptedException {
      Mxinfer.setLogCallback((level, message) -> {
        if (message.contains("planned in")) {
          entered.countDown();
          await(open);
        }
      }, Level.INFO);
      running = predictor.predictAsync(one(), options);
      entered.await();
    }

    HeldWorker(Predictor predictor) throws InterruptedException {
      this(predictor, SubmitOptions.DEFAULT);
    }

    void letGo() {
      open.countDown();
    }

    @Override
    public void close() {
      letGo();
      Mxinfer.setLogCallback(null, Level.INFO);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Options oneWorker(int inFlight) {
    return new Options().workers(1).threads(1).maxInFlight(inFlight);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private static MxinferException error(CompletableFuture<?> future) throws Exception {
    try {
      get(future);
    } catch (ExecutionException e) {
      return (MxinferException) e.getCause();
    }
    throw new AssertionError("the future has a result");
  }

  @Test
  public void everyCallHasAFuture() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS)) {
      float[] expected = predictor.predict(TestData.sample(5))[0];
      List<Tensor> inputs = List.of(Tensor.of(TestData.sample(5), 1, 1, 32, 32));
      Tensor output = Tensor.allocate(DType.FLOAT32, 1, 10);
      assertArrayEquals(expected, get(predictor.predictAsync(TestData.sample(5)))[0], 0);
      assertArrayEquals(expected, get(predictor.predictAsync(inputs)).get(0).toFloatArray(), 0);
      assertArrayEquals(expected,
          get(predictor.predictAsync(Map.of("data", inputs.get(0)), SubmitOptions.DEFAULT)).get(0).toFloatArray(), 0);
      assertArrayEquals(expected,
          get(predictor.predictFlatAsync(List.of(TestData.sample(5)), SubmitOptions.DEFAULT.withHighPriority())).get(0)
              .toFloatArray(), 0);
      get(predictor.predictIntoAsync(inputs, List.of(output), SubmitOptions.DEFAULT));
      assertArrayEquals(expected, output.toFloatArray(), 0);
      assertEquals("the call without a future counts too", 6, predictor.metrics().submitted());
      while (predictor.metrics().running() > 0) {  // counted a moment after the result is there
        Thread.sleep(1);
      }
      assertEquals(6, predictor.metrics().done());
      assertTrue(predictor.metrics().runP50Seconds() > 0);
    }
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      String expected = classifier.classify(TestData.sample(5), 2).toString();
      assertEquals(expected, get(classifier.classifyAsync(TestData.sample(5), 2)).toString());
      assertEquals("two", get(classifier.classifyAsync(TestData.TWO, 1)).get(0).label());
      assertEquals("two", get(classifier.classifyAsync(TestData.bytes(TestData.TWO), 1)).get(0).label());
      assertEquals("two", get(classifier.classifyAsync(TestData.read(TestData.TWO), 1)).get(0).label());
      List<ItemResult<List<Classification>>> files = get(classifier.classifyFilesAsync(
          List.of(TestData.TWO, java.nio.file.Path.of("/nowhere.png")), 1, SubmitOptions.DEFAULT));
      assertEquals("two", files.get(0).get().get(0).label());
      assertEquals(ErrorCode.NOT_FOUND, files.get(1).error().get().code());
      assertTrue(get(classifier.classifyImagesAsync(List.of(TestData.read(TestData.TWO)), 1, SubmitOptions.DEFAULT))
          .get(0).isOk());
      assertTrue(get(classifier.classifyEncodedAsync(List.of(TestData.bytes(TestData.TWO)), 1, SubmitOptions.DEFAULT))
          .get(0).isOk());
    }
    try (ObjectDetector detector = new ObjectDetector(TestData.SSD, new Options().height(48).width(48))) {
      String expected = detector.detect(TestData.TWO, 0, 3).toString();
      assertEquals(expected, get(detector.detectAsync(TestData.TWO, 0, 3)).toString());
      assertEquals(expected, get(detector.detectAsync(TestData.bytes(TestData.TWO), 0, 3)).toString());
      assertEquals(expected, get(detector.detectAsync(TestData.read(TestData.TWO), 0, 3)).toString());
      List<ItemResult<List<Detection>>> files =
          get(detector.detectFilesAsync(List.of(TestData.TWO), 0, 3, SubmitOptions.DEFAULT));
      assertEquals(expected, files.get(0).get().toString());
      assertTrue(get(detector.detectImagesAsync(List.of(TestData.read(TestData.TWO)), 0, 3, SubmitOptions.DEFAULT))
          .get(0).isOk());
      assertTrue(get(detector.detectEncodedAsync(List.of(new byte[] {1}), 0, 3, SubmitOptions.DEFAULT)).get(0).error()
          .isPresent());
    }
  }

  @Test
  public void errorsComeWithTheFuture() throws Exception {
    try (Classifier classifier = new Classifier(TestData.DIGITS)) {
      assertEquals(ErrorCode.INVALID_ARGUMENT, error(classifier.classifyAsync(new float[5], 1)).code());
      assertEquals(ErrorCode.INVALID_ARGUMENT, error(classifier.predictAsync(new float[5])).code());
      assertEquals(ErrorCode.INVALID_ARGUMENT,
          error(classifier.predictFlatAsync(List.of("x"), SubmitOptions.DEFAULT)).code());
      assertEquals(ErrorCode.INVALID_ARGUMENT,
          error(classifier.predictAsync(List.of(Tensor.of(new float[4], 2, 2)))).code());
      assertEquals(ErrorCode.INVALID_ARGUMENT,
          error(classifier.predictAsync(Map.of("x", Tensor.of(new float[4])), SubmitOptions.DEFAULT)).code());
      assertEquals("the queue goes on", 10, get(classifier.classifyAsync(TestData.sample(1), 0)).size());
    }
  }

  @Test
  public void aFullQueueRefuses() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(2));
        HeldWorker worker = new HeldWorker(predictor)) {
      CompletableFuture<List<Tensor>> waiting = predictor.predictAsync(one());
      MxinferException refused = error(predictor.predictAsync(one()));
      assertTrue(refused instanceof TooManyRequestsException);
      worker.letGo();
      assertEquals(1, get(worker.running).get(0).shape().get(0));
      get(waiting);
      assertEquals(1, predictor.metrics().refused());
    }
  }

  @Test
  public void cancellingWhatWasRefusedReturns() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(1))) {
      List<CompletableFuture<List<Tensor>>> futures = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        futures.add(predictor.predictAsync(slow()));
      }
      futures.add(predictor.predictAsync(Map.of("nothing", Tensor.of(new float[4])), SubmitOptions.DEFAULT));
      CompletableFuture.runAsync(() -> futures.forEach(future -> future.cancel(true))).get(60, TimeUnit.SECONDS);
    }
  }

  // The executor runs what it is given at once: on the thread that completes futures.
  @Test
  public void aFutureMayCancelAnother() throws Exception {
    SubmitOptions here = SubmitOptions.DEFAULT.withExecutor(Runnable::run);
    try (Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(8));
        HeldWorker worker = new HeldWorker(predictor, here)) {
      CompletableFuture<List<Tensor>> second = predictor.predictAsync(one(), here);
      CompletableFuture<List<Tensor>> third = predictor.predictAsync(one(), here);
      CompletableFuture<Void> cancelled = worker.running.thenRun(() -> {
        second.cancel(true);
        third.cancel(true);
      });
      worker.letGo();
      get(cancelled);
      assertTrue(third.isCancelled());
      assertEquals(10, get(predictor.predictAsync(TestData.sample(1)))[0].length);
    }
  }

  @Test
  public void flatArraysAreShapedAsThoseOfACallAre() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS)) {
      float[] three = TestData.samples(3);
      assertArrayEquals(predictor.predict(three)[0], get(predictor.predictAsync(three))[0], 0);
      MxinferException odd = error(predictor.predictAsync(new float[1000]));
      assertEquals(ErrorCode.INVALID_ARGUMENT, odd.code());
      assertTrue(odd.getMessage(), odd.getMessage().contains("1000"));
      assertEquals(ErrorCode.INVALID_ARGUMENT, error(predictor.predictAsync(three, three)).code());
    }
    DataDesc one = new DataDesc("data", Shape.of(1, 1, 32, 32), DType.FLOAT32, "NCHW");
    try (Predictor predictor = new Predictor(TestData.DIGITS, new Options().inputs(List.of(one)))) {
      float[] three = TestData.samples(3);
      MxinferException expected = TestData.assertInvalid(() -> predictor.predict(three), "(3, 1, 32, 32)");
      assertEquals(expected.getMessage(), error(predictor.predictAsync(three)).getMessage());
    }
  }

  // Any time is fine; none may be kept in a timer until it has passed.
  @Test
  public void longTimeoutsHoldNothing() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS)) {
      SubmitOptions days = SubmitOptions.DEFAULT.withTimeout(Duration.ofDays(1));
      WeakReference<CompletableFuture<?>> future =
          new WeakReference<>(predictor.predictFlatAsync(List.of(TestData.sample(1)), days));
      while (predictor.metrics().done() < 1) {
        Thread.sleep(1);
      }
      while (future.get() != null) {  // for ever, where something holds it
        System.gc();
        Thread.sleep(10);
      }
    }
  }

  @Test
  public void cancellingEndsWhatWaits() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(8));
        HeldWorker worker = new HeldWorker(predictor)) {
      CompletableFuture<List<Tensor>> second = predictor.predictAsync(one());
      assertTrue(second.cancel(true));
      assertTrue(second.isCancelled());
      assertFalse("what has ended stays as it is", second.complete(null));
      worker.letGo();
      get(worker.running);
      while (predictor.metrics().cancelled() < 1) {
        Thread.sleep(1);
      }
      assertFalse(worker.running.cancel(true));
    }
  }

  @Test
  public void cancellingGivesMemoryBack() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(8))) {
      Tensor output = Tensor.allocate(DType.FLOAT32, LARGE_BATCH, 10);
      List<Tensor> inputs = slow();
      for (int i = 0; i < 20; i++) {
        CompletableFuture<Void> future = predictor.predictIntoAsync(inputs, List.of(output), SubmitOptions.DEFAULT);
        Thread.sleep(i % 5);
        future.cancel(true);
        output.asFloatBuffer().put(0, -1f);
        Thread.sleep(2);
        assertEquals("nothing writes to it any more", -1f, output.asFloatBuffer().get(0), 0);
      }
    }
  }

  @Test
  public void aListIsCancelledAsOne() throws Exception {
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS, oneWorker(64));
        HeldWorker worker = new HeldWorker(classifier)) {
      CompletableFuture<?> list = classifier.classifyFilesAsync(
          java.util.Collections.nCopies(20, TestData.SEVEN), 1, SubmitOptions.DEFAULT);
      assertTrue(list.cancel(false));
      worker.letGo();
      get(worker.running);
      while (classifier.metrics().cancelled() < 20) {
        Thread.sleep(1);
      }
    }
  }

  @Test
  public void whatDoesNotStartInTimeNeverDoes() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(8));
        HeldWorker worker = new HeldWorker(predictor)) {
      CompletableFuture<List<Tensor>> late =
          predictor.predictAsync(one(), SubmitOptions.DEFAULT.withTimeout(Duration.ofMillis(1)));
      MxinferException error = error(late);  // at its time, not when a worker comes upon it
      assertTrue(error.toString(), error instanceof DeadlineExceededException);
      worker.letGo();
      get(worker.running);
      get(predictor.predictAsync(one(), SubmitOptions.DEFAULT.withTimeout(Duration.ofDays(200_000))));
    }
  }

  @Test
  public void highPriorityGoesFirst() throws Exception {
    SubmitOptions here = SubmitOptions.DEFAULT.withExecutor(Runnable::run);
    List<String> order = java.util.Collections.synchronizedList(new ArrayList<>());
    try (Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(8));
        HeldWorker worker = new HeldWorker(predictor)) {
      CompletableFuture<?> normal = predictor.predictAsync(one(), here).thenRun(() -> order.add("normal"));
      CompletableFuture<?> high =
          predictor.predictAsync(one(), here.withHighPriority()).thenRun(() -> order.add("high"));
      worker.letGo();
      get(high);
      get(normal);
      get(worker.running);
    }
    assertEquals(List.of("high", "normal"), order);
  }

  @Test
  public void whatFollowsAFutureHarmsNothing() throws Exception {
    Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(16));
    CompletableFuture<Object> thrown = predictor.predictAsync(TestData.sample(1)).thenApply(outputs -> {
      throw new IllegalArgumentException("mine");
    });
    try {
      get(thrown);
    } catch (ExecutionException e) {
      assertEquals("mine", e.getCause().getMessage());
    }
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Void> blocked;
    // Behind work that is held, so that it is not done before what follows it is known, which would run here then.
    try (Predictor held = new Predictor(TestData.DIGITS, oneWorker(16)); HeldWorker worker = new HeldWorker(held)) {
      blocked = held.predictAsync(TestData.sample(1)).thenAccept(outputs -> await(release));
      worker.letGo();
      get(worker.running);
      assertEquals("one that blocks holds up no other", 10, get(held.predictAsync(TestData.sample(1)))[0].length);
      release.countDown();
      get(blocked);
    }
    SubmitOptions refusing = SubmitOptions.DEFAULT.withExecutor(work -> {
      throw new RejectedExecutionException("full");
    });
    List<Tensor> inputs = List.of(Tensor.of(TestData.sample(1), 1, 1, 32, 32));
    assertEquals(1, get(predictor.predictAsync(inputs, refusing)).size());
    assertEquals(1, get(predictor.predictAsync(inputs, SubmitOptions.DEFAULT.withExecutor(Runnable::run))).size());
    CompletableFuture<Void> closing = predictor.predictAsync(inputs).thenRun(predictor::close);
    get(closing);
    assertTrue(predictor.isClosed());
  }

  @Test
  public void closingCancelsWhatWaits() throws Exception {
    Predictor predictor = new Predictor(TestData.DIGITS, oneWorker(8));
    try (HeldWorker worker = new HeldWorker(predictor)) {
      CompletableFuture<List<Tensor>> waits = predictor.predictAsync(one());
      // What runs is waited for; what waits is cancelled before.
      waits.whenComplete((outputs, error) -> worker.letGo());
      predictor.close();
      assertEquals(ErrorCode.CANCELLED, error(waits).code());
      assertEquals(1, get(worker.running).size());
    }
  }

  @Test
  public void manyAtOnce() throws Exception {
    try (Classifier classifier = new Classifier(TestData.DIGITS, new Options().maxInFlight(2000).maxBatch(8))) {
      List<CompletableFuture<List<Classification>>> futures = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        futures.add(classifier.classifyAsync(TestData.sample(i % 7), 0));
      }
      for (int i = 0; i < 2000; i++) {
        List<Classification> expected = classifier.classify(TestData.sample(i % 7), 0);
        List<Classification> actual = get(futures.get(i));
        for (int c = 0; c < 10; c++) {
          assertEquals(expected.get(c).score(), actual.get(c).score(), 1e-4);
        }
      }
    }
  }
}
