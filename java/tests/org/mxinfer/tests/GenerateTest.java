package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.mxinfer.Ctc;
import org.mxinfer.CtcOptions;
import org.mxinfer.CtcSequence;
import org.mxinfer.ErrorCode;
import org.mxinfer.GenerateOptions;
import org.mxinfer.Generated;
import org.mxinfer.Generation;
import org.mxinfer.GeneratorOptions;
import org.mxinfer.Model;
import org.mxinfer.Options;
import org.mxinfer.SequenceGenerator;
import org.mxinfer.Tensor;
import org.mxinfer.Vocabulary;
import org.mxinfer.VocabularyOptions;

/** Generation by models/sentences, and CTC decoding. */
public class GenerateTest {
  private static final GenerateOptions GREEDY = GenerateOptions.DEFAULT;
  private static final GenerateOptions SAMPLE =
      GREEDY.withSearch(GenerateOptions.Search.SAMPLE).withSeed(7).withMaxLength(20);
  private static SequenceGenerator generator;

  private static GeneratorOptions words() {
    return GeneratorOptions.DEFAULT.withVocabulary(
        Vocabulary.load(TestData.SOURCE.resolve("models/sentences/vocab.json")));
  }

  @BeforeClass
  public static void load() {
    generator = new SequenceGenerator(SequenceTest.SENTENCES, words(), new Options().threads(1));
  }

  @AfterClass
  public static void close() {
    generator.close();
  }

  private static List<String> texts(List<Generated> made) {
    return made.stream().map(Generated::text).collect(Collectors.toList());
  }

  @Test
  public void textsGoOn() {
    Generated cat = generator.generate("the cat", GREEDY).get(0);
    assertEquals("eats fish on the roof", cat.text());
    assertEquals(Generated.Finish.END, cat.finish());
    assertEquals(OptionalInt.of(3), cat.endId());
    assertEquals(cat.text(), generator.text(cat.ids()));
    assertArrayEquals(new int[] {4, 10}, generator.ids("the cat"));
    assertArrayEquals(cat.ids(), generator.generate(new int[] {4, 10}, GREEDY).get(0).ids());
    Generated cut = generator.generate("the cat", GREEDY.withMaxLength(2)).get(0);
    assertEquals("eats fish", cut.text());
    assertEquals(Generated.Finish.LENGTH, cut.finish());
    assertEquals(OptionalInt.empty(), cut.endId());
    assertEquals("eats", generator.generate("the cat", GREEDY.withStopIds(23)).get(0).text());
    try (Vocabulary own = generator.vocabulary()) {
      assertEquals(25, own.size());
    }
  }

  @Test
  public void aBeamHasTheBestFirst() {
    GenerateOptions beam = GREEDY.withSearch(GenerateOptions.Search.BEAM).withNumSequences(3);
    List<Generated> made = generator.generate("the old", beam);
    assertEquals(List.of("cat eats fish on the roof", "dog eats bones in the garden", "cat sleeps on the roof"), texts(made));
    assertEquals(-1.3328, made.get(0).score(), 1e-3);
    assertEquals(2, generator.generate("the old", beam.withBeam(2).withNumSequences(2).withAlpha(0).withLengthK(0)).size());
    TestData.assertInvalid(() -> generator.generate("the old", beam.withBeam(0)));
  }

  @Test
  public void samplesFollowTheirSeed() {
    GenerateOptions drawn = SAMPLE.withNumSequences(3);
    List<Generated> made = generator.generate("the", drawn);
    assertEquals(3, made.size());
    assertEquals(texts(made), texts(generator.generate("the", drawn)));
    assertEquals(made.get(0).score(), made.get(0).logProbability(), 0);
    GenerateOptions sharp = SAMPLE.withTopK(1).withTopP(0.9f).withTemperature(0.5f).withRepetitionPenalty(1);
    assertEquals(generator.generate("the cat", GREEDY).get(0).text(), generator.generate("the cat", sharp).get(0).text());
    TestData.assertInvalid(() -> generator.generate("the", SAMPLE.withTemperature(0)));
    TestData.assertInvalid(() -> generator.generate("the", SAMPLE.withTopP(2)));
  }

  @Test
  public void manyPromptsAreOneBatch() {
    List<List<Generated>> made = generator.generateTexts(List.of("the cat", "the old"), GREEDY);
    assertEquals("eats fish on the roof", made.get(0).get(0).text());
    assertEquals(generator.generate("the old", GREEDY).get(0).text(), made.get(1).get(0).text());
    assertEquals(made.toString(),
        generator.generateBatch(List.of(new int[] {4, 10}, new int[] {4, 6}), GREEDY).toString());
    assertEquals(List.of(), generator.generateTexts(List.of(), GREEDY));
  }

  @Test
  public void tokensComeOneByOne() {
    try (Generation generation = generator.start("the cat", GREEDY)) {
      List<Integer> ids = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      while (generation.hasNext()) {
        ids.add(generation.next());
        text.append(generation.piece());
      }
      assertEquals("eats fish on the roof", text.toString().trim());
      assertEquals(Arrays.stream(generation.result().ids()).boxed().collect(Collectors.toList()), ids);
      assertEquals(Generated.Finish.END, generation.result().finish());
      assertFalse(generation.hasNext());
      TestData.assertThrows(NoSuchElementException.class, generation::next);
    }
    try (Generation generation = generator.start(new int[] {4, 10}, SAMPLE)) {
      String text = generation.pieces().collect(Collectors.joining());
      assertEquals(generation.result().text(), text.trim());
    }
    TestData.assertInvalid(() -> generator.start("the", GREEDY.withSearch(GenerateOptions.Search.BEAM)));
    TestData.assertInvalid(() -> generator.start("the", SAMPLE.withNumSequences(2)));
  }

  @Test
  public void aFunctionMayEndASequence() {
    List<String> seen = new ArrayList<>();
    Generated made = generator.generate("the cat", GREEDY.withStop(ids -> {
      seen.add(Arrays.toString(ids));
      return ids.length == 2;
    })).get(0);
    assertEquals(Generated.Finish.STOPPED, made.finish());
    assertEquals(List.of("[5]", "[5, 23]"), seen);
    IllegalArgumentException error = new IllegalArgumentException("no more");
    GenerateOptions failing = GREEDY.withStop(ids -> {
      throw error;
    });
    TestData.assertThrows(IllegalArgumentException.class, () -> generator.generate("the cat", failing));
    TestData.assertThrows(IllegalArgumentException.class, () -> generator.generateTexts(List.of("the cat"), failing));
    try (Generation generation = generator.start("the cat", failing)) {
      TestData.assertThrows(IllegalArgumentException.class, generation::hasNext);
    }
    Generation[] own = new Generation[1];
    own[0] = generator.start("the cat", GREEDY.withStop(ids -> own[0].hasNext()));
    TestData.assertInvalid(() -> own[0].hasNext(), "stop function");
    own[0].close();
    // A stop function may run the library in turn.
    assertEquals("eats", generator.generate("the cat",
        GREEDY.withStop(ids -> generator.generate("the cat", GREEDY).get(0).ids().length > 3)).get(0).text());
  }

  @Test
  public void theNetworkIsFound() {
    Map<String, Object> found = generator.found().toMap();
    assertEquals("token", found.get("token_input"));
    assertEquals(GeneratorOptions.Step.ONE_TOKEN, found.get("step"));
    assertEquals(GeneratorOptions.Scores.LOGITS, found.get("scores"));
    assertEquals(2, ((Map<?, ?>) found.get("states")).size());
    assertEquals(2, found.get("begin_id"));
    assertEquals(3, found.get("end_id"));
    GeneratorOptions told = words().withTokenInput("token").withTokenLayout("N").withStep(GeneratorOptions.Step.ONE_TOKEN)
        .withScores(GeneratorOptions.Scores.LOGITS).withBeginId(2).withEndId(-1);
    try (Model model = Model.load(SequenceTest.SENTENCES);
        SequenceGenerator same = new SequenceGenerator(model, told, new Options())) {
      assertTrue(same.generate("the cat", GREEDY.withMaxLength(8)).get(0).text().startsWith("eats fish on the roof"));
    }
    TestData.assertInvalid(() -> new SequenceGenerator(SequenceTest.SENTENCES, words().withTokenInput("x"), new Options()),
        "x");
    TestData.assertInvalid(() -> new SequenceGenerator(SequenceTest.SENTENCES, words().withEndId(99), new Options()), "99");
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> new SequenceGenerator("/nowhere", words(), new Options()));
  }

  @Test
  public void statesMayBeGiven() {
    Map<String, Tensor> zeros = Map.of("lstm_init_h", Tensor.of(new float[20], 1, 20), "lstm_init_c",
        Tensor.of(new float[20], 1, 20));
    assertEquals("eats fish on the roof", generator.generate("the cat", GREEDY.withInputs(zeros)).get(0).text());
    TestData.assertInvalid(() -> generator.generate("the cat",
        GREEDY.withInputs(Map.of("lstm_init_h", Tensor.of(new float[3], 1, 3)))));
    TestData.assertInvalid(() -> generator.generate("the nobody", GREEDY.withMaxLength(0)));
  }

  @Test
  public void closedOnesSaySo() {
    SequenceGenerator closed = new SequenceGenerator(SequenceTest.SENTENCES, words(), new Options());
    Generation generation = closed.start("the cat", GREEDY);
    closed.close();
    assertTrue(generation.hasNext());
    generation.close();
    generation.close();
    TestData.assertThrows(IllegalStateException.class, generation::result);
    TestData.assertThrows(IllegalStateException.class, () -> closed.generate("the", GREEDY));
    TestData.assertThrows(IllegalStateException.class, closed::found);
  }

  /** Steps of blank, a and b. */
  private static Tensor steps() {
    return Tensor.of(new float[] {0.6f, 0.4f, 0, 0.6f, 0.4f, 0}, 2, 3);
  }

  @Test
  public void ctcReadsPaths() {
    CtcOptions options = CtcOptions.DEFAULT.withCharacters("ab");
    CtcSequence greedy = Ctc.greedy(steps(), options).get(0);
    assertEquals("", greedy.text());
    assertEquals(Math.log(0.36), greedy.logProbability(), 1e-5);
    List<CtcSequence> best = Ctc.beamSearch(steps(), options.withBest(2).withBeamWidth(8)).get(0);
    assertEquals("a", best.get(0).text());
    assertArrayEquals(new int[] {1}, best.get(0).labels());
    assertEquals(Math.log(0.64), best.get(0).logProbability(), 1e-5);
    assertEquals("", best.get(1).text());
    Tensor last = Tensor.of(new double[] {0, 1, 0, 0, 1, 0}, 2, 1, 3);
    CtcOptions batch = CtcOptions.DEFAULT.withLayout(CtcOptions.Layout.TNC).withBlank(-1).withLengths(2);
    assertEquals("y", Ctc.greedy(last, batch.withLabels(List.of("x", "y"))).get(0).text());
    try (Vocabulary words = Vocabulary.of(List.of("x", "y", "-"), VocabularyOptions.DEFAULT)) {
      assertEquals("y", Ctc.greedy(last, batch.withVocabulary(words)).get(0).text());
    }
    assertEquals(Math.log(0.36), Ctc.greedy(Tensor.of(new float[] {(float) Math.log(0.6), (float) Math.log(0.4), -99,
        (float) Math.log(0.6), (float) Math.log(0.4), -99}, 2, 3),
        CtcOptions.DEFAULT.withScores(CtcOptions.Scores.LOGITS)).get(0).logProbability(), 1e-5);
    TestData.assertInvalid(() -> Ctc.greedy(Tensor.of(new int[6], 2, 3), options));
    TestData.assertInvalid(() -> Ctc.greedy(steps(), options.withBlank(7)), "7");
    TestData.assertInvalid(() -> Ctc.greedy(steps(), options.withCharacters("abcdef")));
    TestData.assertInvalid(() -> Ctc.beamSearch(steps(), options.withBeamWidth(0)), "beamWidth is 0");
    TestData.assertInvalid(() -> Ctc.beamSearch(steps(), options.withBest(0)));
  }
}
