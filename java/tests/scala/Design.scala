// The program of the design of MXNet's Scala inference API (appendix 2), with this library's imports. Arguments: the model
// and an image; digits has another input than ImageNet's networks.
import javax.imageio.ImageIO
import org.mxinfer.infer._

object Design {
  def main(arguments: Array[String]): Unit = {
    val model_files = arguments(0)

    //define input and output descriptors
    val input_descriptor = DataDesc("data", Shape(1, 1, 32, 32))
    val output_descriptor = DataDesc("softmax", Shape(1, 10))
    //create a inference object
    val infer_object = MXNetImageClassifier(model_files, input_descriptor, output_descriptor)
    val input_image = ImageIO.read(new java.io.File(arguments(1)))
    //run classification inference task.
    val result = infer_object.classify(input_image, 5)

    assert(result.size == 5 && result.head._1 == "two", result)
    println("design: " + result.head._1)
    infer_object.close()
  }
}
