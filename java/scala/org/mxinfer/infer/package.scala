package org.mxinfer

/** mxinfer for Scala: a thin layer over [[org.mxinfer]], with the names of MXNet's Scala inference API. To migrate, change
  * the imports.
  *
  * {{{
  * import org.mxinfer.infer._
  *
  * val classifier = ImageClassifier("models/digits")
  * classifier.classify(image, 5).foreach(println)
  * classifier.close()
  * }}}
  *
  * As in Java, any number of threads may use one object, `close()` or the garbage collector frees it, and errors are
  * [[org.mxinfer.MxinferException]].
  */
package object infer {
  type Model = org.mxinfer.Model
  type Options = org.mxinfer.Options
  type SubmitOptions = org.mxinfer.SubmitOptions
  type Tensor = org.mxinfer.Tensor
  type DeviceTensor = org.mxinfer.DeviceTensor
  type PinnedTensor = org.mxinfer.PinnedTensor
  type DType = org.mxinfer.DType
  type Shape = org.mxinfer.Shape
  type DataDesc = org.mxinfer.DataDesc
  type Classification = org.mxinfer.Classification
  type Detection = org.mxinfer.Detection
  type TextOptions = org.mxinfer.TextOptions
  type Segmentation = org.mxinfer.Segmentation
  type SegmentArea = org.mxinfer.SegmentArea
  type SegmentOptions = org.mxinfer.SegmentOptions
  type Box = org.mxinfer.Box
  type Keypoint = org.mxinfer.Keypoint
  type Pose = org.mxinfer.Pose
  type PoseOptions = org.mxinfer.PoseOptions
  type Vocabulary = org.mxinfer.Vocabulary
  type VocabularyOptions = org.mxinfer.VocabularyOptions
  type Tokenizer = org.mxinfer.Tokenizer
  type WordVectors = org.mxinfer.WordVectors
  type NearWord = org.mxinfer.NearWord
  type NearestOptions = org.mxinfer.NearestOptions
  type BucketedModel = org.mxinfer.BucketedModel
  type SequenceOptions = org.mxinfer.SequenceOptions
  type Session = org.mxinfer.Session
  type GeneratorOptions = org.mxinfer.GeneratorOptions
  type GenerateOptions = org.mxinfer.GenerateOptions
  type Generated = org.mxinfer.Generated
  type Generation = org.mxinfer.Generation
  type CtcOptions = org.mxinfer.CtcOptions
  type CtcSequence = org.mxinfer.CtcSequence
  type MxinferException = org.mxinfer.MxinferException

  /** The name of arrays in MXNet. */
  type NDArray = org.mxinfer.Tensor

  /** The defaults, which suit a model that takes texts itself. */
  val TextOptions: TextOptions = org.mxinfer.TextOptions.DEFAULT

  // The defaults, to begin with: `GenerateOptions.withMaxLength(20)`.
  val SegmentOptions: SegmentOptions = org.mxinfer.SegmentOptions.DEFAULT
  val PoseOptions: PoseOptions = org.mxinfer.PoseOptions.DEFAULT
  val VocabularyOptions: VocabularyOptions = org.mxinfer.VocabularyOptions.DEFAULT
  val NearestOptions: NearestOptions = org.mxinfer.NearestOptions.DEFAULT
  val SequenceOptions: SequenceOptions = org.mxinfer.SequenceOptions.DEFAULT
  val GeneratorOptions: GeneratorOptions = org.mxinfer.GeneratorOptions.DEFAULT
  val GenerateOptions: GenerateOptions = org.mxinfer.GenerateOptions.DEFAULT
  val CtcOptions: CtcOptions = org.mxinfer.CtcOptions.DEFAULT

  // The names of the first design of MXNet's API.
  type MXNetPredictor = Predictor
  type MXNetClassifier = Classifier
  type MXNetImageClassifier = ImageClassifier
  type MXNetImageDetector = ObjectDetector
  val MXNetPredictor: Predictor.type = Predictor
  val MXNetClassifier: Classifier.type = Classifier
  val MXNetImageClassifier: ImageClassifier.type = ImageClassifier
  val MXNetImageDetector: ObjectDetector.type = ObjectDetector
}
