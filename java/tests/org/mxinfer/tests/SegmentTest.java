package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.Test;
import org.mxinfer.Box;
import org.mxinfer.Detection;
import org.mxinfer.DrawOptions;
import org.mxinfer.Drawing;
import org.mxinfer.ErrorCode;
import org.mxinfer.FaceEmbedder;
import org.mxinfer.Faces;
import org.mxinfer.ImageSegmenter;
import org.mxinfer.ItemResult;
import org.mxinfer.KeypointDetector;
import org.mxinfer.Model;
import org.mxinfer.MxinferException;
import org.mxinfer.ObjectDetector;
import org.mxinfer.Options;
import org.mxinfer.Pose;
import org.mxinfer.PoseOptions;
import org.mxinfer.SegmentArea;
import org.mxinfer.SegmentOptions;
import org.mxinfer.Segmentation;
import org.mxinfer.SubmitOptions;

/** Labels of pixels, key points and vectors of faces, by networks whose outputs are the channels of their images. */
public class SegmentTest {
  private static final SegmentOptions SMOOTH = SegmentOptions.DEFAULT;

  private static String network(String op, String attrs, String shape) {
    return "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"attrs\": {\"__shape__\": \"" + shape + "\"}, \"inputs\": []},"
        + "{\"op\": \"" + op + "\", \"name\": \"out\", \"attrs\": {" + attrs + "}, \"inputs\": [[0, 0, 0]]}],"
        + "\"arg_nodes\": [0], \"heads\": [[1, 0, 0]], \"attrs\": {\"mxnet_version\": [\"int\", 10901]}}";
  }

  static Model copying() {
    return Model.loadMemory(network("_copy", "", "(0, 3, 16, 32)").getBytes(StandardCharsets.UTF_8), null,
        new Options().labels(List.of("red", "green", "blue")));
  }

  /** The vector of an image is the mean of each channel. */
  static Model averaging() {
    return Model.loadMemory(network("mean", "\"axis\": \"(2, 3)\"", "(0, 3, 8, 8)").getBytes(StandardCharsets.UTF_8), null,
        new Options());
  }

  /** A quarter red, the rest green. */
  private static BufferedImage halves(int height, int width) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        image.setRGB(x, y, x < width / 4 ? 0xc81414 : 0x14c814);
      }
    }
    return image;
  }

  private static byte[] png(BufferedImage image) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static void assertHalves(Segmentation found) {
    assertEquals(64, found.width());
    assertEquals(48, found.height());
    for (int y = 0; y < 48; y++) {
      for (int x = 0; x < 64; x++) {
        assertEquals(x < 16 ? 0 : 1, found.label(x, y));
      }
    }
    assertEquals(List.of("green 0.75", "red 0.25").toString(), found.areas().toString());
    SegmentArea green = found.areas().get(0);
    assertEquals(1, green.index());
    assertEquals(48 * 48, green.pixels());
  }

  @Test
  public void everyPixelGetsALabel() throws Exception {
    Path file = Files.createTempFile("halves", ".png");
    byte[] encoded = png(halves(48, 64));
    Files.write(file, encoded);
    try (Model model = copying(); ImageSegmenter segmenter = new ImageSegmenter(model, new Options().threads(1))) {
      assertHalves(segmenter.segment(halves(48, 64)));
      assertHalves(segmenter.segment(file));
      assertHalves(segmenter.segment(file.toUri()));
      assertHalves(segmenter.segment(encoded));
      for (List<ItemResult<Segmentation>> results : List.of(
          segmenter.segmentImages(List.of(halves(48, 64), new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY)), SMOOTH),
          segmenter.segmentFiles(List.of(file, TestData.TWO), SMOOTH),
          segmenter.segmentUris(List.of(file.toUri(), TestData.TWO.toUri()), SMOOTH),
          segmenter.segmentEncoded(List.of(encoded, encoded), SMOOTH))) {
        assertEquals(2, results.size());
        assertHalves(results.get(0).get());
      }
      assertHalves(segmenter.segmentAsync(halves(48, 64), SMOOTH, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS));
      assertHalves(segmenter.segmentAsync(file, SMOOTH, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS));
      assertHalves(segmenter.segmentAsync(file.toUri(), SMOOTH, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS));
      assertHalves(segmenter.segmentAsync(encoded, SMOOTH, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS));
      assertHalves(segmenter.segmentFilesAsync(List.of(file), SMOOTH, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS)
          .get(0).get());
      assertEquals("data", segmenter.inputs().get(0).name());
      assertEquals(List.of(), segmenter.segmentFiles(List.of(), SMOOTH));
    } finally {
      Files.delete(file);
    }
  }

  @Test
  public void whatScoresTooLittleIsUnknown() {
    try (Model model = copying(); ImageSegmenter segmenter = new ImageSegmenter(model, new Options())) {
      Segmentation unsure = segmenter.segment(halves(48, 64), SMOOTH.withMinScore(201));
      assertEquals(List.of(), unsure.areas());
      for (byte label : unsure.labels()) {
        assertEquals(Segmentation.UNKNOWN, label & 0xff);
      }
      assertHalves(segmenter.segment(halves(48, 64), SMOOTH.withMinScore(199).withSmooth(false)));
      TestData.assertInvalid(() -> segmenter.segment(halves(4, 4), SMOOTH.withMinScore(Float.NaN)));
    }
    TestData.assertInvalid(() -> new ImageSegmenter(TestData.DIGITS), "pixels");
    TestData.assertInvalid(() -> new ImageSegmenter(copying(), new Options().minScore(1)), "min_score");
  }

  @Test
  public void wrongImagesCostTheOthersNothing() throws Exception {
    try (Model model = copying(); ImageSegmenter segmenter = new ImageSegmenter(model, new Options())) {
      List<Path> paths = List.of(TestData.TWO, Path.of("nowhere.png"));
      List<ItemResult<Segmentation>> results = segmenter.segmentFiles(paths, SMOOTH);
      assertTrue(results.get(0).isOk());
      assertEquals(ErrorCode.NOT_FOUND, results.get(1).error().get().code());
      results = segmenter.segmentFilesAsync(paths, SMOOTH, SubmitOptions.DEFAULT).get(60, TimeUnit.SECONDS);
      assertTrue(results.get(0).isOk());
      assertEquals(ErrorCode.NOT_FOUND, results.get(1).error().get().code());
      results = segmenter.segmentUris(List.of(URI.create("two.png"), TestData.TWO.toUri()), SMOOTH);
      assertFalse(results.get(0).isOk());
      assertTrue(results.get(1).isOk());
      TestData.assertFails(ErrorCode.MALFORMED, () -> segmenter.segment(new byte[] {1, 2, 3}));
    }
  }

  @Test
  public void labelsAreAnImageWithColours() {
    try (Model model = copying(); ImageSegmenter segmenter = new ImageSegmenter(model, new Options())) {
      BufferedImage labels = segmenter.segment(halves(48, 64)).toImage();
      assertEquals(0xff000000, labels.getRGB(0, 0));
      assertEquals(0xff800000, labels.getRGB(63, 0));
      assertEquals(1, labels.getRaster().getSample(63, 0, 0));
      BufferedImage unknown = segmenter.segment(halves(4, 4), SMOOTH.withMinScore(201)).toImage();
      assertEquals(0xffe0e0c0, unknown.getRGB(0, 0));
    }
  }

  private static BufferedImage dot() {
    BufferedImage image = new BufferedImage(100, 60, BufferedImage.TYPE_INT_RGB);
    for (int x = 40; x < 43; x++) {
      image.setRGB(x, 20, 0xff0000);
      image.setRGB(x, 21, 0xff0000);
    }
    return image;
  }

  @Test
  public void pointsAreInPixelsOfTheImage() throws Exception {
    PoseOptions exact = PoseOptions.DEFAULT.withBoxScale(1);
    try (Model model = copying(); KeypointDetector network = new KeypointDetector(model, new Options())) {
      List<Box> boxes = List.of(new Box(30, 10, 62, 26), new Box(0, 0, 100, 60));
      List<Pose> poses = network.detectKeypoints(dot(), boxes, exact);
      assertEquals("red 255.0 at (40.0, 20.0)", poses.get(0).points().get(0).toString());
      assertEquals(41, poses.get(1).points().get(0).x(), 4);
      assertEquals(100, poses.get(1).box().right(), 0);
      assertEquals(1, poses.get(1).score(), 0);
      assertEquals(6, poses.get(1).coordinates().length);
      String whole = poses.get(1).points().toString();
      assertEquals(whole, network.detectKeypoints(dot(), exact).points().toString());
      assertEquals(whole, network.detectKeypoints(png(dot()), exact).points().toString());
      assertEquals(List.of(), network.detectKeypoints(dot(), List.of(), exact));
      Pose quarter = network.detectKeypoints(dot(), boxes, exact.withPeak(PoseOptions.Peak.QUARTER)).get(0);
      assertEquals("red 255.0 at (40.25, 20.25)", quarter.points().get(0).toString());
      TestData.assertInvalid(() -> network.detectKeypoints(dot(), List.of(new Box(200, 0, 300, 10)), exact), "box 0");
      TestData.assertInvalid(() -> network.detectKeypoints(dot(), boxes, exact.withBoxScale(0)));
    }
    TestData.assertInvalid(() -> new KeypointDetector(copying(), new Options().applyExif(false)), "apply_exif");
    TestData.assertInvalid(() -> new KeypointDetector(copying(), new Options().minScore(1)), "min_score");
  }

  @Test
  public void aDetectorFindsTheObjects() {
    Path scene = TestData.SOURCE.resolve("models/digit_detector/scenes/08.jpg");
    try (Model model = copying(); KeypointDetector network = new KeypointDetector(model, new Options());
        ObjectDetector digits = new ObjectDetector(TestData.SOURCE.resolve("models/digit_detector").toString())) {
      List<Detection> all = digits.detect(scene);
      List<Pose> poses = network.detectKeypoints(scene, digits, PoseOptions.DEFAULT.withClasses());
      assertEquals(all.size(), poses.size());
      assertEquals(all.get(0).getProbability(), poses.get(0).score(), 0);
      assertEquals(all.get(0).getXMin(), poses.get(0).box().left(), 0);
      assertEquals(1, network.detectKeypoints(scene, digits,
          PoseOptions.DEFAULT.withClasses().withScoreThreshold(0.1f).withMaxObjects(1)).size());
      TestData.assertInvalid(() -> network.detectKeypoints(scene, digits, PoseOptions.DEFAULT), "person");
      digits.close();
      TestData.assertThrows(IllegalStateException.class,
          () -> network.detectKeypoints(scene, digits, PoseOptions.DEFAULT));
    }
  }

  @Test
  public void facesAreAlignedAndCompared() {
    float[] places = Faces.faceTemplate(112);
    assertEquals(10, places.length);
    assertEquals(38.2946f, places[0], 1e-3);
    float[] moved = places.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] += 5;
    }
    BufferedImage photo = halves(130, 130);
    BufferedImage face = Faces.alignFace(photo, moved, 112);
    assertEquals(112, face.getWidth());
    assertEquals(photo.getRGB(10, 10), face.getRGB(5, 5));
    assertEquals(photo.getRGB(100, 100), face.getRGB(95, 95));
    assertEquals(BufferedImage.TYPE_BYTE_GRAY,
        Faces.alignFace(new BufferedImage(130, 130, BufferedImage.TYPE_BYTE_GRAY), moved, 56).getType());
    assertEquals(1, Faces.cosineSimilarity(new float[] {1, 2}, new float[] {2, 4}), 1e-6);
    assertEquals(0, Faces.cosineSimilarity(new float[] {1, 0}, new float[] {0, 4}), 0);
    assertArrayEquals(new float[] {0.6f, 0.8f}, Faces.normalize(new float[] {3, 4}), 1e-6f);
    TestData.assertInvalid(() -> Faces.cosineSimilarity(new float[] {1}, new float[] {1, 2}));
    TestData.assertInvalid(() -> Faces.alignFace(photo, new float[9], 112), "9 numbers");
    TestData.assertInvalid(() -> Faces.alignFace(photo, new float[10], 112));
    TestData.assertInvalid(() -> Faces.faceTemplate(0));
  }

  private static BufferedImage plain(int rgb) {
    BufferedImage image = new BufferedImage(20, 20, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 400; i++) {
      image.setRGB(i % 20, i / 20, rgb);
    }
    return image;
  }

  @Test
  public void facesHaveVectors() throws Exception {
    float[] expected = {0.48f, 0.64f, 0.6f};
    BufferedImage image = plain(0x607c78);  // 96, 124, 120
    double length = Math.sqrt(96 * 96 + 124 * 124 + 120 * 120);
    expected = new float[] {(float) (96 / length), (float) (124 / length), (float) (120 / length)};
    try (Model model = averaging(); FaceEmbedder embedder = new FaceEmbedder(model, new Options(), true);
        FaceEmbedder raw = new FaceEmbedder(model, new Options(), false)) {
      assertArrayEquals(expected, embedder.embed(image), 1e-5f);
      assertArrayEquals(expected, embedder.embed(png(image)), 1e-5f);
      assertArrayEquals(new float[] {96, 124, 120}, raw.embed(image), 1e-3f);
      assertEquals(3, embedder.embed(TestData.TWO).length);
      assertEquals(3, embedder.embed(TestData.TWO.toUri()).length);
      List<ItemResult<float[]>> results = embedder.embedFiles(List.of(TestData.TWO, Path.of("nowhere.png")));
      assertArrayEquals(embedder.embed(TestData.TWO), results.get(0).get(), 1e-5f);
      assertEquals(ErrorCode.NOT_FOUND, results.get(1).error().get().code());
      assertTrue(embedder.embedImages(List.of(image)).get(0).isOk());
      assertTrue(embedder.embedEncoded(List.of(png(image))).get(0).isOk());
      assertTrue(embedder.embedUris(List.of(TestData.TWO.toUri())).get(0).isOk());
      float[] landmarks = Faces.faceTemplate(20);
      float[] vector = embedder.embed(image, landmarks);
      assertEquals(1, Faces.cosineSimilarity(expected, vector), 1e-4);
      assertEquals(2, embedder.embedFaces(image, List.of(landmarks, landmarks)).size());
      assertEquals(List.of(), embedder.embedFaces(image, List.of()));
      TestData.assertInvalid(() -> embedder.embed(image, new float[3]), "3 numbers");
    }
    TestData.assertInvalid(() -> new FaceEmbedder(averaging(), new Options().activation("softmax"), true), "activation");
  }

  @Test
  public void whatWasFoundIsDrawn() {
    BufferedImage scene = TestData.read(TestData.SOURCE.resolve("models/digit_detector/scenes/08.jpg"));
    int before = scene.getRGB(0, 0);
    try (ObjectDetector digits = new ObjectDetector(TestData.SOURCE.resolve("models/digit_detector").toString())) {
      List<Detection> found = digits.detect(scene);
      BufferedImage drawn = Drawing.draw(scene, found, DrawOptions.DEFAULT.withColors(java.awt.Color.RED));
      assertEquals(scene.getWidth(), drawn.getWidth());
      int x = Math.round(found.get(0).getXMin()) + 1;
      int y = Math.round((found.get(0).getYMin() + found.get(0).getYMax()) / 2);
      boolean red = false;
      for (int near = x - 3; near <= x + 3; near++) {
        red |= near >= 0 && drawn.getRGB(near, y) == 0xffff0000;
      }
      assertTrue("the box is red", red);
      assertEquals(before, scene.getRGB(0, 0));
    }
    BufferedImage black = plain(0);
    DrawOptions white = DrawOptions.DEFAULT.withColors(java.awt.Color.WHITE).withLabels(false).withScores(false)
        .withTextScale(1);
    assertEquals(0xffffffff, Drawing.drawPoints(black, new float[] {10.5f, 10.5f}, white).getRGB(10, 10));
    float[] ends = {2.5f, 10.5f, 17.5f, 10.5f};
    assertEquals(0xffffffff,
        Drawing.drawSkeleton(black, ends, new int[] {0, 1}, white.withLineWidth(3)).getRGB(10, 10));
    TestData.assertInvalid(() -> Drawing.drawSkeleton(black, ends, new int[] {0, 2}, white));
    TestData.assertInvalid(() -> Drawing.drawPoints(black, new float[3], white), "3 numbers");
    TestData.assertInvalid(() -> Drawing.draw(black, List.of(), white.withLineWidth(-1)));
    try (Model model = copying(); ImageSegmenter segmenter = new ImageSegmenter(model, new Options())) {
      Segmentation labels = segmenter.segment(halves(48, 64));
      BufferedImage blended = Drawing.blendLabels(halves(48, 64), labels, 1, 0);
      assertEquals(halves(48, 64).getRGB(0, 0), blended.getRGB(0, 0));
      assertNotEquals(halves(48, 64).getRGB(63, 0), blended.getRGB(63, 0));
      TestData.assertInvalid(() -> Drawing.blendLabels(black, labels, 1, 0));
    }
  }

  /** What was submitted ends with its result, or is told that it was cancelled. */
  @Test
  public void closingEndsWhatWasSubmitted() throws Exception {
    byte[] encoded = png(halves(48, 64));
    for (int round = 0; round < 20; round++) {
      List<CompletableFuture<Segmentation>> futures = new ArrayList<>();
      try (Model model = copying();
          ImageSegmenter segmenter = new ImageSegmenter(model, new Options().threads(1).workers(2))) {
        for (int i = 0; i < 16; i++) {
          futures.add(i % 2 == 0 ? segmenter.segmentAsync(encoded, SMOOTH, SubmitOptions.DEFAULT)
              : segmenter.segmentAsync(halves(48, 64), SMOOTH, SubmitOptions.DEFAULT));
        }
      }
      for (CompletableFuture<Segmentation> future : futures) {
        try {
          assertHalves(future.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
          assertEquals(ErrorCode.CANCELLED, ((MxinferException) e.getCause()).code());
        }
      }
    }
  }

  @Test
  public void closedOnesSaySo() {
    Model model = copying();
    ImageSegmenter segmenter = new ImageSegmenter(model, new Options());
    KeypointDetector points = new KeypointDetector(model, new Options());
    FaceEmbedder embedder = new FaceEmbedder(averaging(), new Options(), true);
    model.close();
    assertHalves(segmenter.segment(halves(48, 64)));
    segmenter.close();
    segmenter.close();
    points.close();
    embedder.close();
    for (TestData.Work call : List.<TestData.Work>of(() -> segmenter.segment(TestData.TWO),
        () -> segmenter.segmentFiles(List.of(TestData.TWO), SMOOTH), segmenter::stats,
        () -> segmenter.segmentAsync(TestData.TWO, SMOOTH, SubmitOptions.DEFAULT),
        () -> points.detectKeypoints(dot(), PoseOptions.DEFAULT), () -> embedder.embed(dot()))) {
      TestData.assertThrows(IllegalStateException.class, call);
    }
  }
}
