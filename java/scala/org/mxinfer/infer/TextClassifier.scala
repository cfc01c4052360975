package org.mxinfer.infer

import org.mxinfer
import scala.concurrent.Future
import scala.util.Try

/** Classifies texts of any length. A model that takes texts needs nothing else. For a bare network, set the tokenizer and
  * the vocabulary with `text`, such as `TextOptions.withTokenizer(...)`. With topK, you get that many classes in descending
  * order of score; without it, all classes in label order.
  */
class TextClassifier(modelPathPrefix: String, text: TextOptions = mxinfer.TextOptions.DEFAULT,
    options: Options = Options()) extends AutoCloseable {

  /** The same object for Java. */
  val underlying: mxinfer.TextClassifier = new mxinfer.TextClassifier(modelPathPrefix, text, options)

  /** Classifies a text. */
  def classify(text: String, topK: Option[Int] = None): IndexedSeq[(String, Float)] =
    Convert.labelled(underlying.classify(text, Convert.topK(topK)))(identity)

  /** Classifies a pair of texts. */
  def classifyPair(first: String, second: String, topK: Option[Int] = None): IndexedSeq[(String, Float)] =
    Convert.labelled(underlying.classifyPair(first, second, Convert.topK(topK)))(identity)

  /** Classifies a text that is already split into tokens. */
  def classifyTokens(tokens: Iterable[String], topK: Option[Int] = None): IndexedSeq[(String, Float)] =
    Convert.labelled(underlying.classifyTokens(Convert.javaList(tokens), Convert.topK(topK)))(identity)

  /** Classifies ids as `ids` returns them. */
  def classifyIds(ids: Array[Int], topK: Option[Int] = None): IndexedSeq[(String, Float)] =
    Convert.labelled(underlying.classifyIds(ids, Convert.topK(topK)))(identity)

  /** Returns the ids that the network gets for a text. */
  def ids(text: String): Array[Int] = underlying.ids(text)

  /** Classifies texts. An invalid one does not affect the others. */
  def classifyTexts(texts: Iterable[String], topK: Option[Int] = None): IndexedSeq[Try[IndexedSeq[(String, Float)]]] =
    results(underlying.classifyTexts(Convert.javaList(texts), Convert.topK(topK)))

  /** Classifies pairs of texts. An invalid one does not affect the others. */
  def classifyPairs(pairs: Iterable[(String, String)],
      topK: Option[Int] = None): IndexedSeq[Try[IndexedSeq[(String, Float)]]] = {
    val entries = pairs.map { case (first, second) =>
      new java.util.AbstractMap.SimpleImmutableEntry(first, second)
    }
    results(underlying.classifyPairs(Convert.javaList(entries), Convert.topK(topK)))
  }

  /** Submits a text for `classify`. */
  def classifyAsync(text: String, topK: Option[Int] = None,
      submit: SubmitOptions = mxinfer.SubmitOptions.DEFAULT): Future[IndexedSeq[(String, Float)]] =
    Convert.future(underlying.classifyAsync(text, Convert.topK(topK), submit))(Convert.labelled(_)(identity))

  override def close(): Unit = underlying.close()

  private def results(of: java.util.List[mxinfer.ItemResult[java.util.List[mxinfer.Classification]]]) =
    Convert.results(of)(Convert.labelled(_)(identity[Float]))
}

object TextClassifier {
  def apply(modelPathPrefix: String): TextClassifier = new TextClassifier(modelPathPrefix)
  def apply(modelPathPrefix: String, text: TextOptions): TextClassifier = new TextClassifier(modelPathPrefix, text)
  def apply(modelPathPrefix: String, text: TextOptions, options: Options): TextClassifier =
    new TextClassifier(modelPathPrefix, text, options)
}
