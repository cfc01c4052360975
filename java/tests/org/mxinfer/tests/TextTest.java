package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.mxinfer.Classification;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.ErrorCode;
import org.mxinfer.ItemResult;
import org.mxinfer.Model;
import org.mxinfer.Options;
import org.mxinfer.Shape;
import org.mxinfer.SubmitOptions;
import org.mxinfer.TextClassifier;
import org.mxinfer.TextOptions;

/** Texts and pairs of them: a model that takes texts, and a network that counts the words of a vocabulary. */
public class TextTest {
  private static final String STATION = "Wo ist der Bahnhof?";
  /** Class i scores how often the id i is in the text; a token of the second text of a pair counts ten times. */
  private static final String COUNTING = "{\"nodes\": ["
      + "{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}, {\"op\": \"null\", \"name\": \"second\", \"inputs\": []},"
      + "{\"op\": \"one_hot\", \"name\": \"hot\", \"attrs\": {\"depth\": \"8\"}, \"inputs\": [[0, 0, 0]]},"
      + "{\"op\": \"_mul_scalar\", \"name\": \"nine\", \"attrs\": {\"scalar\": \"9\"}, \"inputs\": [[1, 0, 0]]},"
      + "{\"op\": \"_plus_scalar\", \"name\": \"weight\", \"attrs\": {\"scalar\": \"1\"}, \"inputs\": [[3, 0, 0]]},"
      + "{\"op\": \"expand_dims\", \"name\": \"column\", \"attrs\": {\"axis\": \"2\"}, \"inputs\": [[4, 0, 0]]},"
      + "{\"op\": \"broadcast_mul\", \"name\": \"weighted\", \"inputs\": [[2, 0, 0], [5, 0, 0]]},"
      + "{\"op\": \"sum\", \"name\": \"counts\", \"attrs\": {\"axis\": \"1\"}, \"inputs\": [[6, 0, 0]]}],"
      + "\"arg_nodes\": [0, 1], \"heads\": [[7, 0, 0]]}";
  private static final List<String> WORDS =
      List.of("<pad>", "<unk>", "[CLS]", "[SEP]", "the", "film", "good", "bad");

  private Path vocabulary;

  @Before
  public void write() throws IOException {
    vocabulary = Files.createTempFile("words", ".txt");
    Files.writeString(vocabulary, String.join("\n", WORDS) + "\n");
  }

  @After
  public void remove() throws IOException {
    Files.delete(vocabulary);
  }

  private TextOptions words() {
    return TextOptions.DEFAULT.withTokenizer(TextOptions.Tokenizer.WHITESPACE, vocabulary).withUnknown("<unk>")
        .withSegmentInput("second");
  }

  private TextClassifier counting(TextOptions text) {
    DataDesc ids = new DataDesc("data", Shape.of(-1, -1), DType.FLOAT32, "NT");
    DataDesc second = new DataDesc("second", Shape.of(-1, -1), DType.FLOAT32, "NT");
    Options options = new Options().inputs(List.of(ids, second)).labels(WORDS);
    try (Model model = Model.loadMemory(COUNTING.getBytes(StandardCharsets.UTF_8), null, options)) {
      return new TextClassifier(model, text, new Options().threads(1));
    }
  }

  private static float[] scores(List<Classification> classes) {
    float[] scores = new float[classes.size()];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = classes.get(i).score();
    }
    return scores;
  }

  private void assertCounts(TextOptions text, String of, float... counts) {
    try (TextClassifier classifier = counting(text)) {
      assertArrayEquals(counts, scores(classifier.classify(of)), 0);
    }
  }

  @Test
  public void aModelThatTakesTextsNeedsNoOptions() throws Exception {
    try (TextClassifier classifier = new TextClassifier(TestData.LANGUAGES)) {
      List<Classification> best = classifier.classify(STATION, 3);
      assertEquals(3, best.size());
      assertEquals("German", best.get(0).label());
      assertEquals(38, classifier.classify(STATION).size());
      assertEquals(best.toString(), classifier.classifyAsync(STATION, 3).get(60, TimeUnit.SECONDS).toString());
      TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> classifier.classify(STATION, -1), "-1");
      TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> classifier.classify("a\0b"), "character 0", "position 1");
    }
    TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> new TextClassifier(TestData.LANGUAGES, words()));
    TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> new TextClassifier(TestData.DIGITS));
  }

  private static void assertLanguages(List<ItemResult<List<Classification>>> results) {
    assertEquals(3, results.size());
    assertEquals("German", results.get(0).get().get(0).label());
    assertFalse(results.get(1).isOk());
    assertEquals(ErrorCode.INVALID_ARGUMENT, results.get(1).error().get().code());
    assertTrue(results.get(1).error().get().getMessage(), results.get(1).error().get().getMessage().contains("character 0"));
    assertEquals("English", results.get(2).get().get(0).label());
  }

  @Test
  public void aWrongTextCostsTheOthersNothing() throws Exception {
    List<String> texts = List.of(STATION, "a\0b", "Where is the station, please?");
    try (TextClassifier classifier = new TextClassifier(TestData.LANGUAGES)) {
      assertLanguages(classifier.classifyTexts(texts, 1));
      assertLanguages(classifier.classifyTextsAsync(texts, 1, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS));
      assertEquals(List.of(), classifier.classifyTexts(List.of(), 1));
      assertEquals(List.of(), classifier.classifyPairs(List.of(), 1));
    }
    try (TextClassifier classifier = counting(words())) {
      List<ItemResult<List<Classification>>> results = classifier.classifyTexts(List.of("", "good"), 1);
      assertFalse(results.get(0).isOk());
        assertEquals("good", results.get(1).get().get(0).label());
    }
  }

  @Test
  public void textsAreCutAsTheOptionsSay() {
    assertCounts(words(), "the film The good good", 0, 1, 0, 0, 1, 1, 2, 0);
    assertCounts(words().withLower(true), "the film The", 0, 0, 0, 0, 2, 1, 0, 0);
    TextOptions basic = words().withTokenizer(TextOptions.Tokenizer.BASIC, vocabulary.toString());
    assertCounts(basic, "The film, good", 0, 1, 0, 0, 1, 1, 1, 0);
    assertCounts(basic.withLower(false), "The film", 0, 1, 0, 0, 0, 1, 0, 0);
    assertCounts(words().withTokenizer(TextOptions.Tokenizer.WORDPIECE, vocabulary), "Good badly",
        0, 1, 0, 0, 0, 0, 1, 0);
    assertCounts(words().withTokenizer(TextOptions.Tokenizer.CHARACTERS, vocabulary), "abc", 0, 3, 0, 0, 0, 0, 0, 0);
  }

  @Test
  public void textsAreFramedPaddedAndTruncated() {
    TextOptions framed = words().withBegin("[CLS]").withEnd("[SEP]").withBuckets(4, 6).withSequenceInput("data");
    String text = "the the good good bad bad";
    assertCounts(framed, "good", 1, 0, 1, 1, 0, 0, 1, 0);
    assertCounts(framed, text, 0, 0, 1, 1, 2, 0, 2, 0);
    assertCounts(framed.withTruncateSide(TextOptions.Side.LEFT), text, 0, 0, 1, 1, 0, 0, 2, 2);
    assertCounts(framed.withPadSide(TextOptions.Side.LEFT).withPadValue(7).withMaxBatch(2), "good", 0, 0, 1, 1, 0, 0, 1, 1);
    try (TextClassifier strict = counting(framed.withTooLong(TextOptions.TooLong.ERROR))) {
      TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> strict.classify(text), "6");
    }
  }

  @Test
  public void pairsHaveSegments() {
    try (TextClassifier classifier = counting(words().withEnd("[SEP]"))) {
      assertArrayEquals(new float[] {0, 0, 0, 11, 1, 11, 10, 0},
          scores(classifier.classifyPair("the film", "good film", 0)), 0);
      List<ItemResult<List<Classification>>> results =
          classifier.classifyPairs(List.of(Map.entry("the", "the"), Map.entry("the", "\0"), Map.entry("bad", "the")), 0);
      assertArrayEquals(new float[] {0, 0, 0, 11, 11, 0, 0, 0}, scores(results.get(0).get()), 0);
      assertFalse(results.get(1).isOk());
      assertArrayEquals(new float[] {0, 0, 0, 11, 10, 0, 0, 1}, scores(results.get(2).get()), 0);
    }
  }

  @Test
  public void optionsThatMakeNoSenseAreTold() {
    TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> words().withMaxBatch(0), "maxBatch is 0");
    TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> counting(words().withUnknown("nobody")), "nobody");
    TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> counting(words().withLengthInput("nothing")), "nothing");
    TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> counting(words().withBuckets(6, 4)), "bucket");
    TestData.assertFails(ErrorCode.INVALID_ARGUMENT, () -> counting(TextOptions.DEFAULT), "tokenizer");
    TestData.assertFails(ErrorCode.NOT_FOUND,
        () -> counting(words().withTokenizer(TextOptions.Tokenizer.WHITESPACE, "/nowhere.txt")), "/nowhere.txt");
  }
}
