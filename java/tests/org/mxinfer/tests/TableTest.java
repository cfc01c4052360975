package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.mxinfer.Classifier;
import org.mxinfer.DataDesc;
import org.mxinfer.DetectOptions;
import org.mxinfer.Model;
import org.mxinfer.ObjectDetector;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.Shape;
import org.mxinfer.TableOptions;
import org.mxinfer.TablePredictor;

/** Tables as structs of Arrow's C Data Interface. */
public class TableTest {
  /** Twice the number of a row. */
  private static Predictor doubling() {
    String symbol = "{\"nodes\":[{\"op\":\"null\",\"name\":\"x\",\"inputs\":[]},"
        + "{\"op\":\"_mul_scalar\",\"name\":\"twice\",\"attrs\":{\"scalar\":\"2\"},\"inputs\":[[0,0,0]]}],"
        + "\"arg_nodes\":[0],\"heads\":[[1,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}";
    Options options = new Options().inputs(List.of(new DataDesc("x", Shape.of(-1, 1))));
    try (Model model = Model.loadMemory(symbol.getBytes(StandardCharsets.UTF_8), null, options)) {
      return new Predictor(model, new Options().threads(1));
    }
  }

  @Test
  public void rowsBecomeResults() {
    try (Predictor predictor = doubling(); TablePredictor table = new TablePredictor(predictor, TableOptions.DEFAULT);
        ArrowFloats rows = new ArrowFloats(1, 2.5f, -3)) {
      predictor.close();
      table.resultSchema(rows.schema(), rows.resultSchema());
      assertEquals("twice_output f, error u", rows.described());
      table.predict(rows.schema(), rows.array(), rows.resultArray());
      assertArrayEquals(new float[] {2, 5, -6}, rows.resultFloats(), 0);
    }
  }

  @Test
  public void columnsAreNamed() {
    TableOptions named = TableOptions.DEFAULT.withColumns(Map.of("x", List.of("x"))).withErrors(TableOptions.Errors.FAIL)
        .withBatchRows(2);
    try (Predictor predictor = doubling(); TablePredictor table = new TablePredictor(predictor, named);
        TablePredictor other =
            new TablePredictor(predictor, TableOptions.DEFAULT.withColumns(Map.of("", List.of("missing"))));
        ArrowFloats rows = new ArrowFloats(1, 2, 3)) {
      table.resultSchema(rows.schema(), rows.resultSchema());
      assertEquals("twice_output f", rows.described());
      table.predict(rows.schema(), rows.array(), rows.resultArray());
      assertArrayEquals(new float[] {2, 4, 6}, rows.resultFloats(), 0);
      TestData.assertInvalid(() -> other.resultSchema(rows.schema(), rows.resultSchema()), "missing");
      TestData.assertInvalid(() -> table.predict(0, rows.array(), rows.resultArray()), "schema is 0");
      TestData.assertInvalid(() -> table.predict(rows.schema(), 0, rows.resultArray()), "array is 0");
      TestData.assertInvalid(() -> table.resultSchema(rows.schema(), 0), "result is 0");
      table.close();
      TestData.assertThrows(IllegalStateException.class,
          () -> table.resultSchema(rows.schema(), rows.resultSchema()));
    }
  }

  @Test
  public void whatStandsThereFollowsFromTheClass() {
    try (Classifier classifier = new Classifier(TestData.DIGITS); ArrowFloats rows = new ArrowFloats(1);
        TablePredictor table = new TablePredictor(classifier,
            TableOptions.DEFAULT.withTopK(3).withColumns(Map.of("data", List.of("x"))))) {
      TestData.assertInvalid(() -> table.resultSchema(rows.schema(), rows.resultSchema()), "'data'", "1024");
      TestData.assertInvalid(() -> new TablePredictor(classifier, TableOptions.DEFAULT.withTopK(-1)), "-1");
    }
    try (ObjectDetector detector = new ObjectDetector(TestData.SSD, new Options().height(48).width(48));
        TablePredictor table = new TablePredictor(detector,
            TableOptions.DEFAULT.withDetect(DetectOptions.DEFAULT.withMaxDetections(3).withClassThreshold("1", 0.5f)));
        ArrowFloats rows = new ArrowFloats(1)) {
      TestData.assertInvalid(() -> table.resultSchema(rows.schema(), rows.resultSchema()), "image");
    }
  }
}
