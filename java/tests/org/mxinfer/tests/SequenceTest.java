package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;
import org.mxinfer.BucketedModel;
import org.mxinfer.Classification;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.ErrorCode;
import org.mxinfer.ItemResult;
import org.mxinfer.Model;
import org.mxinfer.Options;
import org.mxinfer.SequenceOptions;
import org.mxinfer.SequencePredictor;
import org.mxinfer.Session;
import org.mxinfer.Shape;
import org.mxinfer.SubmitOptions;
import org.mxinfer.Tensor;
import org.mxinfer.TextClassifier;
import org.mxinfer.TextOptions;
import org.mxinfer.Tokenizer;
import org.mxinfer.Vocabulary;
import org.mxinfer.VocabularyOptions;

/** Sequences: a network that counts ids, the language model of models/sentences, and networks in buckets. */
public class SequenceTest {
  static final String SENTENCES = TestData.SOURCE.resolve("models/sentences").toString();
  private static final String LSTM = TestData.SOURCE.resolve("tests/golden/sequences/lstm").toString();
  private static final SequenceOptions PLAIN = SequenceOptions.DEFAULT;

  /** Number i of the output is how often the id i is in the sequence. */
  private static Model counting() {
    String symbol = "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []},"
        + "{\"op\": \"one_hot\", \"name\": \"hot\", \"attrs\": {\"depth\": \"4\"}, \"inputs\": [[0, 0, 0]]},"
        + "{\"op\": \"sum\", \"name\": \"counts\", \"attrs\": {\"axis\": \"1\"}, \"inputs\": [[1, 0, 0]]}],"
        + "\"arg_nodes\": [0], \"heads\": [[2, 0, 0]], \"attrs\": {\"mxnet_version\": [\"int\", 10901]}}";
    Options options = new Options()
        .inputs(List.of(new DataDesc("data", Shape.of(-1, -1), DType.FLOAT32, "NT"))).labels(List.of("a", "b", "c", "d"));
    return Model.loadMemory(symbol.getBytes(StandardCharsets.UTF_8), null, options);
  }

  private static SequencePredictor counter(SequenceOptions sequences) {
    try (Model model = counting()) {
      return new SequencePredictor(model, sequences, new Options().threads(1));
    }
  }

  private static void assertCounts(List<Tensor> outputs, float... counts) {
    assertEquals(1, outputs.size());
    assertEquals("counts_output", outputs.get(0).name());
    assertEquals(Shape.of(4), outputs.get(0).shape());
    assertArrayEquals(counts, outputs.get(0).toFloatArray(), 0);
  }

  @Test
  public void aSequenceOfAnyLength() throws Exception {
    try (SequencePredictor predictor = counter(PLAIN)) {
      assertCounts(predictor.predictSequence(1, 2, 1), 0, 2, 1, 0);
      assertCounts(predictor.predictSequence(3), 0, 0, 0, 1);
      assertCounts(predictor.predictSequence(Tensor.of(new float[] {0, 0})), 2, 0, 0, 0);
      assertCounts(predictor.predictSequence(Map.of("data", Tensor.of(new float[] {0, 3}))), 1, 0, 0, 1);
      assertCounts(predictor.predictSequenceAsync(1, 1).get(60, TimeUnit.SECONDS), 0, 2, 0, 0);
      assertArrayEquals(new long[0], predictor.buckets());
      TestData.assertInvalid(() -> predictor.predictSequence(), "0");
      TestData.assertInvalid(() -> predictor.predictSequence(Tensor.of(new int[] {1})));
      TestData.assertInvalid(() -> predictor.predictSequence(Map.of("other", Tensor.of(new float[] {1}))), "other");
    }
  }

  @Test
  public void aWrongSequenceCostsTheOthersNothing() throws Exception {
    try (SequencePredictor predictor = counter(PLAIN)) {
      List<List<ItemResult<List<Tensor>>>> lists = new ArrayList<>();
      List<int[]> ids = List.of(new int[] {1, 1}, new int[0], new int[] {2});
      lists.add(predictor.predictSequences(ids));
      lists.add(predictor.predictSequencesAsync(ids, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS));
      List<Tensor> arrays = List.of(Tensor.of(new float[] {1, 1}), Tensor.allocate(DType.FLOAT32, 0),
          Tensor.of(new float[] {2}));
      lists.add(predictor.predictTensorSequences(arrays));
      lists.add(predictor.predictNamedSequences(
          List.of(Map.of("data", arrays.get(0)), Map.of("data", arrays.get(1)), Map.of("data", arrays.get(2)))));
      for (List<ItemResult<List<Tensor>>> results : lists) {
        assertCounts(results.get(0).get(), 0, 2, 0, 0);
        assertEquals(ErrorCode.INVALID_ARGUMENT, results.get(1).error().get().code());
        assertCounts(results.get(2).get(), 0, 0, 1, 0);
      }
      assertEquals(List.of(), predictor.predictSequences(List.of()));
      assertEquals(List.of(), predictor.predictTensorSequences(List.of()));
      assertEquals(List.of(), predictor.predictNamedSequences(List.of()));
    }
  }

  @Test
  public void sequencesArePadded() {
    SequenceOptions padded = PLAIN.withBuckets(3, 5).withPadValue(3).withMaxBatch(2).withSequenceInput("data");
    try (SequencePredictor predictor = counter(padded)) {
      assertArrayEquals(new long[] {3, 5}, predictor.buckets());
      assertEquals(5, predictor.bucketOf(4));
      predictor.warmupBuckets();
      assertCounts(predictor.predictSequence(1), 0, 1, 0, 2);
      assertCounts(predictor.predictSequence(1, 1, 1, 2, 2, 2), 0, 3, 2, 0);
      TestData.assertInvalid(() -> predictor.bucketOf(0));
    }
    try (SequencePredictor left = counter(padded.withTruncateSide(TextOptions.Side.LEFT).withPadSide(TextOptions.Side.LEFT))) {
      assertCounts(left.predictSequence(1, 1, 1, 2, 2, 2), 0, 2, 3, 0);
    }
    try (SequencePredictor strict = counter(padded.withTooLong(TextOptions.TooLong.ERROR).withCutOutputs(false))) {
      TestData.assertInvalid(() -> strict.predictSequence(1, 1, 1, 2, 2, 2), "6");
    }
    TestData.assertInvalid(() -> counter(PLAIN.withBuckets(5, 3)));
    TestData.assertInvalid(() -> counter(PLAIN.withSequenceInput("nothing")), "nothing");
    TestData.assertInvalid(() -> counter(PLAIN.withLengthInput("nothing")), "nothing");
    TestData.assertInvalid(() -> counter(PLAIN.withStates(Map.of("a", "b"))), "a");
    TestData.assertInvalid(() -> PLAIN.withMaxBatch(0), "maxBatch is 0");
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> new SequencePredictor("/nowhere"));
  }

  private static void assertNear(Tensor expected, Tensor actual) {
    assertEquals(expected.shape(), actual.shape());
    assertArrayEquals(expected.toFloatArray(), actual.toFloatArray(), 1e-5f);
  }

  @Test
  public void aSessionKeepsItsStates() {
    try (SequencePredictor predictor = new SequencePredictor(SENTENCES); Session session = predictor.session();
        Session whole = predictor.session()) {
      assertEquals(predictor, session.predictor());
      assertEquals(2, session.stateDescs().size());
      Tensor expected = whole.step(4, 10, 5).get(0);
      session.step(4);
      session.step(10);
      Map<String, Tensor> states = session.states();
      assertEquals(Shape.of(1, 20), states.get("lstm_init_h").shape());
      try (Session saved = session.copy(); Session other = predictor.session()) {
        assertNear(expected, session.step(5).get(0));
        assertNear(expected, saved.step(Tensor.of(new float[] {5})).get(0));
        other.setStates(states);
        assertNear(expected, other.step(Map.of(predictor.inputs().get(0).name(), Tensor.of(new float[] {5}))).get(0));
        session.reset();
        assertNear(expected, session.step(4, 10, 5).get(0));
        TestData.assertInvalid(() -> other.setStates(Map.of()));
        TestData.assertInvalid(() -> other.setStates(Map.of("lstm_init_h", states.get("lstm_init_h"))));
        TestData.assertInvalid(() -> other.step());
        TestData.assertInvalid(() -> other.step(99), "99");
      }
    }
    try (SequencePredictor predictor = counter(PLAIN)) {
      TestData.assertFails(ErrorCode.UNSUPPORTED, predictor::session);
    }
  }

  @Test
  public void manySessionsAreOneBatch() {
    try (SequencePredictor predictor = new SequencePredictor(SENTENCES); Session one = predictor.session();
        Session two = predictor.session(); Session alone = predictor.session();
        SequencePredictor other = new SequencePredictor(SENTENCES); Session foreign = other.session()) {
      Tensor cat = alone.step(4, 10).get(0);
      List<Session> sessions = List.of(one, two);
      assertTrue(predictor.step(sessions, List.of(new int[] {4}, new int[] {4})).get(1).isOk());
      List<ItemResult<List<Tensor>>> results = predictor.step(sessions, List.of(new int[] {10}, new int[] {99}));
      assertNear(cat, results.get(0).get().get(0));
      assertFalse(results.get(1).isOk());
      results = predictor.stepTensors(List.of(two), List.of(Tensor.of(new float[] {10})));
      assertNear(cat, results.get(0).get().get(0));
      assertEquals(List.of(), predictor.step(List.of(), List.of()));
      List<int[]> pieces = List.of(new int[] {4}, new int[] {4});
      TestData.assertInvalid(() -> predictor.step(List.of(one, one), pieces));
      TestData.assertInvalid(() -> predictor.step(List.of(one, foreign), pieces));
      TestData.assertInvalid(() -> predictor.step(List.of(one), pieces), "2 pieces for 1 sessions");
      two.close();
      TestData.assertThrows(IllegalStateException.class, () -> predictor.step(sessions, pieces));
      one.step(4);
    }
  }

  /** Threads share sessions: each step has an answer, and nothing else goes wrong. */
  @Test
  public void threadsWaitForOneAnother() throws Exception {
    try (SequencePredictor predictor = new SequencePredictor(SENTENCES); Session one = predictor.session();
        Session two = predictor.session()) {
      AtomicInteger wrong = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        List<Session> sessions = t % 2 == 0 ? List.of(one, two) : List.of(two, one);
        threads.add(new Thread(() -> {
          try {
            for (int i = 0; i < 50; i++) {
              predictor.step(sessions, List.of(new int[] {4}, new int[] {10})).get(0).get();
              sessions.get(0).step(5);
            }
          } catch (Throwable e) {
            e.printStackTrace();
            wrong.incrementAndGet();
          }
        }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(0, wrong.get());
    }
  }

  @Test
  public void networksInBuckets() {
    try (BucketedModel model = BucketedModel.load(LSTM, new Options());
        SequencePredictor predictor = new SequencePredictor(model, PLAIN, new Options().threads(1));
        SequencePredictor loaded = new SequencePredictor(LSTM)) {
      assertArrayEquals(new long[] {3, 5, 8}, model.keys());
      assertTrue(model.name(), model.name().endsWith("lstm"));
      assertTrue(model.memory().storedWeights() > 0);
      assertArrayEquals(new long[] {3, 5, 8}, predictor.buckets());
      assertEquals(5, predictor.bucketOf(4));
      try (Model three = model.model(3); Model largest = model.largest();
          BucketedModel made = BucketedModel.of(Map.of(3L, three, 8L, largest))) {
        assertArrayEquals(new long[] {3, 8}, made.keys());
        assertEquals(three.inputs().toString().replace("3", "8"), largest.inputs().toString().replace("3", "8"));
        TestData.assertInvalid(() -> BucketedModel.of(Map.of(0L, three)));
      }
      TestData.assertInvalid(() -> model.model(4), "4");
      float[] expected = loaded.predictSequence(1, 2, 3, 4).get(0).toFloatArray();
      assertArrayEquals(expected, predictor.predictSequence(1, 2, 3, 4).get(0).toFloatArray(), 1e-5f);
    }
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> BucketedModel.load("/nowhere", new Options()));
    TestData.assertInvalid(() -> BucketedModel.of(Map.of()));
  }

  private static float[] scores(List<Classification> classes) {
    float[] scores = new float[classes.size()];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = classes.get(i).score();
    }
    return scores;
  }

  @Test
  public void textsWithATokenizerOfTheirOwn() throws Exception {
    TextOptions none = TextOptions.DEFAULT;
    try (Model model = counting();
        Vocabulary words = Vocabulary.of(List.of("<pad>", "<unk>", "good", "bad"),
            VocabularyOptions.DEFAULT.withUnknown("<unk>").withPadding("<pad>"));
        Tokenizer tokenizer = Tokenizer.whitespace(words, true);
        TextClassifier classifier = new TextClassifier(model, none.withTokenizer(tokenizer).withEnd("bad"),
            new Options().threads(1))) {
      assertArrayEquals(new float[] {0, 1, 2, 1}, scores(classifier.classify("Good good film")), 0);
      assertArrayEquals(new float[] {0, 1, 2, 1}, scores(classifier.classifyTokens(List.of("good", "good", "film"), 0)), 0);
      assertArrayEquals(new float[] {0, 0, 2, 0}, scores(classifier.classifyIds(new int[] {2, 2}, 0)), 0);
      assertEquals("c", classifier.classifyIds(new int[] {2, 2, 3}, 1).get(0).label());
      assertArrayEquals(new int[] {2, 1, 3}, classifier.ids("good film"));
      assertArrayEquals(new float[] {0, 0, 1, 0}, classifier.predictSequence(2).get(0).toFloatArray(), 0);
      assertEquals("c", classifier.classifyAsync("good good", 1).get(60, TimeUnit.SECONDS).get(0).label());
      TestData.assertInvalid(() -> classifier.classifyIds(new int[] {2}, -1), "-1");
      TestData.assertInvalid(() -> classifier.classifyIds(new int[0], 0));
      TestData.assertInvalid(() -> new TextClassifier(model, none.withTokenizer(tokenizer).withUnknown("a"), new Options()),
          "unknown");
    }
    try (TextClassifier classifier = new TextClassifier(TestData.LANGUAGES)) {
      int[] ids = classifier.ids("Wo ist der Bahnhof?");
      assertEquals("German", classifier.classifyIds(ids, 1).get(0).label());
      TestData.assertFails(ErrorCode.UNSUPPORTED, () -> classifier.classifyTokens(List.of("Wo"), 1));
    }
    try (BucketedModel buckets = BucketedModel.load(LSTM, new Options())) {
      TestData.assertInvalid(() -> new TextClassifier(buckets, none, new Options()), "tokenizer");
    }
  }

  @Test
  public void closedOnesSaySo() {
    SequencePredictor predictor = new SequencePredictor(SENTENCES);
    Session session = predictor.session();
    predictor.close();
    assertNotEquals(0, session.step(4).size());
    Session copy = session.copy();
    session.close();
    session.close();
    copy.close();
    BucketedModel model = BucketedModel.load(LSTM, new Options());
    model.close();
    for (TestData.Work call : Arrays.<TestData.Work>asList(predictor::session, () -> predictor.predictSequence(4),
        () -> predictor.predictSequenceAsync(4), predictor::buckets, () -> session.step(4), session::copy, session::states,
        model::keys, () -> new SequencePredictor(model, PLAIN, new Options()))) {
      TestData.assertThrows(IllegalStateException.class, call);
    }
  }
}
