package org.mxinfer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A sequence that comes bit by bit: the states of the recurrent network are kept between calls.
 *
 * <pre>{@code
 * try (Session session = predictor.session()) {
 *   for (int id : ids) outputs = session.step(id);
 *   Session saved = session.copy();  // goes on from here on its own
 *   session.reset();                 // the next step begins with zeros
 * }
 * }</pre>
 *
 * <p>Pieces of any length give what the whole sequence gives in one call. A session holds its states and nothing else
 * of size, so there may be thousands. {@link SequencePredictor#step(List, List)} takes many a step further as one
 * batch.
 *
 * <p>Threads that use one session wait for one another; sessions run side by side. After a step that throws, the
 * states are as before. After {@link #close()} its functions throw {@link IllegalStateException}; closing the
 * predictor does not end its sessions.
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
   * @return the outputs that are no states, in order and without a batch
   * @throws InvalidArgumentException as {@link SequencePredictor#predictSequence(int...)}; also a length that a
   *     network of certain lengths cannot be given
   */
  public List<Tensor> step(int... ids) {
    Objects.requireNonNull(ids, "ids");
    return handle.with(address -> TensorArgs.takeTensors(NativeSequence.stepIds(address, ids), List.of()));
  }

  /**
   * Takes the next piece of a sequence of numbers.
   *
   * @param piece (length) or (length, features...), of the dtype of the input
   * @return the outputs that are no states, in order and without a batch
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
   * @return the outputs that are no states, in order and without a batch
   * @throws InvalidArgumentException as {@link #step(int...)}
   */
  public List<Tensor> step(Map<String, Tensor> inputs) {
    TensorArgs args = TensorArgs.of(Predictor.named(inputs), "inputs");
    return handle.with(address -> TensorArgs.takeTensors(
        NativeSequence.stepNamed(address, args.names, args.data, args.dtypes, args.shapes), List.of()));
  }

  /** Begins again: states are zeros. */
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
   * Goes on from other states.
   *
   * @param states those that {@link #states} of a session of the same model gave
   * @throws InvalidArgumentException a name that no state has, a state that is missing, another dtype or shape;
   *     nothing has changed then
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
   * @return another session, to be closed, which goes on from here on its own
   */
  public Session copy() {
    return handle.with(address -> new Session(NativeSequence.copySession(address), predictor));
  }

  /**
   * Returns what made the session.
   *
   * @return the predictor
   */
  public SequencePredictor predictor() {
    return predictor;
  }

  /** Frees it when the last call that uses it has ended. May be called again. */
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
