package org.mxinfer;

/** What a model or a predictor holds, in bytes. Never changes. */
public final class MemoryUse {
  private final long[] bytes;

  MemoryUse(long[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Parameters as they are, without those that are read from the file yet.
   *
   * @return their bytes
   */
  public long storedWeights() {
    return bytes[0];
  }

  /**
   * What plans made of the parameters, for their kernels.
   *
   * @return its bytes
   */
  public long packedWeights() {
    return bytes[1];
  }

  /**
   * Steps and descriptions of the plans; 0 of a model.
   *
   * @return their bytes, about
   */
  public long plans() {
    return bytes[2];
  }

  /**
   * What calls work in, idle ones too; 0 of a model.
   *
   * @return its bytes
   */
  public long workspaces() {
    return bytes[3];
  }

  /**
   * Of the workspaces, those that wait for a call.
   *
   * @return their bytes
   */
  public long idleWorkspaces() {
    return bytes[4];
  }
}
