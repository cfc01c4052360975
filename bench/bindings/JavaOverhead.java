import java.awt.image.BufferedImage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.ImageClassifier;
import org.mxinfer.Model;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.Shape;
import org.mxinfer.Tensor;

/**
 * The calls of c_overhead.cpp from Java: what they take more than there is what Java adds.
 *
 * <pre>
 * build/release/bench/mxinfer_c_overhead
 * java -cp build/release/java/mxinfer.jar bench/bindings/JavaOverhead.java models/digits
 * </pre>
 *
 * <p>Prints nanoseconds of a call, the least of many rounds.
 */
public final class JavaOverhead {
  private static final String ADD = "{\"nodes\": [{\"op\": \"null\", \"name\": \"a\", \"inputs\": []},"
      + "{\"op\": \"null\", \"name\": \"b\", \"inputs\": []},"
      + "{\"op\": \"elemwise_add\", \"name\": \"sum\", \"inputs\": [[0, 0, 0], [1, 0, 0]]}],"
      + "\"arg_nodes\": [0, 1], \"heads\": [[2, 0, 0]]}";

  private static void measure(String what, int calls, Runnable call) {
    double least = Double.MAX_VALUE;
    for (int round = 0; round < 60; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        call.run();
      }
      least = Math.min(least, (double) (System.nanoTime() - start) / calls);
    }
    System.out.printf("%-28s Java %8.0f ns%n", what, least);
  }

  public static void main(String[] arguments) {
    Options options = new Options().threads(1);
    Shape free = Shape.of(-1, 4);
    List<DataDesc> inputs = List.of(new DataDesc("a", free), new DataDesc("b", free));
    try (Model model = Model.loadMemory(ADD.getBytes(StandardCharsets.UTF_8), null, new Options().inputs(inputs));
        Predictor predictor = new Predictor(model, options);
        ImageClassifier classifier = new ImageClassifier(arguments[0], options)) {
      float[] four = {1, 2, 3, 4};
      List<Tensor> given = List.of(Tensor.of(four, 1, 4), Tensor.of(four, 1, 4));
      List<Tensor> sum = List.of(Tensor.allocate(DType.FLOAT32, 1, 4));
      measure("addition, predictInto", 20000, () -> predictor.predictInto(given, sum));
      measure("addition, predict(List)", 20000, () -> predictor.predict(given));
      measure("addition, predict(float[]..)", 20000, () -> predictor.predict(four, four));
      BufferedImage image = new BufferedImage(64, 64, BufferedImage.TYPE_3BYTE_BGR);
      measure("model, classify an image", 500, () -> classifier.classify(image, 5));
    }
  }
}
