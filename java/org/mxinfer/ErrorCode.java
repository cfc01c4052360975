package org.mxinfer;

/** The kind of an error. The message of the {@link MxinferException} has the details. */
public enum ErrorCode {
  /** An argument is invalid: a name, count, shape, dtype or option. */
  INVALID_ARGUMENT,
  /** A file, an input or an output of that name does not exist. */
  NOT_FOUND,
  /** The bytes are not the model, image or array that they should be. */
  MALFORMED,
  /** The model or file is well-formed, but this library cannot run it. */
  UNSUPPORTED,
  /** Memory could not be allocated. */
  OUT_OF_MEMORY,
  /** A remote source failed. */
  NETWORK,
  /** A device failed or is absent. */
  DEVICE,
  /** The call was cancelled: by its caller, by a queue that dropped it, or by closing its predictor. */
  CANCELLED,
  /** The deadline of a submission passed before it started. */
  DEADLINE_EXCEEDED,
  /** A bounded queue was full. */
  TOO_MANY_REQUESTS,
  /** A defect of mxinfer itself; please report it. */
  INTERNAL;

  private static final ErrorCode[] CODES = values();

  /** Of a status of the C interface, whose numbers begin at 1 in this order. */
  static ErrorCode ofStatus(int status) {
    return status >= 1 && status <= CODES.length ? CODES[status - 1] : INTERNAL;
  }
}
