/**
 * mxinfer for Java: runs Apache MXNet models without MXNet.
 *
 * <pre>{@code
 * try (ImageClassifier classifier = new ImageClassifier("models/digits")) {
 *   System.out.println(classifier.classify(Path.of("seven.jpg"), 1).get(0).label());
 * }
 * }</pre>
 *
 * <p>What holds for all classes:
 *
 * <ul>
 *   <li>An argument that is null throws a {@link java.lang.NullPointerException} with the argument's name. Any other argument
 *       that does not fit throws an {@link org.mxinfer.MxinferException} with a code and the library's message.
 *   <li>Any number of threads may use one model, predictor, vocabulary, tokenizer or word vectors at once. Threads that share a
 *       {@link org.mxinfer.Session} or a {@link org.mxinfer.Generation} wait for each other.
 *   <li>Close them with {@code close()}. Otherwise they are freed some time after nothing refers to them. After {@code close()}
 *       functions throw {@link java.lang.IllegalStateException}. A call that runs at that time ends normally.
 * </ul>
 */
package org.mxinfer;
