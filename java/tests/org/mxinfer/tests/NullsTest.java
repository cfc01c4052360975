package org.mxinfer.tests;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.junit.Test;
import org.mxinfer.BucketedModel;
import org.mxinfer.Classifier;
import org.mxinfer.Ctc;
import org.mxinfer.CtcOptions;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.DetectOptions;
import org.mxinfer.DrawOptions;
import org.mxinfer.Drawing;
import org.mxinfer.ErrorCode;
import org.mxinfer.FaceEmbedder;
import org.mxinfer.Faces;
import org.mxinfer.GenerateOptions;
import org.mxinfer.GeneratorOptions;
import org.mxinfer.ImageClassifier;
import org.mxinfer.ImageSegmenter;
import org.mxinfer.KeypointDetector;
import org.mxinfer.Model;
import org.mxinfer.NearestOptions;
import org.mxinfer.NmsOptions;
import org.mxinfer.ObjectDetector;
import org.mxinfer.Options;
import org.mxinfer.PoseOptions;
import org.mxinfer.Predictor;
import org.mxinfer.SegmentOptions;
import org.mxinfer.Segmentation;
import org.mxinfer.SequenceGenerator;
import org.mxinfer.SequenceOptions;
import org.mxinfer.SequencePredictor;
import org.mxinfer.Session;
import org.mxinfer.Shape;
import org.mxinfer.SubmitOptions;
import org.mxinfer.TableOptions;
import org.mxinfer.TablePredictor;
import org.mxinfer.Tensor;
import org.mxinfer.TextClassifier;
import org.mxinfer.TextOptions;
import org.mxinfer.Tokenizer;
import org.mxinfer.Vocabulary;
import org.mxinfer.VocabularyOptions;
import org.mxinfer.WordPieceOptions;
import org.mxinfer.WordVectors;
import org.mxinfer.WordVectorsOptions;

/** Every reference that every public function takes, null in its turn. */
public class NullsTest {
  private static final Map<Class<?>, Object> SAMPLES = new HashMap<>();

  static {
    SAMPLES.put(String.class, TestData.DIGITS);
    SAMPLES.put(Path.class, TestData.TWO);
    SAMPLES.put(URI.class, TestData.TWO.toUri());
    SAMPLES.put(byte[].class, TestData.bytes(TestData.TWO));
    SAMPLES.put(float[].class, TestData.sample(1));
    SAMPLES.put(double[].class, new double[1024]);
    SAMPLES.put(int[].class, new int[1024]);
    SAMPLES.put(long[].class, new long[] {1});
    SAMPLES.put(float[][].class, new float[][] {TestData.sample(1)});
    SAMPLES.put(double[][].class, new double[][] {new double[1024]});
    SAMPLES.put(List.class, List.of());
    SAMPLES.put(Iterable.class, List.of());
    SAMPLES.put(Map.class, Map.of());
    SAMPLES.put(BufferedImage.class, new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB));
    SAMPLES.put(ByteBuffer.class, ByteBuffer.allocate(4));
    SAMPLES.put(Duration.class, Duration.ofSeconds(1));
    SAMPLES.put(Executor.class, (Executor) Runnable::run);
    SAMPLES.put(Options.class, new Options());
    SAMPLES.put(SubmitOptions.class, SubmitOptions.DEFAULT);
    SAMPLES.put(DType.class, DType.FLOAT32);
    SAMPLES.put(Shape.class, Shape.of(1));
    SAMPLES.put(Tensor.class, Tensor.of(new float[] {1}));
    SAMPLES.put(Model.class, Model.load(TestData.DIGITS));
    SAMPLES.put(DataDesc.class, new DataDesc("data", Shape.of(1)));
    SAMPLES.put(ErrorCode.class, ErrorCode.INTERNAL);
    SAMPLES.put(Predictor.class, new Predictor(TestData.DIGITS));
    SAMPLES.put(Classifier.class, new Classifier(TestData.DIGITS));
    SAMPLES.put(ImageClassifier.class, new ImageClassifier(TestData.DIGITS));
    SAMPLES.put(ObjectDetector.class, new ObjectDetector(TestData.SSD, new Options().height(48).width(48)));
    SAMPLES.put(DetectOptions.class, DetectOptions.DEFAULT);
    SAMPLES.put(NmsOptions.class, NmsOptions.DEFAULT);
    SAMPLES.put(NmsOptions.Method.class, NmsOptions.Method.HARD);
    SAMPLES.put(NmsOptions.Overlap.class, NmsOptions.Overlap.IOU);
    SAMPLES.put(TextClassifier.class, new TextClassifier(TestData.LANGUAGES));
    SAMPLES.put(TextOptions.class, TextOptions.DEFAULT);
    SAMPLES.put(TextOptions.Tokenizer.class, TextOptions.Tokenizer.BASIC);
    SAMPLES.put(TextOptions.Side.class, TextOptions.Side.LEFT);
    SAMPLES.put(TextOptions.TooLong.class, TextOptions.TooLong.ERROR);
    SAMPLES.put(String[].class, new String[] {"0"});
    SAMPLES.put(Tokenizer.class, Tokenizer.whitespace(false));
    SAMPLES.put(Vocabulary.class, Vocabulary.of(List.of("a"), VocabularyOptions.DEFAULT));
    SAMPLES.put(VocabularyOptions.class, VocabularyOptions.DEFAULT);
    SAMPLES.put(VocabularyOptions.Format.class, VocabularyOptions.Format.WORDS);
    SAMPLES.put(WordPieceOptions.class, WordPieceOptions.DEFAULT);
    SAMPLES.put(WordVectors.class, WordVectors.load(TestData.SOURCE.resolve("examples/words/vectors.txt")));
    SAMPLES.put(WordVectorsOptions.class, WordVectorsOptions.DEFAULT);
    SAMPLES.put(WordVectorsOptions.Format.class, WordVectorsOptions.Format.TEXT);
    SAMPLES.put(NearestOptions.class, NearestOptions.DEFAULT);
    SAMPLES.put(BucketedModel.class, BucketedModel.load(
        TestData.SOURCE.resolve("tests/golden/sequences/lstm").toString(), new Options()));
    SequencePredictor sentences = new SequencePredictor(SequenceTest.SENTENCES);
    SAMPLES.put(SequencePredictor.class, sentences);
    SAMPLES.put(SequenceOptions.class, SequenceOptions.DEFAULT);
    SAMPLES.put(Session.class, sentences.session());
    SequenceGenerator generator =
        new SequenceGenerator(SequenceTest.SENTENCES, GeneratorOptions.DEFAULT, new Options());
    SAMPLES.put(SequenceGenerator.class, generator);
    SAMPLES.put(GeneratorOptions.class, GeneratorOptions.DEFAULT);
    SAMPLES.put(GeneratorOptions.Step.class, GeneratorOptions.Step.AUTOMATIC);
    SAMPLES.put(GeneratorOptions.Scores.class, GeneratorOptions.Scores.AUTOMATIC);
    SAMPLES.put(GenerateOptions.class, GenerateOptions.DEFAULT);
    SAMPLES.put(GenerateOptions.Search.class, GenerateOptions.Search.GREEDY);
    SAMPLES.put(Predicate.class, (Predicate<int[]>) ids -> true);
    SAMPLES.put(CtcOptions.class, CtcOptions.DEFAULT);
    SAMPLES.put(CtcOptions.Scores.class, CtcOptions.Scores.LOGITS);
    SAMPLES.put(CtcOptions.Layout.class, CtcOptions.Layout.NTC);
    SAMPLES.put(TableOptions.class, TableOptions.DEFAULT);
    SAMPLES.put(TableOptions.Errors.class, TableOptions.Errors.FAIL);
    SAMPLES.put(ImageSegmenter.class, new ImageSegmenter(SegmentTest.copying(), new Options()));
    SAMPLES.put(SegmentOptions.class, SegmentOptions.DEFAULT);
    SAMPLES.put(Segmentation.class, new ImageSegmenter(SegmentTest.copying(), new Options()).segment(TestData.TWO));
    SAMPLES.put(KeypointDetector.class, new KeypointDetector(SegmentTest.copying(), new Options()));
    SAMPLES.put(PoseOptions.class, PoseOptions.DEFAULT);
    SAMPLES.put(PoseOptions.Peak.class, PoseOptions.Peak.CELL);
    SAMPLES.put(FaceEmbedder.class, new FaceEmbedder(SegmentTest.averaging(), new Options(), true));
    SAMPLES.put(DrawOptions.class, DrawOptions.DEFAULT);
    SAMPLES.put(Color[].class, new Color[] {Color.RED});
    SAMPLES.put(int.class, 1);
    SAMPLES.put(long.class, 1L);
    SAMPLES.put(float.class, 1f);
    SAMPLES.put(double.class, 1.0);
    SAMPLES.put(boolean.class, true);
  }

  /** Networks without parameters have none. */
  private static boolean mayBeNull(Executable function, int argument) {
    return argument == 1 && (function.getName().equals("loadFiles") || function.getName().equals("loadMemory"));
  }

  private static int tryNulls(Executable function, Object self) throws Exception {
    Class<?>[] types = function.getParameterTypes();
    int tried = 0;
    for (int i = 0; i < types.length; i++) {
      if (types[i].isPrimitive() || mayBeNull(function, i)) {
        continue;
      }
      Object[] arguments = new Object[types.length];
      for (int a = 0; a < types.length; a++) {
        assertTrue("no sample of " + types[a], SAMPLES.containsKey(types[a]));
        arguments[a] = a == i ? null : SAMPLES.get(types[a]);
      }
      String what = function + " with argument " + i + " null";
      Throwable thrown = thrown(function, self, arguments);
      assertTrue(what + ": " + thrown, thrown instanceof NullPointerException);
      assertNotNull(what, thrown.getMessage());
      assertFalse(what + " is not named: " + thrown.getMessage(), thrown.getMessage().contains("Cannot"));
      tried++;
    }
    return tried;
  }

  private static Throwable thrown(Executable function, Object self, Object[] arguments) throws Exception {
    try {
      if (function instanceof Method) {
        ((Method) function).invoke(self, arguments);
      } else {
        ((Constructor<?>) function).newInstance(arguments);
      }
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    }
  }

  @Test
  public void nullsAreToldByName() throws Exception {
    int tried = 0;
    for (Class<?> type : List.of(Model.class, Predictor.class, Classifier.class, ImageClassifier.class,
        ObjectDetector.class, DetectOptions.class, NmsOptions.class, TextClassifier.class, TextOptions.class,
        Options.class, SubmitOptions.class, Tensor.class, Shape.class, DataDesc.class, Vocabulary.class,
        VocabularyOptions.class, Tokenizer.class, WordPieceOptions.class, WordVectors.class,
        WordVectorsOptions.class, NearestOptions.class, BucketedModel.class, SequencePredictor.class, SequenceOptions.class,
        Session.class, SequenceGenerator.class, GeneratorOptions.class, GenerateOptions.class, CtcOptions.class, Ctc.class,
        TableOptions.class, TablePredictor.class, ImageSegmenter.class, SegmentOptions.class, KeypointDetector.class,
        PoseOptions.class, FaceEmbedder.class, Faces.class, Drawing.class, DrawOptions.class)) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && !method.getName().equals("equals")) {
          tried += tryNulls(method, SAMPLES.get(type));
        }
      }
      for (Constructor<?> constructor : type.getConstructors()) {
        tried += tryNulls(constructor, null);
      }
    }
    assertTrue("tried " + tried, tried > 250);
  }
}
