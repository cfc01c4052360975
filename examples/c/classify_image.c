// Classifies images, and prints the five best classes of each: `classify_image MODEL IMAGE...`.
#include <mxinfer_c.h>
#include <stdio.h>

static int fail(void) {
  fprintf(stderr, "%s\n", mxinfer_last_error());
  return 1;
}

int main(int count, char** arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: classify_image MODEL IMAGE...\n");
    return 2;
  }
  mxinfer_image_classifier* classifier = NULL;
  if (mxinfer_image_classifier_open(arguments[1], NULL, &classifier) != MXINFER_OK) return fail();
  for (int i = 2; i < count; ++i) {
    mxinfer_classes* best = NULL;
    if (mxinfer_image_classifier_classify_file(classifier, arguments[i], 5, &best) != MXINFER_OK)
      return fail();
    printf("%s\n", arguments[i]);
    for (size_t k = 0; k < mxinfer_classes_count(best, 0); ++k) {
      mxinfer_class found;
      found.struct_size = sizeof found;
      if (mxinfer_classes_get(best, 0, k, &found) != MXINFER_OK) return fail();
      printf("  %-12s %.4f\n", found.label, (double)found.score);
    }
    mxinfer_classes_free(best);
  }
  mxinfer_image_classifier_free(classifier);
  return 0;
}
