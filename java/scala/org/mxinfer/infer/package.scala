package org.mxinfer

/** mxinfer for Scala: a thin layer over [[org.mxinfer]], with the names of MXNet's Scala inference API, so that to migrate
  * is to change the imports.
  *
  * {{{
  * import org.mxinfer.infer._
  *
  * val classifier = ImageClassifier("models/digits")
  * classifier.classify(image, 5).foreach(println)
  * classifier.close()
  * }}}
  *
  * Everything that holds in Java holds here: any number of threads may use one object, `close()` or the garbage collector
  * frees it, and errors are [[org.mxinfer.MxinferException]].
  */
package object infer {
  type Model = org.mxinfer.Model
  type Options = org.mxinfer.Options
  type SubmitOptions = org.mxinfer.SubmitOptions
  type Tensor = org.mxinfer.Tensor
  type DeviceTensor = org.mxinfer.DeviceTensor
  type DType = org.mxinfer.DType
  type Shape = org.mxinfer.Shape
  type DataDesc = org.mxinfer.DataDesc
  type Classification = org.mxinfer.Classification
  type Detection = org.mxinfer.Detection
  type TextOptions = org.mxinfer.TextOptions
  type MxinferException = org.mxinfer.MxinferException

  /** What arrays are called in MXNet. */
  type NDArray = org.mxinfer.Tensor

  /** Those of a model that takes texts by itself, to begin with. */
  val TextOptions: TextOptions = org.mxinfer.TextOptions.DEFAULT

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
