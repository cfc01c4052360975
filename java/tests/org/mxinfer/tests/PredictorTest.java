package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;
import org.mxinfer.BatchResult;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.ErrorCode;
import org.mxinfer.Model;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.PredictorStats;
import org.mxinfer.Shape;
import org.mxinfer.Tensor;

public class PredictorTest {
  @Test
  public void modelsAreLoadedFromEverywhere() {
    Path folder = Path.of(TestData.DIGITS);
    Path symbol = folder.resolve("digits-symbol.json");
    Path params = folder.resolve("digits-0000.params");
    byte[] json = TestData.bytes(symbol);
    try (Model prefix = Model.load(TestData.DIGITS);
        Model bundle = Model.load(TestData.BUNDLE.toString(), new Options());
        Model files = Model.loadFiles(symbol, params, new Options());
        Model memory = Model.loadMemory(json, TestData.bytes(params), new Options());
        Model archive = Model.loadArchive(TestData.bytes(TestData.BUNDLE), new Options())) {
      assertEquals("seven", prefix.labels().get(7));
      assertEquals(prefix.labels(), bundle.labels());
      assertEquals(bundle.labels(), archive.labels());
      assertEquals(DType.FLOAT32, files.inputs().get(0).dtype());
      assertEquals(prefix.inputs().get(0).toString(), memory.inputs().get(0).toString());
      assertEquals(Shape.of(-1, 10), prefix.outputs().get(0).shape());
      assertEquals("image", bundle.inputs().get(0).meaning());
      assertFalse(prefix.inputs().get(0).isGuess());
      assertFalse(prefix.inputs().get(0).isOptional());
      assertTrue(prefix.name().contains("digits"));
      assertTrue(prefix.warnings().isEmpty());
      assertTrue(memory.memory().storedWeights() > 100_000);
    }
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> Model.load("/nowhere/at-all"), "/nowhere/at-all");
    TestData.assertFails(ErrorCode.MALFORMED, () -> Model.loadMemory(new byte[] {'{'}, null, new Options()));
    TestData.assertFails(ErrorCode.NOT_FOUND, () -> Model.loadFiles(symbol, Path.of("/no.params"), new Options()));
    TestData.assertInvalid(() -> Model.load("a\0b"), "character 0");
  }

  @Test
  public void flatArraysOneSampleOrMany() {
    try (Predictor predictor = new Predictor(TestData.DIGITS)) {
      float[] one = predictor.predict(TestData.sample(1))[0];
      float[] both = predictor.predict(TestData.samples(2))[0];
      assertEquals(10, one.length);
      assertEquals(20, both.length);
      assertArrayEquals(one, Arrays.copyOfRange(both, 10, 20), 1e-5f);
      assertArrayEquals(one, predictor.predictFlat(List.of(TestData.sample(1))).get(0).toFloatArray(), 0);
      TestData.assertInvalid(() -> predictor.predict(new float[3]), "data", "3", "1024");
      TestData.assertInvalid(() -> predictor.predict(new float[1024], new float[1024]), "2", "1");
      TestData.assertInvalid(() -> predictor.predict(new double[1024]), "float64", "float32");
      TestData.assertInvalid(() -> predictor.predictFlat(List.of("text")), "String");
      TestData.assertInvalid(() -> predictor.predictFlat(List.of()), "data");
    }
  }

  @Test
  public void tensorsInOrderAndByName() {
    try (Predictor predictor = new Predictor(TestData.DIGITS)) {
      float[] expected = predictor.predict(TestData.sample(3))[0];
      Tensor input = Tensor.of(TestData.sample(3), 1, 1, 32, 32);
      List<Tensor> outputs = predictor.predict(List.of(input));
      assertEquals(predictor.outputs().get(0).name(), outputs.get(0).name());
      assertEquals(Shape.of(1, 10), outputs.get(0).shape());
      assertArrayEquals(expected, outputs.get(0).toFloatArray(), 0);
      assertArrayEquals(expected, predictor.predict(List.of(input.named("data"))).get(0).toFloatArray(), 0);
      assertArrayEquals(expected, predictor.predict(Map.of("data", input)).get(0).toFloatArray(), 0);
      TestData.assertInvalid(() -> predictor.predict(Map.of("dat", input)), "dat", "data");
      TestData.assertInvalid(() -> predictor.predict(List.of(Tensor.of(new float[4], 2, 2))), "data", "(2, 2)");
      TestData.assertInvalid(() -> predictor.predict(List.of(input, input)));
      TestData.assertInvalid(() -> predictor.predict(List.of()));
    }
  }

  @Test
  public void everyTypeOfArray() {
    try (Model model = TestData.sum(DType.FLOAT64); Predictor predictor = new Predictor(model)) {
      double[][] sum = predictor.predict(new double[] {1, 2, 3}, new double[] {10, 20, 30});
      assertArrayEquals(new double[] {11, 22, 33}, sum[0], 0);
      TestData.assertInvalid(() -> predictor.predict(new float[3], new float[3]), "float32", "float64");
    }
    Object[][] arrays = {{DType.FLOAT32, new float[] {1, 2, 3}}, {DType.INT32, new int[] {1, 2, 3}},
        {DType.INT64, new long[] {1, 2, 3}}, {DType.UINT8, new byte[] {1, 2, 3}}, {DType.INT8, new byte[] {1, 2, 3}}};
    for (Object[] of : arrays) {
      try (Model model = TestData.sum((DType) of[0]); Predictor predictor = new Predictor(model)) {
        Tensor sum = predictor.predictFlat(List.of(of[1], of[1])).get(0);
        assertEquals(of[0], sum.dtype());
        assertEquals(2, sum.dtype() == DType.FLOAT32 ? (int) sum.toFloatArray()[0] : sum.buffer().get(0));
        if (of[0] == DType.INT32) {
          TestData.assertInvalid(() -> Predictor.class.cast(predictor).predict(new float[3], new float[3]));
        }
      }
    }
  }

  @Test
  public void resultsOfOtherTypesAreTold() {
    try (Model model = TestData.sum(DType.INT32); Predictor predictor = new Predictor(model)) {
      Tensor ints = Tensor.of(new int[] {1, 2, 3}, 1, 3);
      assertArrayEquals(new int[] {2, 4, 6}, predictor.predict(List.of(ints, ints)).get(0).toIntArray());
      assertArrayEquals(new int[] {2, 4, 6},
          predictor.predict(List.of(ints.named("b"), ints.named("a"))).get(0).toIntArray());
      TestData.assertInvalid(() -> predictor.predict(List.of(ints.named("a"), ints)), "names");
    }
  }

  @Test
  public void predictIntoWritesToTheCallersMemory() {
    try (Predictor predictor = new Predictor(TestData.DIGITS)) {
      Tensor output = Tensor.allocate(DType.FLOAT32, 2, 10);
      Tensor input = Tensor.of(TestData.samples(2), 2, 1, 32, 32);
      predictor.predictInto(List.of(input), List.of(output));
      assertArrayEquals(predictor.predict(TestData.samples(2))[0], output.toFloatArray(), 0);
      Tensor wrong = Tensor.allocate(DType.FLOAT32, 2, 9);
      TestData.assertInvalid(() -> predictor.predictInto(List.of(input), List.of(wrong)), "(2, 9)");
      TestData.assertInvalid(() -> predictor.predictInto(List.of(input), List.of()));
      ByteBuffer readOnly = output.buffer().asReadOnlyBuffer().order(java.nio.ByteOrder.nativeOrder());
      TestData.assertInvalid(
          () -> predictor.predictInto(List.of(input), List.of(Tensor.of(readOnly, DType.FLOAT32, 2, 10))), "read-only");
    }
  }

  @Test
  public void listsOfItemsKeepTheGoodOnes() {
    try (Predictor predictor = new Predictor(TestData.BUNDLE.toString())) {
      byte[] two = TestData.bytes(TestData.TWO);
      assertEquals(DType.UINT8, predictor.inputs().get(0).dtype());
      Tensor image = Tensor.of(new byte[40 * 30], 40, 30, 1);
      Tensor other = Tensor.of(new byte[64 * 64], 64, 64, 1);
      BatchResult all = predictor.predictList(List.of(image, other));
      assertEquals(2, all.outputs().get(0).shape().get(0));
      assertFalse(all.errors().get(0).isPresent());
      Tensor wrong = Tensor.of(two);
      BatchResult some = predictor.predictList(List.of(image, wrong));
      assertFalse(some.errors().get(0).isPresent());
      assertTrue(some.errors().get(1).isPresent());
      float[] scores = some.outputs().get(0).toFloatArray();
      assertTrue(Float.isNaN(scores[10]));
      assertFalse(Float.isNaN(scores[0]));
    }
  }

  @Test
  public void shapesMayChangeMeanwhile() throws Exception {
    try (Predictor predictor = new Predictor(TestData.DIGITS)) {
      Map<String, Shape> shapes = new ConcurrentHashMap<>(Map.of("data", Shape.of(2, 1, 32, 32)));
      AtomicBoolean done = new AtomicBoolean();
      Thread other = new Thread(() -> {
        while (!done.get()) {
          shapes.remove("data");
          shapes.put("data", Shape.of(2, 1, 32, 32));
        }
      });
      other.start();
      for (int i = 0; i < 20_000; i++) {
        long batch = predictor.outputShapes(shapes).get(0).shape().get(0);
        assertTrue(batch == 1 || batch == 2);
      }
      done.set(true);
      other.join();
      TestData.assertInvalid(() -> predictor.outputShapes(Map.of("data\0x", Shape.of(1))), "character 0");
    }
  }

  @Test
  public void itTellsOfItself() {
    try (Predictor predictor = new Predictor(TestData.DIGITS, List.of(new DataDesc("data", Shape.of(-1, 1, 32, 32))))) {
      Map<String, Shape> four = Map.of("data", Shape.of(4, 1, 32, 32));
      assertEquals(Shape.of(4, 10), predictor.outputShapes(four).get(0).shape());
      assertEquals(Shape.of(1, 10), predictor.outputShapes(Map.of()).get(0).shape());
      assertEquals(Shape.of(4, 1, 32, 32), predictor.inputShapes(four).get(0).shape());
      predictor.warmup(four);
      PredictorStats stats = predictor.stats();
      assertEquals(1, stats.calls());
      assertTrue(stats.plans() >= 1);
      assertEquals(stats.plansMade(), stats.plans());
      assertTrue(stats.planMisses() >= 1);
      assertEquals(0, stats.running());
      assertEquals(1, stats.idleExecutors());
      assertTrue("executors " + stats.executorBytes(), stats.executorBytes() > 0);
      assertTrue("weights " + stats.weightBytes(), stats.weightBytes() > 0);
      assertTrue(predictor.memory().idleWorkspaces() > 0);
      assertTrue(predictor.memory().workspaces() > 0 && predictor.memory().plans() > 0);
      assertTrue(predictor.memory().packedWeights() >= 0);
      assertTrue(predictor.trim() > 0);
      assertTrue(predictor.warnings().isEmpty());
      assertTrue(predictor.explain(four).contains("Convolution"));
      assertTrue(predictor.prometheus("model=\"digits\"", true).contains("model=\"digits\""));
      TestData.assertInvalid(() -> predictor.outputShapes(Map.of("x", Shape.of(1))), "x");
      TestData.assertInvalid(() -> predictor.warmup(Map.of("data", Shape.of(1, 2))), "(1, 2)");
      try (Model model = predictor.model()) {
        assertEquals(10, model.labels().size());
      }
    }
  }
}
