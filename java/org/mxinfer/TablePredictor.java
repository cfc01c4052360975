package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs a model on the rows of a table, an Arrow record batch, and returns columns of results. Pass tables as the
 * structs of Arrow's C Data Interface, by their addresses; mxinfer does not need Arrow's library.
 *
 * <pre>{@code
 * // With org.apache.arrow:arrow-c-data.
 * TablePredictor table = new TablePredictor(classifier, TableOptions.DEFAULT);
 * Data.exportVectorSchemaRoot(allocator, rows, provider, array, schema);
 * table.resultSchema(schema.memoryAddress(), resultSchema.memoryAddress());
 * table.predict(schema.memoryAddress(), array.memoryAddress(), resultArray.memoryAddress());
 * VectorSchemaRoot results = Data.importVectorSchemaRoot(allocator, resultArray, resultSchema, provider);
 * }</pre>
 *
 * <p>A classifier returns label, score and index, an ObjectDetector lists of detections, a Predictor a column for each
 * output. The last column is "error", which is null if the row is valid. docs/how-to/tables.md says which columns the
 * inputs take.
 *
 * <p>Any number of threads may use one object. You may close the predictor once this object is made. After {@link
 * #close()} the functions throw {@link IllegalStateException}.
 */
public final class TablePredictor implements AutoCloseable {
  private final NativeHandle handle;

  /**
   * Makes a table predictor from a predictor, whose class determines the columns of results.
   *
   * @param predictor a Predictor, Classifier, ImageClassifier, ObjectDetector or TextClassifier
   * @param options columns, results, errors
   * @throws MxinferException INVALID_ARGUMENT: options that contradict the model; UNSUPPORTED: a model whose inputs or
   *     outputs do not have the batch as their first dimension
   */
  public TablePredictor(Predictor predictor, TableOptions options) {
    Objects.requireNonNull(predictor, "predictor");
    Objects.requireNonNull(options, "options");
    List<String> inputs = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    int[] counts = new int[options.columns.size()];
    for (Map.Entry<String, List<String>> entry : options.columns.entrySet()) {
      counts[inputs.size()] = Objects.requireNonNull(entry.getValue(), "the columns of an input").size();
      inputs.add(entry.getKey());
      columns.addAll(entry.getValue());
    }
    byte[][] inputNames = Text.utf8(inputs, "columns");
    byte[][] columnNames = Text.utf8(columns, "columns");
    DetectOptions detect = options.detect;
    long made = predictor.call(address -> NativeSequence.createTable(predictor.kind(), address, inputNames, counts,
        columnNames, options.topK, detect.threshold, detect.most, detect.classes(), detect.thresholdClasses(),
        detect.thresholds(), detect.nms(), options.errors == TableOptions.Errors.FAIL, options.batchRows));
    handle = new NativeHandle(this, "TablePredictor", made, NativeSequence::freeTable);
  }

  /**
   * Returns the result's schema for tables of a schema. Runs nothing.
   *
   * @param schema the address of the table's {@code ArrowSchema}, a struct of columns, which is only read
   * @param result the address of an {@code ArrowSchema} that is written to; the caller releases it
   * @throws InvalidArgumentException a column that is missing, occurs twice, or has a type that cannot be converted to
   *     the input; an address of 0
   */
  public void resultSchema(long schema, long result) {
    requireAddress(schema, "schema");
    requireAddress(result, "result");
    handle.<Void>with(address -> {
      NativeSequence.tableSchema(address, schema, result);
      return null;
    });
  }

  /**
   * Runs on the rows of a batch. An address that is not that of such a struct crashes the process.
   *
   * @param schema the address of the table's {@code ArrowSchema}, which is only read
   * @param array the address of the {@code ArrowArray} of the rows, which is only read and stays the caller's
   * @param result the address of an {@code ArrowArray} that is written to, of the schema that {@link #resultSchema}
   *     writes; the caller releases it
   * @throws MxinferException INVALID_ARGUMENT: as {@link #resultSchema}, and a batch that does not have the schema;
   *     with {@link TableOptions.Errors#FAIL}, the error of the first invalid row
   */
  public void predict(long schema, long array, long result) {
    requireAddress(schema, "schema");
    requireAddress(array, "array");
    requireAddress(result, "result");
    handle.<Void>with(address -> {
      NativeSequence.predictTable(address, schema, array, result);
      return null;
    });
  }

  private static void requireAddress(long address, String what) {
    if (address == 0) {
      throw new InvalidArgumentException(what + " is 0, where the address of a struct of Arrow is needed");
    }
  }

  /** Frees it when the last call that uses it has ended. You may call it again. */
  @Override
  public void close() {
    handle.close();
  }
}
