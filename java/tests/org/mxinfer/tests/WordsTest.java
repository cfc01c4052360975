package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.Test;
import org.mxinfer.DType;
import org.mxinfer.ErrorCode;
import org.mxinfer.NearWord;
import org.mxinfer.NearestOptions;
import org.mxinfer.Shape;
import org.mxinfer.Tensor;
import org.mxinfer.Tokenizer;
import org.mxinfer.Vocabulary;
import org.mxinfer.VocabularyOptions;
import org.mxinfer.WordPieceOptions;
import org.mxinfer.WordVectors;
import org.mxinfer.WordVectorsOptions;

/** Vocabularies, tokenizers and word vectors. */
public class WordsTest {
  private static final VocabularyOptions PLAIN = VocabularyOptions.DEFAULT;
  private static final Path VOCABULARY = TestData.SOURCE.resolve("examples/words/vocab.json");
  private static final Path VECTORS = TestData.SOURCE.resolve("examples/words/vectors.txt");

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  public void wordsHaveIds() {
    try (Vocabulary words = Vocabulary.load(VOCABULARY)) {
      assertEquals(26, words.size());
      assertFalse(words.isEmpty());
      assertEquals(6, words.id("king"));
      assertEquals(OptionalInt.of(6), words.find("king"));
      assertEquals(OptionalInt.empty(), words.find("xyz"));
      assertEquals(0, words.id("xyz"));
      assertArrayEquals(new int[] {6, 25, 0}, words.ids(List.of("king", "night", "xyz")));
      assertEquals("man", words.word(4));
      assertEquals(List.of("man", "king"), words.words(4, 6));
      assertEquals(OptionalInt.of(0), words.unknownId());
      assertEquals(OptionalInt.of(1), words.paddingId());
      assertEquals(OptionalInt.of(2), words.beginId());
      assertEquals(OptionalInt.of(3), words.endId());
      TestData.assertInvalid(() -> words.word(26), "26");
      try (Vocabulary again = Vocabulary.parse(utf8(words.toJson()), PLAIN);
          Vocabulary loaded = Vocabulary.load(VOCABULARY.toString(), PLAIN)) {
        assertEquals(6, again.id("king"));
        assertEquals(OptionalInt.of(3), loaded.endId());
      }
    }
  }

  @Test
  public void listsAndLinesAreVocabularies() {
    try (Vocabulary words = Vocabulary.of(List.of("a", "b", "über"), PLAIN.withUnknown("b").withBegin("a").withEnd("über"))) {
      assertEquals(1, words.id("nobody"));
      assertEquals(2, words.id("über"));
      assertEquals(OptionalInt.empty(), words.paddingId());
    }
    try (Vocabulary gaps = Vocabulary.parse(utf8("a 1\nb 4\n"), PLAIN.withFormat(VocabularyOptions.Format.WORD_INDEX))) {
      assertEquals(5, gaps.size());
      assertEquals("", gaps.word(2));
      TestData.assertInvalid(() -> gaps.id("c"), "c");
    }
    try (Vocabulary lines = Vocabulary.parse(utf8("a\nb"),
        PLAIN.withFormat(VocabularyOptions.Format.WORDS).withPadding("a"))) {
      assertEquals(OptionalInt.of(0), lines.paddingId());
    }
    TestData.assertInvalid(() -> Vocabulary.of(List.of("ship", "day", "ship"), PLAIN), "ship");
    TestData.assertInvalid(() -> Vocabulary.of(List.of("ship"), PLAIN.withUnknown("boat")), "boat");
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> Vocabulary.load(Path.of("/nowhere.json")), "/nowhere.json");
    TestData.assertFails(ErrorCode.MALFORMED, 
        () -> Vocabulary.parse(utf8("{"), PLAIN.withFormat(VocabularyOptions.Format.GLUONNLP_JSON)));
  }

  @Test
  public void textsAreCut() {
    try (Vocabulary words = Vocabulary.of(List.of("[UNK]", "una", "##ffa", "##ble", "the", "ship", "!"),
        PLAIN.withUnknown("[UNK]"));
        Tokenizer pieces = Tokenizer.wordpiece(words, WordPieceOptions.DEFAULT);
        Tokenizer spaces = Tokenizer.whitespace(words, true);
        Tokenizer characters = Tokenizer.characters(words, false);
        Tokenizer basic = Tokenizer.basic(words, true);
        Tokenizer bare = Tokenizer.whitespace(false)) {
      assertEquals(List.of("una", "##ffa", "##ble"), pieces.tokens("Unaffable"));
      assertArrayEquals(new int[] {1, 2, 3}, pieces.ids("unaffable"));
      assertEquals("unaffable ship", pieces.text(1, 2, 3, 5));
      assertArrayEquals(new int[] {4, 5, 0}, spaces.ids("The ship sails"));
      assertEquals(List.of("ä", " ", "b"), characters.tokens("ä b"));
      assertEquals(List.of("the", "ship", "!"), basic.tokens("The ship!"));
      assertEquals(List.of("The", "ship!"), bare.tokens("The ship!"));
      TestData.assertInvalid(() -> bare.ids("The ship"), "vocabulary");
      try (Vocabulary own = pieces.vocabulary(); Vocabulary none = bare.vocabulary()) {
        assertEquals(7, own.size());
        assertTrue(none.isEmpty());
      }
      try (Tokenizer cased = Tokenizer.wordpiece(words,
          WordPieceOptions.DEFAULT.withBasic(false).withLower(false).withMaxWordLength(4).withPrefix("##"))) {
        assertEquals(List.of("[UNK]", "ship"), cased.tokens("Unaffable ship"));
      }
      TestData.assertInvalid(() -> Tokenizer.wordpiece(words, WordPieceOptions.DEFAULT.withMaxWordLength(0)));
      TestData.assertInvalid(() -> spaces.text(99));
    }
    try (Vocabulary strict = Vocabulary.of(List.of("a"), PLAIN)) {
      TestData.assertInvalid(() -> Tokenizer.wordpiece(strict, WordPieceOptions.DEFAULT));
    }
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> Tokenizer.sentencepiece(Path.of("/nowhere.model")));
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> Tokenizer.sentencepiece("/nowhere.model"));
    TestData.assertThrows(org.mxinfer.MxinferException.class, () -> Tokenizer.sentencepiece(new byte[] {1}));
  }

  private static List<String> words(List<NearWord> near) {
    return near.stream().map(NearWord::word).collect(Collectors.toList());
  }

  @Test
  public void wordsAreNear() {
    NearestOptions all = NearestOptions.DEFAULT;
    try (WordVectors vectors = WordVectors.load(VECTORS)) {
      assertEquals(10, vectors.dimensions());
      assertEquals(0, vectors.skipped());
      List<NearWord> near = vectors.nearest("king", 3, all);
      assertEquals(List.of("prince", "queen", "throne"), words(near));
      assertEquals(0.9363, near.get(0).score(), 1e-4);
      assertEquals(List.of("queen", "princess"), words(vectors.analogy("man", "king", "woman", 2, all)));
      assertEquals(near.get(0).score(), vectors.similarity("king", "prince"), 1e-6);
      assertEquals(List.of("king", "prince"), words(vectors.nearest(vectors.vector("king"), 2, all)));
      assertEquals("king", vectors.nearest("king", 1, all.withGiven(true)).get(0).word());
      assertEquals(List.of("prince"), words(vectors.nearest("king", 3, all.withMinScore(0.9f))));
      assertTrue(vectors.nearest("king", 5, all.withFirst(2)).stream().allMatch(word -> word.id() < 2));
      try (Vocabulary own = vectors.vocabulary()) {
        int king = own.id("king");
        assertArrayEquals(vectors.vector("king"), vectors.vector(king), 0);
        Tensor rows = vectors.rows(king, king);
        assertEquals(Shape.of(2, 10), rows.shape());
        assertEquals(vectors.vector(king)[3], rows.toFloatArray()[13], 0);
        assertArrayEquals(rows.toFloatArray(), vectors.rows(List.of("king", "king")).toFloatArray(), 0);
        Tensor matrix = vectors.matrix();
        assertEquals(own.size(), matrix.shape().get(0));
        try (WordVectors made = WordVectors.of(own, matrix, 1)) {
          assertEquals(List.of("prince", "queen", "throne"), words(made.nearest("king", 3, all)));
          TestData.assertInvalid(() -> WordVectors.of(own, Tensor.allocate(DType.INT32, 2, 2), 1));
        }
      }
      TestData.assertFails(ErrorCode.NOT_FOUND, () -> vectors.nearest("kingg", 1, all), "king");
      TestData.assertFails(ErrorCode.NOT_FOUND, () -> vectors.similarity("king", "nobody"));
      TestData.assertInvalid(() -> vectors.nearest("king", 0, all));
      TestData.assertInvalid(() -> vectors.nearest(new float[3], 1, all));
      TestData.assertInvalid(() -> vectors.vector("nobody"));
      TestData.assertInvalid(() -> vectors.vector(-1));
      TestData.assertInvalid(() -> all.withFirst(-1), "-1");
    }
    byte[] text = TestData.bytes(VECTORS);
    WordVectorsOptions options = WordVectorsOptions.DEFAULT.withFormat(WordVectorsOptions.Format.TEXT).withUnknown("king")
        .withThreads(1).withReadAtOnce(true);
    try (WordVectors parsed = WordVectors.parse(text, options)) {
      assertArrayEquals(parsed.vector("king"), parsed.vector("nobody"), 0);
    }
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> WordVectors.load("/nowhere.txt", options));
    TestData.assertInvalid(() -> WordVectors.load(
        TestData.SOURCE.resolve("tests/golden/sequences/language_model-0000.params").toString(),
        WordVectorsOptions.DEFAULT));
  }

  @Test
  public void closedOnesSaySo() {
    Vocabulary words = Vocabulary.of(List.of("a"), PLAIN);
    Tokenizer tokenizer = Tokenizer.whitespace(words, false);
    WordVectors vectors = WordVectors.load(VECTORS);
    words.close();
    words.close();
    assertArrayEquals(new int[] {0}, tokenizer.ids("a"));
    tokenizer.close();
    vectors.close();
    for (TestData.Work call : List.<TestData.Work>of(words::size, () -> words.id("a"), () -> Tokenizer.basic(words, true),
        () -> tokenizer.tokens("a"), () -> vectors.vector("king"), vectors::matrix)) {
      TestData.assertThrows(IllegalStateException.class, call);
    }
  }
}
