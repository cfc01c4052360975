package org.mxinfer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A sequence that arrives in pieces. It keeps the states of a recurrent network between calls.
 *
 * <pre>{@code
 * try (Session session = predictor.session()) {
 *   for (int id : ids) outputs = session.step(id);
 *   Session saved = session.copy();  // continues from here by itself
 *   session.reset();                 // the next step begins with zeros
 * }
 * }</pre>
 *
 * <p>Pieces of any length give the same results as the whole sequence in one call. A session holds little but its
 * states, so a program can have thousands. {@link SequencePredictor#step(List, List)} advances many of them as one
 * batch.
 *
 * <p>Threads that share a session wait for each other; different sessions run at the same time. If a step throws, the
 * states do not change. After {@link #close()} its functions throw {@link IllegalStateException}; closing the predictor
 * does not end its sessions.
 */
public final class Session implements AutoCloseable {
  private final NativeHandle handle;
  private final SequencePredictor predictor;

  Session(long address, SequencePredictor predictor) {
    handle = new NativeHandle(this, "Session", address, NativeSequence::freeSession);
    this.predictor = predictor;
  }

  /**
   * Takes the next ids.
   *
   * @param ids one or more
   * @return the outputs that are not states, in order and without a batch
   * @throws InvalidArgumentException as {@link SequencePredictor#predictSequence(int...)}; also a length that a network
   *     of certain lengths does not take
   */
  public List<Tensor> step(int... ids) {
    Objects.requireNonNull(ids, "ids");
    return handle.with(address -> TensorArgs.takeTensors(NativeSequence.stepIds(address, ids), List.of()));
  }

  /**
   * Takes the next piece of a sequence of numbers.
   *
   * @param piece (length) or (length, features...), of the dtype of the input
   * @return the outputs that are not states, in order and without a batch
   * @throws InvalidArgumentException as {@link #step(int...)}
   */
  public List<Tensor> step(Tensor piece) {
    TensorArgs.requireReadable(Objects.requireNonNull(piece, "piece"));
    return handle.with(address -> TensorArgs.takeTensors(NativeSequence.stepTensor(address, piece.data(),
        piece.dtype().ordinal(), piece.shape().sizes()), List.of()));
  }

  /**
   * Takes the next piece for a network of several inputs.
   *
   * @param inputs by name
   * @return the outputs that are not states, in order and without a batch
   * @throws InvalidArgumentException as {@link #step(int...)}
   */
  public List<Tensor> step(Map<String, Tensor> inputs) {
    TensorArgs args = TensorArgs.of(Predictor.named(inputs), "inputs");
    return handle.with(address -> TensorArgs.takeTensors(
        NativeSequence.stepNamed(address, args.names, args.data, args.dtypes, args.shapes), List.of()));
  }

  /** Sets all states to zeros. */
  public void reset() {
    handle.<Void>with(address -> {
      NativeSequence.resetSession(address);
      return null;
    });
  }

  /**
   * Returns the states.
   *
   * @return copies by the names of their inputs, each a batch of one
   */
  public Map<String, Tensor> states() {
    return handle.with(address -> {
      List<DataDesc> descs = DataDesc.listOf(NativeSequence.stateDescs(address));
      Map<String, Tensor> states = new LinkedHashMap<>();
      for (Tensor state : TensorArgs.takeTensors(NativeSequence.states(address), descs)) {
        states.put(state.name(), state);
      }
      return states;
    });
  }

  /**
   * Continues from other states.
   *
   * @param states those that {@link #states} of a session of the same model returned
   * @throws InvalidArgumentException a name that no state has, a missing state, another dtype or shape; the states then
   *     do not change
   */
  public void setStates(Map<String, Tensor> states) {
    TensorArgs args = TensorArgs.of(Predictor.named(Objects.requireNonNull(states, "states")), "states");
    handle.<Void>with(address -> {
      NativeSequence.setStates(address, args.names, args.data, args.dtypes, args.shapes);
      return null;
    });
  }

  /**
   * Returns name, dtype and shape of each state.
   *
   * @return one for each state
   */
  public List<DataDesc> stateDescs() {
    return handle.with(address -> DataDesc.listOf(NativeSequence.stateDescs(address)));
  }

  /**
   * Returns a snapshot.
   *
   * @return another session, which continues from here by itself; close it
   */
  public Session copy() {
    return handle.with(address -> new Session(NativeSequence.copySession(address), predictor));
  }

  /**
   * Returns the predictor that made the session.
   *
   * @return the predictor
   */
  public SequencePredictor predictor() {
    return predictor;
  }

  /** Frees it when the last call that uses it has ended. You may call it again. */
  @Override
  public void close() {
    handle.close();
  }

  long acquire() {
    return handle.acquire();
  }

  void release() {
    handle.release();
  }
}
