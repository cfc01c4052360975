package org.mxinfer;

import java.util.List;
import java.util.Optional;

/** The outputs of a model for a list of items, one row for each item, and the errors of some. Never changes. */
public final class BatchResult {
  private final List<Tensor> outputs;
  private final List<Optional<MxinferException>> errors;

  BatchResult(List<Tensor> outputs, List<Optional<MxinferException>> errors) {
    this.outputs = outputs;
    this.errors = errors;
  }

  /**
   * Returns the model's outputs.
   *
   * @return in order; the rows of invalid items are NaN, or 0 for integers; empty if all were invalid
   */
  public List<Tensor> outputs() {
    return outputs;
  }

  /**
   * Returns the errors of the items.
   *
   * @return one for each item; empty if the item is valid
   */
  public List<Optional<MxinferException>> errors() {
    return errors;
  }
}
