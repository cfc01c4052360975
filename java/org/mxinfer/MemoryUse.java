package org.mxinfer;

/** The memory that a model or a predictor holds, in bytes. Never changes. */
public final class MemoryUse {
  private final long[] bytes;

  MemoryUse(long[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the memory of the parameters, without those not yet read from the file.
   *
   * @return the bytes
   */
  public long storedWeights() {
    return bytes[0];
  }

  /**
   * Returns the memory of the forms of parameters that plans packed for their kernels.
   *
   * @return the bytes
   */
  public long packedWeights() {
    return bytes[1];
  }

  /**
   * Returns the memory of the steps and descriptions of plans; 0 for a model.
   *
   * @return the bytes, approximately
   */
  public long plans() {
    return bytes[2];
  }

  /**
   * Returns the memory of workspaces, idle ones included; 0 for a model.
   *
   * @return the bytes
   */
  public long workspaces() {
    return bytes[3];
  }

  /**
   * Returns the memory of idle workspaces.
   *
   * @return the bytes
   */
  public long idleWorkspaces() {
    return bytes[4];
  }
}
