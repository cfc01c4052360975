package org.mxinfer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How a {@link TablePredictor} reads rows and returns results. Never changes; each {@code with} returns another. */
public final class TableOptions {
  /** What happens to invalid rows. */
  public enum Errors {
    /** A column "error" says what is wrong with each. */
    COLUMN,
    /** The first one makes the call fail. */
    FAIL
  }

  /** Nothing is set. */
  public static final TableOptions DEFAULT = new TableOptions();

  Map<String, List<String>> columns = Map.of();
  int topK = 1;
  DetectOptions detect = DetectOptions.DEFAULT;
  Errors errors = Errors.COLUMN;
  int batchRows;

  private TableOptions() {}

  private TableOptions copy() {
    TableOptions copy = new TableOptions();
    copy.columns = columns;
    copy.topK = topK;
    copy.detect = detect;
    copy.errors = errors;
    copy.batchRows = batchRows;
    return copy;
  }

  /**
   * Sets the columns of each input. The default is the one column that can be images, the one with texts, or the
   * columns with the names of the inputs.
   *
   * @param columns the columns of each input by its name, in order; the name may be "" if the model has one input
   * @return the new options
   */
  public TableOptions withColumns(Map<String, List<String>> columns) {
    TableOptions copy = copy();
    copy.columns = new LinkedHashMap<>(Objects.requireNonNull(columns, "columns"));
    return copy;
  }

  /**
   * Sets how many classes a classifier returns for each row. The default is 1.
   *
   * @param classes their number; 0: all classes in label order
   * @return the new options
   */
  public TableOptions withTopK(int classes) {
    TableOptions copy = copy();
    copy.topK = classes;
    return copy;
  }

  /**
   * Sets what a detector returns.
   *
   * @param detect the options of detections
   * @return the new options
   */
  public TableOptions withDetect(DetectOptions detect) {
    TableOptions copy = copy();
    copy.detect = Objects.requireNonNull(detect, "detect");
    return copy;
  }

  /**
   * Sets what happens to invalid rows. The default is a column of errors.
   *
   * @param errors a column, or a failure
   * @return the new options
   */
  public TableOptions withErrors(Errors errors) {
    TableOptions copy = copy();
    copy.errors = Objects.requireNonNull(errors, "errors");
    return copy;
  }

  /**
   * Sets how many rows run as one batch. The default suits what the rows hold.
   *
   * @param rows their number; 0: the default
   * @return the new options
   */
  public TableOptions withBatchRows(int rows) {
    TableOptions copy = copy();
    copy.batchRows = rows;
    return copy;
  }
}
