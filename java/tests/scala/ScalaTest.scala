import java.io.File
import java.net.URI
import javax.imageio.ImageIO
import org.mxinfer.infer._
import scala.concurrent.{Await, Future}
import scala.concurrent.duration._

/** Every method of the Scala layer. */
object ScalaTest {
  private var checks = 0

  private def check(holds: Boolean, what: => Any): Unit = {
    checks += 1
    if (!holds) throw new AssertionError(what.toString)
  }

  private def fails(words: String*)(body: => Any): Unit = {
    val error = try { body; null } catch { case e: MxinferException => e }
    check(error != null, "expected an error with " + words.mkString(", "))
    words.foreach(word => check(error.getMessage.contains(word), error.getMessage))
  }

  private def get[T](future: Future[T]): T = Await.result(future, 60.seconds)

  def main(arguments: Array[String]): Unit = {
    val source = arguments(0)
    val digits = source + "/models/digits"
    val two = ImageIO.read(new File(source + "/examples/images/two.png"))
    predictors(digits)
    classifiers(digits, two)
    images(digits, source, two)
    detectors(source, two)
    texts(source + "/models/language_id")
    segmenters(source, two)
    sequences(source)
    words(source)
    println(s"scala: $checks checks hold")
  }

  private def predictors(digits: String): Unit = {
    val input = DataDesc("data", Shape(1, 1, 32, 32), layout = "NCHW")
    val predictor = new Predictor(digits, IndexedSeq(input))
    val sample = Array.tabulate(1024)(i => (i % 256).toFloat)
    val scores = predictor.predict(IndexedSeq(sample))
    check(scores.size == 1 && scores.head.length == 10, scores)
    check(predictor.predict(IndexedSeq(sample ++ sample)).head.length == 20, "a batch of two")
    val batch = predictor.predictWithNDArray(IndexedSeq(NDArray.array(sample ++ sample, Shape(2, 1, 32, 32))))
    check(batch.head.shape == Shape(2, 10), batch)
    check(get(predictor.predictAsync(IndexedSeq(sample))).head.sameElements(scores.head), "later")
    check(get(predictor.predictWithNDArrayAsync(batchOf(sample))).head.toFloatArray.sameElements(scores.head), "later")
    check(predictor.outputShapes.map(_._2) == IndexedSeq(Shape(1, 10)), predictor.outputShapes)
    check(predictor.inputs.head.name == "data", predictor.inputs)
    fails("float64", "float32")(predictor.predict(IndexedSeq(new Array[Double](1024))))
    check(get(predictor.predictAsync(IndexedSeq(new Array[Float](3))).failed).isInstanceOf[MxinferException], "failed")
    val onDevice = IndexedSeq(org.mxinfer.DeviceTensor.of(4096, org.mxinfer.DType.FLOAT32, 0, 1, 1, 32, 32))
    fails("the predictor runs on the CPU")(predictor.predictOnDevice(onDevice, onDevice))
    predictor.close()
    check(scala.util.Try(predictor.predict(IndexedSeq(sample))).failed.get.isInstanceOf[IllegalStateException], "closed")
    fails("(1, 9)")(Predictor(digits, input, DataDesc("softmax", Shape(1, 9))))
    fails("/nowhere")(Predictor("/nowhere"))
    check(DataDesc.getBatchAxis(Some("TNC")) == 1 && DataDesc.getBatchAxis(None) == 0, "batch axis")
  }

  private def batchOf(sample: Array[Float]) = IndexedSeq(NDArray.array(sample, Shape(1, 1, 32, 32)))

  private def classifiers(digits: String, two: java.awt.image.BufferedImage): Unit = {
    val classifier = Classifier(digits, Options("threads" -> "1"))
    val sample = new Array[Float](1024)
    val all = classifier.classify(IndexedSeq(sample))
    check(all.map(_._1).take(2) == IndexedSeq("zero", "one"), all)
    val best = classifier.classify(IndexedSeq(sample), topK = Some(3))
    check(best.size == 3 && best(0)._2 >= best(1)._2, best)
    val doubles: IndexedSeq[(String, Double)] = classifier.classify(IndexedSeq(sample.map(_.toDouble)), Some(1))
    check(doubles.head._1 == best.head._1, doubles)
    check(classifier.classifyWithNDArray(batchOf(sample), Some(2)).map(_.size) == IndexedSeq(2), "batch")
    check(get(classifier.classifyAsync(IndexedSeq(sample), Some(3))) == best, "later")
    fails("2 inputs")(classifier.classify(IndexedSeq(sample, sample)))
    fails("topK is 0")(classifier.classify(IndexedSeq(sample), Some(0)))
    classifier.close()
  }

  private def images(digits: String, source: String, two: java.awt.image.BufferedImage): Unit = {
    val classifier = new MXNetImageClassifier(digits)
    check(classifier.classify(two).size == 10, "all classes")
    check(classifier.classify(two, 1).head._1 == "two", "two")
    check(classifier.classifyImage(two, Some(2)).head.size == 2, "two classes")
    val files = Seq("seven.jpg", "two.png").map(source + "/examples/images/" + _)
    val batch = classifier.classifyImageBatch(ImageClassifier.loadInputBatch(files), Some(1))
    check(batch.map(_.head._1) == IndexedSeq("seven", "two"), batch)
    check(get(classifier.classifyImageAsync(two, Some(1))).head._1 == "two", "later")
    for (name <- Seq("rgb", "rgba", "palette", "grey_alpha", "rgb_16bit", "grey_16bit")) {
      val file = new File(s"$source/tests/golden/image/$name.png")
      check(classifier.classify(ImageIO.read(file)) == classifier.classifyUri(file.toURI), name)
    }
    fails("/nowhere.png")(ImageClassifier.loadImageFromFile("/nowhere.png"))
    val uri = new File(files(1)).toURI
    check(classifier.classifyUri(uri, Some(1)).head._1 == "two", "by address")
    check(classifier.classifyUri(uri) == classifier.classify(two), "every class, by address")
    check(get(classifier.classifyUriAsync(uri, Some(1))).head._1 == "two", "by address, later")
    val several = classifier.classifyUris(Seq(uri, URI.create("two.png"), new File(files(0)).toURI), Some(1))
    check(several.map(_.isSuccess) == IndexedSeq(true, false, true), several)
    check(several(0).get.head._1 == "two" && several(2).get.head._1 == "seven", several)
    fails("'two.png'", "https://")(several(1).get)
    fails("https://", "classifyUri")(ImageClassifier.loadImageFromFile("https://me:word@host/two.png"))
    classifier.close()
  }

  private def detectors(source: String, two: java.awt.image.BufferedImage): Unit = {
    val detector = ObjectDetector(source + "/tests/golden/ssd/ssd", Options("height" -> "48", "width" -> "48"))
    val found = detector.imageObjectDetect(two, Some(3)).head
    check(found.size == 3 && found.head._2.length == 5, found)
    check(detector.imageBatchObjectDetect(Seq(two, two), Some(3)).size == 2, "two images")
    check(detector.detect(two, 0f, 3).map(_.getClassName) == found.map(_._1), "the same")
    check(get(detector.detectAsync(two, 0f, 3)).size == 3, "later")
    val uri = new File(source + "/examples/images/two.png").toURI
    check(detector.detectUri(uri, 0f, 3).map(_.getClassName) == found.map(_._1), "by address")
    check(get(detector.detectUriAsync(uri, 0f, 3)).size == 3, "by address, later")
    val several = detector.detectUris(Seq(URI.create("two.png"), uri), 0f, 3)
    check(several(0).isFailure && several(1).get.size == 3, several)
    detector.close()
  }

  private def texts(languages: String): Unit = {
    val classifier = TextClassifier(languages)
    val station = "Wo ist der Bahnhof?"
    val best = classifier.classify(station, Some(3))
    check(best.size == 3 && best.head._1 == "German", best)
    check(classifier.classify(station).size == 38, "every class")
    check(get(classifier.classifyAsync(station, Some(3))) == best, "later")
    check(classifier.classifyIds(classifier.ids(station), Some(3)) == best, "ids")
    fails("does not take tokens")(classifier.classifyTokens(Seq("Wo"), Some(1)))
    val several = classifier.classifyTexts(Seq(station, "a\u0000b", "Where is the station, please?"), Some(1))
    check(several.map(_.isSuccess) == IndexedSeq(true, false, true), several)
    check(several(0).get.head._1 == "German" && several(2).get.head._1 == "English", several)
    fails("character 0")(several(1).get)
    fails("topK is 0")(classifier.classify(station, Some(0)))
    fails("a pair")(classifier.classifyPair(station, "Ja."))
    classifier.close()
    fails("tokenizer")(new TextClassifier(languages,
      TextOptions.withTokenizer(org.mxinfer.TextOptions.Tokenizer.CHARACTERS, languages + "/vocab.json")))
    fails("/nowhere")(TextClassifier("/nowhere"))
    pairs()
  }

  /** Networks whose outputs are the channels of their images. */
  private def segmenters(source: String, two: java.awt.image.BufferedImage): Unit = {
    val folder = java.nio.file.Files.createTempDirectory("pixels")
    def write(name: String, op: String, attrs: String): String = {
      val symbol = s"""{"nodes": [{"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 16, 16)"}, "inputs": []},
        {"op": "$op", "name": "out", "attrs": {$attrs}, "inputs": [[0, 0, 0]]}],
        "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}"""
      java.nio.file.Files.write(folder.resolve(name + "-symbol.json"), symbol.getBytes("UTF-8"))
      folder.resolve(name).toString
    }
    val copying = write("copying", "_copy", "")
    val segmenter = ImageSegmenter(copying, Options("labels" -> """["red", "green", "blue"]"""))
    val found = segmenter.segment(two)
    check(found.width == two.getWidth && found.areas.size >= 1, found.areas)
    check(segmenter.segment(two, SegmentOptions.withMinScore(256)).areas.isEmpty, "unknown")
    check(segmenter.segmentImages(Seq(two, two)).forall(_.isSuccess), "images")
    val uri = new File(source + "/examples/images/two.png").toURI
    check(segmenter.segmentUri(uri).areas.toString == found.areas.toString, "by address")
    check(segmenter.segmentUris(Seq(URI.create("two.png"), uri)).map(_.isSuccess) == IndexedSeq(false, true), "addresses")
    check(get(segmenter.segmentAsync(two)).areas.toString == found.areas.toString, "later")
    segmenter.close()
    val points = KeypointDetector(copying)
    check(points.detectKeypoints(two, PoseOptions).points.size == 3, "points")
    check(points.detectKeypoints(two, Seq(new org.mxinfer.Box(0, 0, 9, 9)), PoseOptions).size == 1, "boxes")
    val digits = ObjectDetector(source + "/models/digit_detector")
    val scene = ImageIO.read(new File(source + "/models/digit_detector/scenes/08.jpg"))
    check(points.detectKeypoints(scene, digits, PoseOptions.withClasses()).size == digits.detect(scene).size, "objects")
    points.close()
    digits.close()
    val embedder = FaceEmbedder(write("averaging", "mean", """"axis": "(2, 3)""""))
    val landmarks = org.mxinfer.Faces.faceTemplate(16)
    check(embedder.embed(two).length == 3 && embedder.embed(two, landmarks).length == 3, "vectors")
    check(embedder.embedFaces(two, Seq(landmarks)).size == 1, "faces")
    check(embedder.embedImages(Seq(two)).head.get.length == 3, "images of faces")
    embedder.close()
  }

  private def sequences(source: String): Unit = {
    val sentences = source + "/models/sentences"
    val predictor = SequencePredictor(sentences)
    val outputs = predictor.predictSequence(Array(4))
    check(outputs.nonEmpty && get(predictor.predictSequenceAsync(Array(4))).size == outputs.size, outputs)
    check(predictor.predictSequences(Seq(Array(4), Array[Int]())).map(_.isSuccess) == IndexedSeq(true, false), "two")
    val session = predictor.session()
    check(predictor.step(Seq(session), Seq(Array(4))).head.get.head.shape == Shape(25), "a step")
    session.close()
    predictor.close()
    val generator = SequenceGenerator(sentences, Vocabulary.load(sentences + "/vocab.json"))
    check(generator.generate("the cat").head.text == "eats fish on the roof", "greedy")
    check(generator.generateTexts(Seq("the cat", "the old"), GenerateOptions.withMaxLength(2)).size == 2, "texts")
    check(generator.pieces("the cat").mkString.trim == "eats fish on the roof", "pieces")
    val generation = generator.start("the cat")
    check(generation.hasNext && generation.next() == 5, "a token")
    generation.close()
    generator.close()
    val steps = NDArray.array(Array(0.6f, 0.4f, 0.6f, 0.4f), Shape(2, 2))
    check(Ctc.greedy(steps, CtcOptions.withCharacters("a")).head.text == "", "greedy")
    check(Ctc.beamSearch(steps, CtcOptions.withCharacters("a")).head.head.text == "a", "beam")
  }

  private def words(source: String): Unit = {
    val vectors = WordVectors.load(source + "/examples/words/vectors.txt")
    check(vectors.nearest("king", 1, NearestOptions).get(0).word == "prince", "near")
    val vocabulary = Vocabulary(Seq("a", "b"), VocabularyOptions.withUnknown("a"))
    check(vocabulary.id("c") == 0, "unknown")
    val made = WordVectors(vocabulary, NDArray.array(Array(1f, 0f, 0f, 1f), Shape(2, 2)))
    check(made.similarity("a", "b") == 0f, "similarity")
    Seq(vectors, made, vocabulary).foreach(_.close())
  }

  /** Of a network that counts words. */
  private def pairs(): Unit = {
    val folder = java.nio.file.Files.createTempDirectory("texts")
    val words = Seq("<pad>", "<unk>", "good", "bad")
    val symbol = """{"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "one_hot", "name": "hot", "attrs": {"depth": "4"}, "inputs": [[0, 0, 0]]},
      {"op": "sum", "name": "counts", "attrs": {"axis": "1"}, "inputs": [[1, 0, 0]]}],
      "arg_nodes": [0], "heads": [[2, 0, 0]]}"""
    val files = Seq("net-symbol.json" -> symbol, "words.txt" -> words.mkString("\n")).map { case (name, contents) =>
      java.nio.file.Files.write(folder.resolve(name), contents.getBytes("UTF-8"))
    }
    val text = TextOptions.withTokenizer(org.mxinfer.TextOptions.Tokenizer.WHITESPACE, files(1)).withUnknown("<unk>")
    val options = Options("inputs" -> "data=-1,-1:float32:NT", "labels" -> words.mkString("[\"", "\", \"", "\"]"))
    val classifier = TextClassifier(folder.resolve("net").toString, text, options)
    check(classifier.classifyPair("good bad", "good good nice").map(_._2) == IndexedSeq(0f, 1f, 3f, 1f), "counts")
    val several = classifier.classifyPairs(Seq(("bad", "bad"), ("bad", "a\u0000b")), Some(1))
    check(several(0).get == IndexedSeq(("bad", 2f)), several)
    fails("character 0")(several(1).get)
    classifier.close()
    (files :+ folder).foreach(file => java.nio.file.Files.delete(file))
  }
}
