package org.mxinfer;

/** The queue of a predictor was full: submit again later, or tell the client to. */
public final class TooManyRequestsException extends MxinferException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes one, with {@link ErrorCode#TOO_MANY_REQUESTS}.
   *
   * @param message what was wrong
   */
  public TooManyRequestsException(String message) {
    super(ErrorCode.TOO_MANY_REQUESTS, message);
  }
}
