package org.mxinfer.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.mxinfer.Classification;
import org.mxinfer.Classifier;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.DetectOptions;
import org.mxinfer.DetectReport;
import org.mxinfer.Detection;
import org.mxinfer.ErrorCode;
import org.mxinfer.ImageClassifier;
import org.mxinfer.ItemResult;
import org.mxinfer.Model;
import org.mxinfer.NmsOptions;
import org.mxinfer.ObjectDetector;
import org.mxinfer.SubmitOptions;
import org.mxinfer.Options;
import org.mxinfer.Shape;
import org.mxinfer.Tensor;

public class ImageTest {
  private static final Options SSD_OPTIONS = new Options().height(48).width(48);

  private static String text(Object of) {
    return of.toString();
  }

  @Test
  public void samplesAndBatches() {
    try (Classifier classifier = new Classifier(TestData.DIGITS)) {
      List<Classification> all = classifier.classify(TestData.sample(1));
      assertEquals(10, all.size());
      for (int i = 0; i < 10; i++) {
        assertEquals(i, all.get(i).index());
      }
      assertEquals("three", all.get(3).label());
      List<Classification> best = classifier.classify(TestData.sample(1), 3);
      assertEquals(3, best.size());
      assertTrue(best.get(0).score() >= best.get(1).score());
      assertEquals(10, classifier.classify(TestData.sample(1), 99).size());
      List<List<Classification>> batch = classifier.classifyBatch(Tensor.of(TestData.samples(3), 3, 1, 32, 32), 1);
      assertEquals(3, batch.size());
      assertEquals(best.get(0).label(), batch.get(1).get(0).label());
      TestData.assertInvalid(() -> classifier.classify(new float[5], 1), "5");
      TestData.assertInvalid(() -> classifier.classify(TestData.sample(1), -1), "-1");
      TestData.assertFails(ErrorCode.UNSUPPORTED,
          () -> classifier.classifyBatch(Tensor.of(new int[1024], 1, 1, 32, 32), 1), "int32");
    }
    try (Model model = Model.load(TestData.DIGITS); Classifier classifier = new Classifier(model, new Options());
        Classifier described = new Classifier(TestData.DIGITS, List.of(new DataDesc("data", Shape.of(1, 1, 32, 32))))) {
      assertEquals(text(classifier.classify(TestData.sample(2))), text(described.classify(TestData.sample(2))));
    }
  }

  @Test
  public void filesBytesAndPixelsAgree() {
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      for (String name : List.of("zero.png", "two.png", "four.png", "six.png", "eight.png")) {
        Path path = TestData.image(name);
        String file = text(classifier.classify(path));
        assertEquals(file, text(classifier.classify(TestData.bytes(path))));
        assertEquals(name, file, text(classifier.classify(TestData.read(path))));
        assertEquals(name.substring(0, name.indexOf('.')), classifier.classify(path, 1).get(0).label());
      }
      assertEquals("seven", classifier.classify(TestData.SEVEN, 5).get(0).label());
      assertEquals("seven", classifier.classify(TestData.read(TestData.SEVEN), 1).get(0).label());
      assertEquals("seven", classifier.classify(TestData.bytes(TestData.SEVEN), 1).get(0).label());
    }
  }

  /** A network of colour, which gives the mean of each channel. */
  private static ImageClassifier means() {
    String symbol = "{\"nodes\":[{\"op\":\"null\",\"name\":\"data\",\"inputs\":[]},"
        + "{\"op\":\"mean\",\"name\":\"mean\",\"attrs\":{\"axis\":\"(2, 3)\"},\"inputs\":[[0,0,0]]}],"
        + "\"arg_nodes\":[0],\"heads\":[[1,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}";
    Options options = new Options()
        .inputs(List.of(new DataDesc("data", Shape.of(-1, 3, 8, 8), DType.FLOAT32, "NCHW")))
        .labels(List.of("red", "green", "blue \u00e9\ud83d\ude00"));
    try (Model model = Model.loadMemory(symbol.getBytes(StandardCharsets.UTF_8), null, options)) {
      return new ImageClassifier(model, new Options());
    }
  }

  /** A network that gives the pixels of images of 17 x 13, the size of the small files, as scores. */
  private static ImageClassifier pixels(int channels) {
    String symbol = "{\"nodes\":[{\"op\":\"null\",\"name\":\"data\",\"inputs\":[]},"
        + "{\"op\":\"Flatten\",\"name\":\"out\",\"inputs\":[[0,0,0]]}],"
        + "\"arg_nodes\":[0],\"heads\":[[1,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}";
    Options options = new Options().inputs(List.of(new DataDesc("data", Shape.of(-1, channels, 13, 17))));
    try (Model model = Model.loadMemory(symbol.getBytes(StandardCharsets.UTF_8), null, options)) {
      return new ImageClassifier(model, new Options());
    }
  }

  @Test
  public void pixelsOfEveryPngAreThoseOfItsFile() throws IOException {
    Path folder = TestData.SOURCE.resolve("tests/golden/image");
    for (int channels : new int[] {1, 3}) {
      try (ImageClassifier classifier = pixels(channels); DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.png")) {
        int count = 0;
        for (Path file : files) {
          // The pixels do not say the gamma of a file.
          if (channels == 1 && file.endsWith("rgb_gamma.png")) {
            continue;
          }
          BufferedImage image = TestData.read(file);
          String expected = text(classifier.classify(file));
          assertEquals(file + " for " + channels + " channels", expected, text(classifier.classify(image)));
          assertEquals(expected, text(classifier.classifyImages(List.of(image, image), 0).get(1).get()));
          assertEquals(expected, text(classifier.classifyAsync(image, 0).join()));
          count++;
        }
        assertTrue(count > 15);
      }
    }
  }

  private static BufferedImage painted(int type) {
    BufferedImage image = new BufferedImage(8, 8, type);
    for (int y = 0; y < 8; y++) {
      for (int x = 0; x < 8; x++) {
        image.setRGB(x, y, 0xff000000 | (x * 30) << 16 | (y * 20) << 8 | (x + y) * 10);
      }
    }
    return image;
  }

  @Test
  public void imagesOfAllTypes() {
    try (ImageClassifier classifier = means()) {
      List<Classification> expected = classifier.classify(painted(BufferedImage.TYPE_INT_RGB));
      assertEquals("blue \u00e9\ud83d\ude00", expected.get(2).label());
      assertEquals(105, expected.get(0).score(), 1e-3);
      assertEquals(70, expected.get(1).score(), 1e-3);
      assertEquals(70, expected.get(2).score(), 1e-3);
      for (int type : new int[] {BufferedImage.TYPE_INT_ARGB, BufferedImage.TYPE_INT_ARGB_PRE,
          BufferedImage.TYPE_INT_BGR, BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_4BYTE_ABGR,
          BufferedImage.TYPE_4BYTE_ABGR_PRE}) {
        assertEquals("type " + type, text(expected), text(classifier.classify(painted(type))));
      }
      for (int type : new int[] {BufferedImage.TYPE_USHORT_565_RGB, BufferedImage.TYPE_USHORT_555_RGB,
          BufferedImage.TYPE_BYTE_INDEXED}) {
        assertEquals("type " + type, 105, classifier.classify(painted(type)).get(0).score(), 10);
      }
    }
  }

  @Test
  public void greyImagesAreTakenAsTheyAre() {
    try (ImageClassifier classifier = means()) {
      for (int type : new int[] {BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_USHORT_GRAY}) {
        BufferedImage grey = new BufferedImage(8, 8, type);
        int value = type == BufferedImage.TYPE_BYTE_GRAY ? 100 : 100 << 8;
        for (int i = 0; i < 64; i++) {
          grey.getRaster().setSample(i % 8, i / 8, 0, value);
        }
        for (Classification channel : classifier.classify(grey)) {
          assertEquals(100, channel.score(), 1e-3);
        }
      }
      BufferedImage white = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_BINARY);
      Graphics2D graphics = white.createGraphics();
      graphics.fillRect(0, 0, 8, 8);
      graphics.dispose();
      assertEquals(255, classifier.classify(white).get(0).score(), 1e-3);
    }
  }

  @Test
  public void partsOfImages() {
    try (ImageClassifier classifier = means()) {
      for (int type : new int[] {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_ARGB, BufferedImage.TYPE_3BYTE_BGR,
          BufferedImage.TYPE_4BYTE_ABGR, BufferedImage.TYPE_INT_ARGB_PRE}) {
        BufferedImage large = new BufferedImage(30, 20, type);
        BufferedImage small = painted(type);
        for (int i = 0; i < 64; i++) {
          large.setRGB(11 + i % 8, 7 + i / 8, small.getRGB(i % 8, i / 8));
        }
        assertEquals("type " + type, text(classifier.classify(small)),
            text(classifier.classify(large.getSubimage(11, 7, 8, 8))));
      }
    }
  }

  @Test
  public void listsKeepTheGoodOnes() {
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      List<ItemResult<List<Classification>>> files =
          classifier.classifyFiles(List.of(TestData.SEVEN, Path.of("/nowhere.png"), TestData.TWO), 1);
      assertEquals("seven", files.get(0).get().get(0).label());
      assertEquals("two", files.get(2).get().get(0).label());
      assertFalse(files.get(1).isOk());
      assertEquals(ErrorCode.NOT_FOUND, files.get(1).error().get().code());
      TestData.assertFails(ErrorCode.NOT_FOUND, () -> files.get(1).get(), "/nowhere.png");
      assertTrue(files.get(0).isOk() && files.get(0).error().isEmpty());

      List<ItemResult<List<Classification>>> encoded =
          classifier.classifyEncoded(List.of(new byte[] {1, 2}, TestData.bytes(TestData.TWO), new byte[0]), 1);
      assertEquals(ErrorCode.MALFORMED, encoded.get(0).error().get().code());
      assertEquals("two", encoded.get(1).get().get(0).label());
      assertFalse(encoded.get(2).isOk());

      assertEquals("two", classifier.classifyImages(List.of(TestData.read(TestData.TWO), TestData.read(TestData.SEVEN)), 1)
          .get(0).get().get(0).label());
      assertTrue(classifier.classifyImages(List.of(), 1).isEmpty());
      List<ItemResult<List<Classification>>> none = classifier.classifyEncoded(List.of(new byte[] {1}, new byte[] {2}), 1);
      assertTrue(!none.get(0).isOk() && !none.get(1).isOk());
      TestData.assertInvalid(() -> classifier.classifyImages(List.of(TestData.read(TestData.TWO)), -2), "-2");
    }
  }

  // The name is in UTF-8 on the disk, whatever Java makes of it.
  @Test
  public void namesOutsideOfAscii() throws Exception {
    Path folder = Files.createTempDirectory("mxinfer-test");
    Process copy = new ProcessBuilder("cp", TestData.TWO.toString(), folder + "/").start();
    assertEquals(0, copy.waitFor());
    Process rename = new ProcessBuilder("sh", "-c", "mv two.png \"$(printf 'zw\\303\\266lf.png')\"")
        .directory(folder.toFile()).start();
    assertEquals(0, rename.waitFor());
    Path listed;
    try (java.util.stream.Stream<Path> files = Files.list(folder)) {
      listed = files.findFirst().get();
    }
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      assertEquals("two", classifier.classify(listed, 1).get(0).label());
    }
    Files.delete(listed);
    Files.delete(folder);
  }

  @Test
  public void bytesOpenNoFile() {
    try (ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      byte[] path = TestData.SEVEN.toString().getBytes(StandardCharsets.UTF_8);
      TestData.assertFails(ErrorCode.MALFORMED, () -> classifier.classify(path, 1));
      TestData.assertFails(ErrorCode.NOT_FOUND, () -> classifier.classify(Path.of("/nowhere.png"), 1), "/nowhere.png");
    }
  }

  @Test
  public void pathsInOtherFileSystems() throws Exception {
    Path zip = Files.createTempDirectory("mxinfer-test").resolve("images.zip");
    try (FileSystem files = FileSystems.newFileSystem(java.net.URI.create("jar:" + zip.toUri()), Map.of("create", "true"));
        ImageClassifier classifier = new ImageClassifier(TestData.DIGITS)) {
      Path inside = files.getPath("/two.png");
      Files.copy(TestData.TWO, inside);
      assertEquals("two", classifier.classify(inside, 1).get(0).label());
      assertEquals("seven",
          classifier.classifyFiles(List.of(inside, TestData.SEVEN), 1).get(1).get().get(0).label());
      Path none = files.getPath("/none.png");
      TestData.assertFails(ErrorCode.NOT_FOUND, () -> classifier.classify(none, 1), "none.png");
      List<ItemResult<List<Classification>>> list = classifier.classifyFiles(List.of(none, inside), 1);
      assertEquals(ErrorCode.NOT_FOUND, list.get(0).error().get().code());
      assertEquals("two", list.get(1).get().get(0).label());
      list = classifier.classifyFilesAsync(List.of(inside, none), 1, SubmitOptions.DEFAULT).get();
      assertEquals("two", list.get(0).get().get(0).label());
      assertEquals(ErrorCode.NOT_FOUND, list.get(1).error().get().code());
      TestData.assertInvalid(() -> Model.loadFiles(files.getPath("/m-symbol.json"), null, new Options()), "m-symbol.json");
    }
    Files.delete(zip);
    Files.delete(zip.getParent());
  }

  @Test
  public void detectionsFromFilesBytesAndPixels() {
    try (ObjectDetector detector = new ObjectDetector(TestData.SSD, SSD_OPTIONS)) {
      List<Detection> found = detector.detect(TestData.TWO, 0, 0);
      assertFalse(found.isEmpty());
      assertEquals(text(found), text(detector.detect(TestData.bytes(TestData.TWO), 0, 0)));
      assertEquals(text(found), text(detector.detect(TestData.read(TestData.TWO), 0, 0)));
      assertEquals(List.of(text(found.get(0))), List.of(text(detector.detect(TestData.TWO, 0, 1).get(0))));
      Detection best = found.get(0);
      assertTrue(best.getXMin() <= best.getXMax() && best.getYMin() <= best.getYMax());
      assertTrue(best.getProbability() > 0 && best.getProbability() <= 1);
      assertFalse(best.getClassName().isEmpty());
      assertTrue(best.getIndex() >= 0);
      for (Detection object : detector.detect(TestData.TWO)) {
        assertTrue(object.getProbability() >= ObjectDetector.DEFAULT_THRESHOLD);
      }
      assertEquals(detector.detect(TestData.TWO).size(), detector.detect(TestData.bytes(TestData.TWO)).size());
      assertEquals(detector.detect(TestData.TWO).size(), detector.detect(TestData.read(TestData.TWO)).size());
      assertTrue(detector.detect(TestData.TWO, 1.1f, 0).isEmpty());
      TestData.assertInvalid(() -> detector.detect(TestData.TWO, 0, -1), "-1");
      TestData.assertInvalid(() -> detector.detect(TestData.TWO, Float.NaN, 0));
    }
  }

  @Test
  public void detectionsAsOptionsSay() {
    try (ObjectDetector detector = new ObjectDetector(TestData.SSD, SSD_OPTIONS)) {
      List<Detection> all = detector.detect(TestData.TWO, 0, 0);
      assertEquals(0, all.get(0).getLandmarks().length);
      String first = Integer.toString(all.get(0).getIndex());
      DetectOptions any = DetectOptions.DEFAULT.withThreshold(0);
      assertEquals(text(all), text(detector.detect(TestData.TWO, any)));
      DetectOptions one = any.withClasses(first);
      List<Detection> found = detector.detect(TestData.TWO, one);
      assertEquals(all.stream().filter(object -> object.getIndex() == all.get(0).getIndex()).count(), found.size());
      assertEquals(text(found), text(detector.detect(TestData.read(TestData.TWO), one)));
      assertEquals(text(found), text(detector.detect(TestData.bytes(TestData.TWO), one)));
      assertEquals(text(found), text(detector.detectFiles(List.of(TestData.TWO), one).get(0).get()));
      assertTrue(detector.detect(TestData.TWO, one.withClassThreshold(first, 1.1f)).isEmpty());
      NmsOptions nms = NmsOptions.DEFAULT.withIouThreshold(0).acrossClasses();
      List<Detection> apart = detector.detect(TestData.TWO, any.withNms(nms));
      assertTrue(apart.size() < all.size());
      assertEquals(1, detector.detect(TestData.TWO, any.withNms(nms).withMaxDetections(1)).size());
      nms = nms.withMethod(NmsOptions.Method.GAUSSIAN).withSigma(0.1f).withOverlap(NmsOptions.Overlap.MIN);
      assertEquals(all.size(), detector.detect(TestData.TWO, any.withNms(nms)).size());
      NmsOptions wrong = nms.withSigma(0);
      TestData.assertInvalid(() -> detector.detect(TestData.TWO, any.withNms(wrong)), "sigma");
      TestData.assertInvalid(() -> detector.detect(TestData.TWO, any.withClasses("unicorn")), "unicorn");
    }
  }

  @Test
  public void reportsSayWhatBecameOfRows() {
    try (ObjectDetector detector = new ObjectDetector(TestData.SSD, SSD_OPTIONS)) {
      DetectReport report = detector.report(TestData.TWO, DetectOptions.DEFAULT.withThreshold(1.1f));
      assertTrue(report.detections().isEmpty());
      assertTrue(report.candidates() > 0 && report.rows() >= report.candidates());
      assertEquals(report.candidates(), report.belowThreshold() + report.nanScores());
      assertEquals(10, report.histogram().length);
      assertTrue(report.best().get(0).score() > 0);
      assertTrue(report.toString().startsWith("0 of "));
      DetectOptions any = DetectOptions.DEFAULT.withThreshold(0);
      assertEquals(text(detector.detect(TestData.TWO, any)),
          text(detector.report(TestData.bytes(TestData.TWO), any).detections()));
      assertEquals(text(detector.detect(TestData.TWO, any)),
          text(detector.report(TestData.read(TestData.TWO), any).detections()));
    }
  }

  @Test
  public void detectionsOfLists() {
    try (Model model = Model.load(TestData.SSD); ObjectDetector detector = new ObjectDetector(model, SSD_OPTIONS)) {
      List<ItemResult<List<Detection>>> files =
          detector.detectFiles(List.of(TestData.TWO, Path.of("/nowhere.png")), 0, 2);
      assertEquals(2, files.get(0).get().size());
      assertEquals(ErrorCode.NOT_FOUND, files.get(1).error().get().code());
      assertEquals(text(files.get(0).get()), text(detector.detectEncoded(List.of(TestData.bytes(TestData.TWO)), 0, 2).get(0).get()));
      assertEquals(text(files.get(0).get()), text(detector.detectImages(List.of(TestData.read(TestData.TWO)), 0, 2).get(0).get()));
      BufferedImage two = TestData.read(TestData.TWO);
      assertEquals(text(files.get(0).get()), text(detector.imageObjectDetect(two, 2).get(0)));
      assertEquals(2, detector.imageBatchObjectDetect(List.of(two, two), 2).size());
    }
  }
}
