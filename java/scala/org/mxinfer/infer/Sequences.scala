package org.mxinfer.infer

import java.nio.file.Paths
import org.mxinfer
import scala.collection.JavaConverters._
import scala.concurrent.Future
import scala.util.Try

/** Runs a network on sequences of any length. `underlying` takes numbers and several inputs too. */
class SequencePredictor(modelPathPrefix: String, sequences: SequenceOptions = mxinfer.SequenceOptions.DEFAULT,
    options: Options = Options()) extends AutoCloseable {

  /** The same object for Java. */
  val underlying: mxinfer.SequencePredictor = new mxinfer.SequencePredictor(modelPathPrefix, sequences, options)

  /** Runs one sequence of ids. The outputs come without a batch. */
  def predictSequence(ids: Array[Int]): IndexedSeq[NDArray] = Convert.indexed(underlying.predictSequence(ids: _*))

  /** Runs many sequences. An invalid one does not affect the others. */
  def predictSequences(sequences: Iterable[Array[Int]]): IndexedSeq[Try[IndexedSeq[NDArray]]] =
    Convert.results(underlying.predictSequences(Convert.javaList(sequences)))(Convert.indexed)

  /** Submits a sequence for `predictSequence`. */
  def predictSequenceAsync(ids: Array[Int],
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[NDArray]] =
    Convert.future(underlying.predictSequenceAsync(ids, submit))(Convert.indexed)

  /** Starts a sequence that arrives in pieces. Close the session when it ends. */
  def session(): Session = underlying.session()

  /** Advances each session by one piece, as batches. An invalid piece does not affect the others. */
  def step(sessions: Iterable[Session], pieces: Iterable[Array[Int]]): IndexedSeq[Try[IndexedSeq[NDArray]]] =
    Convert.results(underlying.step(Convert.javaList(sessions), Convert.javaList(pieces)))(Convert.indexed)

  override def close(): Unit = underlying.close()
}

object SequencePredictor {
  def apply(modelPathPrefix: String): SequencePredictor = new SequencePredictor(modelPathPrefix)
  def apply(modelPathPrefix: String, sequences: SequenceOptions): SequencePredictor =
    new SequencePredictor(modelPathPrefix, sequences)
}

/** Generates sequences token by token. `underlying` takes prompts of ids too. */
class SequenceGenerator(modelPathPrefix: String, network: GeneratorOptions = mxinfer.GeneratorOptions.DEFAULT,
    options: Options = Options()) extends AutoCloseable {

  /** The same object for Java. */
  val underlying: mxinfer.SequenceGenerator = new mxinfer.SequenceGenerator(modelPathPrefix, network, options)

  /** Continues a text. Sequences of a beam are best first. */
  def generate(prompt: String, options: GenerateOptions = GenerateOptions): IndexedSeq[Generated] =
    Convert.indexed(underlying.generate(prompt, options))

  /** Continues many texts, as batches. */
  def generateTexts(prompts: Iterable[String],
      options: GenerateOptions = GenerateOptions): IndexedSeq[IndexedSeq[Generated]] =
    Convert.indexed(underlying.generateTexts(Convert.javaList(prompts), options)).map(Convert.indexed(_))

  /** Starts one sequence, token by token: a Java iterator of ids. Close it when it ends. */
  def start(prompt: String, options: GenerateOptions = GenerateOptions): Generation = underlying.start(prompt, options)

  /** Returns what the tokens of one sequence add to the text, each computed on demand. */
  def pieces(prompt: String, options: GenerateOptions = GenerateOptions): Iterator[String] =
    underlying.start(prompt, options).pieces.iterator.asScala

  override def close(): Unit = underlying.close()
}

object SequenceGenerator {
  def apply(modelPathPrefix: String, vocabulary: Vocabulary): SequenceGenerator =
    new SequenceGenerator(modelPathPrefix, mxinfer.GeneratorOptions.DEFAULT.withVocabulary(vocabulary))
  def apply(modelPathPrefix: String, network: GeneratorOptions): SequenceGenerator =
    new SequenceGenerator(modelPathPrefix, network)
}

/** The words that a network knows, and their ids. */
object Vocabulary {
  def apply(words: Iterable[String], options: VocabularyOptions = VocabularyOptions): Vocabulary =
    mxinfer.Vocabulary.of(Convert.javaList(words), options)

  /** Reads a local file. */
  def load(path: String, options: VocabularyOptions = VocabularyOptions): Vocabulary =
    mxinfer.Vocabulary.load(Paths.get(path), options)
}

/** A vector for each word of a vocabulary. */
object WordVectors {
  def apply(vocabulary: Vocabulary, matrix: NDArray): WordVectors = mxinfer.WordVectors.of(vocabulary, matrix, 0)

  /** Reads a local file. */
  def load(path: String): WordVectors = mxinfer.WordVectors.load(Paths.get(path))
}

/** Decodes the scores of networks that were trained with connectionist temporal classification. */
object Ctc {
  def greedy(scores: NDArray, options: CtcOptions = CtcOptions): IndexedSeq[CtcSequence] =
    Convert.indexed(mxinfer.Ctc.greedy(scores, options))
  def beamSearch(scores: NDArray, options: CtcOptions = CtcOptions): IndexedSeq[IndexedSeq[CtcSequence]] =
    Convert.indexed(mxinfer.Ctc.beamSearch(scores, options)).map(Convert.indexed(_))
}
