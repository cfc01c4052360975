package org.mxinfer;

/** The memory that a model or a predictor holds, in bytes. Never changes. */
public final class MemoryUse {
  private final long[] bytes;

  MemoryUse(long[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns what the parameters take, without those that are still to be read from the file.
   *
   * @return the bytes
   */
  public long storedWeights() {
    return bytes[0];
  }

  /**
   * Returns what the parameters take that plans packed for their kernels.
   *
   * @return the bytes
   */
  public long packedWeights() {
    return bytes[1];
  }

  /**
   * Returns what the steps and descriptions of the plans take; 0 of a model.
   *
   * @return the bytes, about
   */
  public long plans() {
    return bytes[2];
  }

  /**
   * Returns what the workspaces of calls take, idle ones too; 0 of a model.
   *
   * @return the bytes
   */
  public long workspaces() {
    return bytes[3];
  }

  /**
   * Returns what the workspaces take that wait for a call.
   *
   * @return the bytes
   */
  public long idleWorkspaces() {
    return bytes[4];
  }
}
