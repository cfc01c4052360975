package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Runs a network on sequences of any length, one or many, of ids or of vectors.
 *
 * <pre>{@code
 * try (SequencePredictor predictor = new SequencePredictor("models/sentences");
 *     Session session = predictor.session()) {
 *   List<Tensor> outputs = predictor.predictSequence(new int[] {4, 10, 5});  // without a batch
 *   session.step(4, 10); // a sequence that arrives in pieces
 * }
 * }</pre>
 *
 * <p>Sequences are padded to buckets ({@link SequenceOptions#withBuckets}). Each length that the network sees has one
 * plan, and all plans share the weights. In a list, sequences of one bucket run as batches, and an invalid one does not
 * affect the others.
 */
public class SequencePredictor extends Predictor {
  private final long sequence;

  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #SequencePredictor(String, SequenceOptions, Options)}
   */
  public SequencePredictor(String uri) {
    this(uri, SequenceOptions.DEFAULT, new Options());
  }

  /**
   * Loads a model, or a bucketed model: "lstm", where "lstm-10-symbol.json" and similar files are.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param sequences how sequences become batches
   * @param options those of the groups "load", "run" and "queue"
   * @throws MxinferException as {@link Predictor#Predictor(String, Options)}; INVALID_ARGUMENT also for names that the
   *     model does not have, buckets that are not in ascending order or that the network does not take, and an input
   *     whose time axis or features are unknown (state them in the option "inputs")
   */
  public SequencePredictor(String uri, SequenceOptions sequences, Options options) {
    this(Native.SEQUENCE_PREDICTOR, open(uri, sequences, options));
  }

  /**
   * Makes a predictor for a model. If the model takes texts, it runs the network after the tokenizer.
   *
   * @param model the model, which may be closed afterwards
   * @param sequences how sequences become batches
   * @param options those of the groups "run" and "queue"
   * @throws MxinferException as {@link #SequencePredictor(String, SequenceOptions, Options)}
   */
  public SequencePredictor(Model model, SequenceOptions sequences, Options options) {
    this(Native.SEQUENCE_PREDICTOR, Objects.requireNonNull(model, "model")
        .<Long>with(address -> create(address, 0, sequences, options)));
  }

  /**
   * Makes a predictor for a bucketed model. Its {@link #model}, which {@link #predict} runs, is the network of the
   * largest bucket.
   *
   * @param model the model, which may be closed afterwards
   * @param sequences how sequences become batches
   * @param options those of the groups "run" and "queue"
   * @throws MxinferException as {@link #SequencePredictor(String, SequenceOptions, Options)}
   */
  public SequencePredictor(BucketedModel model, SequenceOptions sequences, Options options) {
    this(Native.SEQUENCE_PREDICTOR, Objects.requireNonNull(model, "model")
        .<Long>with(address -> create(0, address, sequences, options)));
  }

  SequencePredictor(int kind, long address) {
    super(kind, address);
    sequence = NativeSequence.sequenceOf(kind, address);
  }

  private static long open(String uri, SequenceOptions sequences, Options options) {
    byte[] place = Text.utf8(uri, "uri");
    Objects.requireNonNull(sequences, "sequences");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    return NativeSequence.open(place, sequences.texts, sequences.buckets, sequences.padValue, sequences.maxBatch,
        sequences.states, sequences.cutOutputs, settings);
  }

  private static long create(long model, long buckets, SequenceOptions sequences, Options options) {
    Objects.requireNonNull(sequences, "sequences");
    byte[][] settings = Objects.requireNonNull(options, "options").toNative();
    return NativeSequence.create(model, buckets, sequences.texts, sequences.buckets, sequences.padValue,
        sequences.maxBatch, sequences.states, sequences.cutOutputs, settings);
  }

  /**
   * Runs one sequence of ids.
   *
   * @param ids the ids, which are converted to the dtype of the input
   * @return the outputs in order, without a batch
   * @throws InvalidArgumentException no ids, an id for which a leading Embedding has no row, too many ids if that is an
   *     error
   */
  public List<Tensor> predictSequence(int... ids) {
    Objects.requireNonNull(ids, "ids");
    return call(address -> TensorArgs.takeTensors(NativeSequence.predictIds(sequence, ids), outputs()));
  }

  /**
   * Runs one sequence of numbers.
   *
   * @param sequence (length) or (length, features...), of the dtype of the input
   * @return the outputs in order, without a batch
   * @throws InvalidArgumentException as {@link #predictSequence(int...)}; also another dtype or other features
   */
  public List<Tensor> predictSequence(Tensor sequence) {
    TensorArgs.requireReadable(Objects.requireNonNull(sequence, "sequence"));
    return call(address -> TensorArgs.takeTensors(NativeSequence.predictTensor(this.sequence, sequence.data(),
        sequence.dtype().ordinal(), sequence.shape().sizes()), outputs()));
  }

  /**
   * Runs one sequence in a network of several inputs, such as ids and segments.
   *
   * @param inputs the inputs by name. Those with a time axis are as long as the sequence; pass the others without a
   *     batch
   * @return the outputs in order, without a batch
   * @throws InvalidArgumentException as {@link #predictSequence(Tensor)}; also an unknown name
   */
  public List<Tensor> predictSequence(Map<String, Tensor> inputs) {
    return predictNamedSequences(List.of(Objects.requireNonNull(inputs, "inputs"))).get(0).get();
  }

  /**
   * Runs many sequences of ids.
   *
   * @param sequences the ids of each
   * @return the outputs of each, as {@link #predictSequence(int...)} returns them, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Tensor>>> predictSequences(List<int[]> sequences) {
    int[][] ids = lists(sequences, "sequences");
    byte[][] messages = new byte[ids.length][];
    return ids.length == 0 ? List.of()
        : call(address -> results(NativeSequence.predictIdLists(sequence, ids, messages), messages, outputs()));
  }

  /**
   * Runs many sequences of numbers.
   *
   * @param sequences each as {@link #predictSequence(Tensor)} takes it
   * @return the outputs of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Tensor>>> predictTensorSequences(List<Tensor> sequences) {
    TensorArgs args = TensorArgs.of(sequences, "sequences");
    byte[][] messages = new byte[args.data.length][];
    return args.data.length == 0 ? List.of() : call(address -> results(NativeSequence.predictTensors(sequence, null,
        args.data, args.dtypes, args.shapes, null, messages), messages, outputs()));
  }

  /**
   * Runs many sequences in a network of several inputs.
   *
   * @param sequences the inputs of each by name, as {@link #predictSequence(Map)} takes them
   * @return the outputs of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Tensor>>> predictNamedSequences(List<Map<String, Tensor>> sequences) {
    List<Tensor> all = new ArrayList<>();
    int[] counts = new int[Objects.requireNonNull(sequences, "sequences").size()];
    for (int i = 0; i < counts.length; i++) {
      List<Tensor> inputs = named(Objects.requireNonNull(sequences.get(i), "an element of sequences"));
      counts[i] = inputs.size();
      all.addAll(inputs);
    }
    TensorArgs args = TensorArgs.of(all, "sequences");
    byte[][] messages = new byte[counts.length][];
    return counts.length == 0 ? List.of() : call(address -> results(NativeSequence.predictTensors(sequence, args.names,
        args.data, args.dtypes, args.shapes, counts, messages), messages, outputs()));
  }

  private static int[][] lists(List<int[]> sequences, String what) {
    int[][] lists = Objects.requireNonNull(sequences, what).toArray(new int[0][]);
    for (int[] ids : lists) {
      Objects.requireNonNull(ids, "an element of " + what);
    }
    return lists;
  }

  /** Of two numbers for each item, its status and the address of its tensors, which are freed. */
  private static List<ItemResult<List<Tensor>>> results(long[] numbers, byte[][] messages, List<DataDesc> outputs) {
    List<ItemResult<List<Tensor>>> results = new ArrayList<>();
    int next = 0;
    try {
      for (; next < messages.length; next++) {
        long tensors = numbers[2 * next + 1];
        numbers[2 * next + 1] = 0;
        results.add(ItemResult.of((int) numbers[2 * next], messages[next], null,
            () -> TensorArgs.takeTensors(tensors, outputs)));
      }
      return List.copyOf(results);
    } finally {
      for (int i = 0; i < messages.length; i++) {
        if (numbers[2 * i + 1] != 0) {
          Native.freeTensors(numbers[2 * i + 1]);
        }
      }
    }
  }

  /**
   * Submits a sequence of ids for {@link #predictSequence(int...)}, with default {@link SubmitOptions}.
   *
   * @param ids the ids; copied
   * @return the outputs, or a {@link MxinferException}
   */
  public CompletableFuture<List<Tensor>> predictSequenceAsync(int... ids) {
    return predictSequenceAsync(ids, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a sequence of ids for {@link #predictSequence(int...)}. Waiting sequences run as one batch if the option
   * "max_batch" allows it.
   *
   * @param ids the ids; copied
   * @param options priority, timeout, executor
   * @return the outputs, or a {@link MxinferException}
   */
  public CompletableFuture<List<Tensor>> predictSequenceAsync(int[] ids, SubmitOptions options) {
    Objects.requireNonNull(ids, "ids");
    Objects.requireNonNull(options, "options");
    List<DataDesc> outputs = outputs();
    return call(address -> submit(options, false, null,
        () -> NativeSequence.submitIds(sequence, ids, options.priority(), options.timeout()),
        request -> TensorArgs.takeTensors(Native.takeTensors(request), outputs)));
  }

  /**
   * Submits each sequence of a list. The options "max_in_flight" and "when_full" count each of them.
   *
   * @param sequences the ids of each; copied
   * @param options priority, timeout, executor
   * @return the outputs of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Tensor>>>> predictSequencesAsync(List<int[]> sequences,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(sequences, "sequences", ids -> predictSequenceAsync(ids, options));
  }

  /**
   * Starts a sequence that arrives in pieces. Its states begin as zeros, and are kept between calls.
   *
   * @return a session; close it
   * @throws MxinferException UNSUPPORTED: a network that does not take and return states
   */
  public Session session() {
    return call(address -> new Session(NativeSequence.session(sequence), this));
  }

  /**
   * Advances each session by one piece. Pieces of one length run as batches.
   *
   * @param sessions sessions of this predictor, each once
   * @param pieces the ids for each
   * @return what {@link Session#step(int...)} returns for each. An invalid piece has its error, and does not change its
   *     session
   * @throws InvalidArgumentException a session that occurs twice or belongs to another predictor, another number of
   *     pieces
   */
  public List<ItemResult<List<Tensor>>> step(List<Session> sessions, List<int[]> pieces) {
    int[][] ids = lists(pieces, "pieces");
    byte[][] messages = new byte[ids.length][];
    return step(sessions, ids.length, addresses -> results(
        NativeSequence.stepIdLists(sequence, addresses, ids, messages), messages, List.of()));
  }

  /**
   * Advances each session by one piece. Pieces of one length run as batches.
   *
   * @param sessions sessions of this predictor, each once
   * @param pieces for each, what {@link Session#step(Tensor)} takes
   * @return as {@link #step(List, List)}
   * @throws InvalidArgumentException as {@link #step(List, List)}
   */
  public List<ItemResult<List<Tensor>>> stepTensors(List<Session> sessions, List<Tensor> pieces) {
    TensorArgs args = TensorArgs.of(pieces, "pieces");
    byte[][] messages = new byte[args.data.length][];
    return step(sessions, args.data.length, addresses -> results(NativeSequence.stepTensors(sequence, addresses,
        args.data, args.dtypes, args.shapes, messages), messages, List.of()));
  }

  private interface Steps {
    List<ItemResult<List<Tensor>>> of(long[] sessions);
  }

  private List<ItemResult<List<Tensor>>> step(List<Session> sessions, int pieces, Steps steps) {
    Session[] list = Objects.requireNonNull(sessions, "sessions").toArray(new Session[0]);
    for (Session session : list) {
      Objects.requireNonNull(session, "an element of sessions");
    }
    if (list.length != pieces) {
      throw new InvalidArgumentException("there are " + pieces + " pieces for " + list.length
          + " sessions; each session takes one");
    }
    if (pieces == 0) {
      return List.of();
    }
    return call(address -> withAll(list, steps));
  }

  private static List<ItemResult<List<Tensor>>> withAll(Session[] sessions, Steps steps) {
    long[] addresses = new long[sessions.length];
    int acquired = 0;
    try {
      for (; acquired < sessions.length; acquired++) {
        addresses[acquired] = sessions[acquired].acquire();
      }
      return steps.of(addresses);
    } finally {
      for (int i = 0; i < acquired; i++) {
        sessions[i].release();
      }
    }
  }

  /**
   * Returns the lengths at which sequences run.
   *
   * @return in ascending order; empty if sequences run at their own length
   */
  public long[] buckets() {
    return call(address -> NativeSequence.buckets(sequence));
  }

  /**
   * Returns the length at which a sequence runs.
   *
   * @param length that of the sequence
   * @return the length of its bucket
   * @throws InvalidArgumentException if it is less than 1, or too long if that is an error
   */
  public long bucketOf(long length) {
    return call(address -> NativeSequence.bucketOf(sequence, length));
  }

  /** Makes the plans of all buckets, so that first calls are as fast as later ones. */
  public void warmupBuckets() {
    LongFunction<Void> warm = address -> {
      NativeSequence.warmupBuckets(sequence);
      return null;
    };
    call(warm);
  }
}
