package org.mxinfer;

import java.util.List;
import java.util.Optional;

/** What a model made of a list of items: arrays with one row for each, and what was wrong with some. Never changes. */
public final class BatchResult {
  private final List<Tensor> outputs;
  private final List<Optional<MxinferException>> errors;

  BatchResult(List<Tensor> outputs, List<Optional<MxinferException>> errors) {
    this.outputs = outputs;
    this.errors = errors;
  }

  /**
   * Gives the model's outputs.
   *
   * @return in order; the rows of items that were wrong are NaN, or 0 for whole numbers; empty if all were wrong
   */
  public List<Tensor> outputs() {
    return outputs;
  }

  /**
   * Tells what was wrong with the items.
   *
   * @return one for each item, empty if nothing was
   */
  public List<Optional<MxinferException>> errors() {
    return errors;
  }
}
