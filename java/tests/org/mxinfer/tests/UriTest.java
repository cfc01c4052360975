package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.Locale;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.mxinfer.Classification;
import org.mxinfer.Detection;
import org.mxinfer.ErrorCode;
import org.mxinfer.ImageClassifier;
import org.mxinfer.ItemResult;
import org.mxinfer.Model;
import org.mxinfer.MxinferException;
import org.mxinfer.ObjectDetector;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.SubmitOptions;

/** Models and images at addresses. */
public class UriTest {
  private static final String TWO = "examples/images/two.png";
  private static final String SEVEN = "examples/images/seven.jpg";
  private static final List<URI> NOT_ABSOLUTE = List.of(URI.create("images/two.png"), URI.create("/images/two.png"),
      URI.create("//host/two.png"), URI.create("https:/host/two.png"), URI.create("mailto:two.png"),
      URI.create("file:two.png"), URI.create("jar:file:///images.zip!/two.png"), URI.create(""));

  @Rule public final TemporaryFolder cache = new TemporaryFolder();
  private FileServer server;
  private ImageClassifier classifier;

  @Before
  public void open() throws Exception {
    server = new FileServer(TestData.SOURCE);
    classifier = new ImageClassifier(TestData.DIGITS, options());
  }

  @After
  public void close() {
    classifier.close();
    server.close();
  }

  private Options options() {
    return new Options().cacheFolder(cache.getRoot().toPath()).retries(0);
  }

  private ObjectDetector detector() {
    return new ObjectDetector(TestData.SSD, options().height(48).width(48));
  }

  /** With three decimals: the last bits of a score may depend on what else is in its batch. */
  private static String text(Object of) {
    return Pattern.compile("\\d+\\.\\d+(E-?\\d+)?").matcher(of.toString())
        .replaceAll(number -> String.format(Locale.ROOT, "%.3f", Double.parseDouble(number.group())));
  }

  /** The second of the results is an error with the code, and the others are those of the paths. */
  private static void assertSecondFailed(ErrorCode code, List<String> expected, List<? extends ItemResult<?>> results) {
    assertEquals(3, results.size());
    assertEquals(expected, List.of(text(results.get(0).get()), text(results.get(2).get())));
    assertFalse(results.get(1).isOk());
    assertEquals(code, results.get(1).error().get().code());
  }

  @Test
  public void classifiesAsByPath() throws Exception {
    for (String name : List.of(TWO, SEVEN)) {
      List<Classification> expected = classifier.classify(TestData.SOURCE.resolve(name));
      URI uri = server.uri(name);
      assertEquals(text(expected), text(classifier.classify(uri)));
      assertEquals(text(classifier.classify(TestData.SOURCE.resolve(name), 2)), text(classifier.classify(uri, 2)));
      assertEquals(text(expected), text(classifier.classifyAsync(uri, 0).get()));
      assertEquals(text(expected), text(classifier.classifyAsync(uri, 0, SubmitOptions.DEFAULT).get()));
    }
    assertEquals("two", classifier.classify(server.uri("examples/images/tw%6f.png?version=2"), 1).get(0).label());
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> classifier.classify(server.uri("none.png")), "none.png");
    TestData.assertFails(ErrorCode.MALFORMED, () -> classifier.classify(server.uri("LICENSE")), "LICENSE");
  }

  @Test
  public void classifiesLists() throws Exception {
    List<String> expected = List.of(text(classifier.classify(TestData.TWO, 3)), text(classifier.classify(TestData.SEVEN, 3)));
    List<URI> missing = List.of(server.uri(TWO), server.uri("none.png"), server.uri(SEVEN));
    assertSecondFailed(ErrorCode.NOT_FOUND, expected, classifier.classifyUris(missing, 3));
    assertSecondFailed(ErrorCode.NOT_FOUND, expected,
        classifier.classifyUrisAsync(missing, 3, SubmitOptions.DEFAULT).get());
    List<URI> relative = List.of(server.uri(TWO), URI.create("two.png"), TestData.SEVEN.toUri());
    assertSecondFailed(ErrorCode.INVALID_ARGUMENT, expected, classifier.classifyUris(relative, 3));
    assertSecondFailed(ErrorCode.INVALID_ARGUMENT, expected,
        classifier.classifyUrisAsync(relative, 3, SubmitOptions.DEFAULT).get());
    assertTrue(classifier.classifyUris(List.of(), 3).isEmpty());
    TestData.assertThrows(NullPointerException.class, () -> classifier.classifyUris(Arrays.asList((URI) null), 3));
  }

  @Test
  public void detectsAsByPath() throws Exception {
    try (ObjectDetector detector = detector()) {
      URI uri = server.uri(TWO);
      List<Detection> expected = detector.detect(TestData.TWO, 0, 2);
      assertEquals(2, expected.size());
      assertEquals(text(expected), text(detector.detect(uri, 0, 2)));
      assertEquals(text(detector.detect(TestData.TWO)), text(detector.detect(uri)));
      assertEquals(text(expected), text(detector.detectAsync(uri, 0, 2).get()));
      List<URI> list = List.of(uri, server.uri("none.png"), TestData.TWO.toUri());
      List<String> twice = List.of(text(expected), text(expected));
      assertSecondFailed(ErrorCode.NOT_FOUND, twice, detector.detectUris(list, 0, 2));
      assertSecondFailed(ErrorCode.NOT_FOUND, twice, detector.detectUrisAsync(list, 0, 2, SubmitOptions.DEFAULT).get());
      TestData.assertInvalid(() -> detector.detect(URI.create("two.png")), "'two.png'");
      TestData.assertInvalid(() -> detector.detect(uri, 0, -1), "-1");
    }
  }

  /** Java writes "file:/x" for the path /x, or "file:///x". */
  @Test
  public void filesOfThisMachine() throws Exception {
    String expected = text(classifier.classify(TestData.TWO, 3));
    Path odd = cache.newFile("two #1?%.png").toPath();
    Files.write(odd, TestData.bytes(TestData.TWO));
    String path = TestData.TWO.toUri().getRawPath();
    for (URI uri : List.of(TestData.TWO.toUri(), TestData.TWO.toFile().toURI(), URI.create("file:" + path),
        URI.create("file://" + path), URI.create("FILE:" + path), URI.create("file://localhost" + path), odd.toUri(),
        odd.toFile().toURI())) {
      assertEquals(uri.toString(), expected, text(classifier.classify(uri, 3)));
    }
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> classifier.classify(URI.create("file:/nowhere.png")), "/nowhere.png");
    TestData.assertInvalid(() -> classifier.classify(URI.create("file://elsewhere/two.png")), "elsewhere");
  }

  private static void shell(String command, String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("sh", "-c", command, "sh"));
    words.addAll(List.of(arguments));
    assertEquals(0, new ProcessBuilder(words).start().waitFor());
  }

  @Test
  public void namesOutsideOfAscii() throws Exception {
    String folder = cache.getRoot().toString();
    shell("cp \"$1\" \"$2/$(printf 'zw\\303\\266lf.png')\"", TestData.TWO.toString(), folder);
    String expected = text(classifier.classify(TestData.TWO, 3));
    assertEquals(expected, text(classifier.classify(URI.create("file:" + folder + "/zw%C3%B6lf.png"), 3)));
    assertEquals(expected, text(classifier.classify(URI.create("file:" + folder + "/zw\u00f6lf.png"), 3)));
    shell("rm \"$1/$(printf 'zw\\303\\266lf.png')\"", folder);
  }

  @Test
  public void otherAddressesAreRefused() {
    for (URI uri : NOT_ABSOLUTE) {
      TestData.assertInvalid(() -> classifier.classify(uri), "uri is '" + uri + "'", "https://");
      TestData.assertInvalid(() -> classifier.classifyAsync(uri, 1), "uri is '" + uri + "'");
    }
    TestData.assertFails(ErrorCode.UNSUPPORTED, () -> classifier.classify(URI.create("gopher://host/two.png")), "gopher");
  }

  @Test
  public void messagesTellNoSecrets() {
    for (String address : List.of("//me:secret@host/two.png", "https:me:secret@host/two.png", "two.png?key=secret",
        "two.png#secret")) {
      MxinferException error =
          TestData.assertInvalid(() -> classifier.classify(URI.create(address)), "two.png");
      assertFalse(error.getMessage(), error.getMessage().contains("secret"));
    }
  }

  @Test
  public void models() {
    URI symbol = server.uri("models/digits/digits-symbol.json");
    URI params = server.uri("models/digits/digits-0000.params");
    Path folder = TestData.SOURCE.resolve("models/digits");
    Model local =
        Model.loadFiles(folder.resolve("digits-symbol.json"), folder.resolve("digits-0000.params"), new Options());
    Model fetchedModel = Model.loadFiles(symbol, params, options());
    try (local; fetchedModel; Predictor expected = new Predictor(local, new Options());
        Predictor predictor = new Predictor(fetchedModel, new Options())) {
      assertArrayEquals(expected.predict(TestData.sample(1)), predictor.predict(TestData.sample(1)));
    }
    try (ImageClassifier fetched = new ImageClassifier(server.uri("models/digits.mxz").toString(), options())) {
      assertEquals(text(classifier.classify(TestData.TWO)), text(fetched.classify(server.uri(TWO))));
    }
    TestData.assertInvalid(() -> Model.loadFiles(URI.create("digits"), params, options()), "symbol is 'digits'");
    TestData.assertInvalid(() -> Model.loadFiles(symbol, URI.create("digits"), options()), "params is 'digits'");
  }
}
