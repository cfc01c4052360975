// Submits images from one thread, and prints each result when it is done. Like an event loop, the thread
// waits on a file descriptor: `event_loop MODEL IMAGE...`.
#include <mxinfer_c.h>
#include <poll.h>
#include <stdio.h>

static int fail(void) {
  fprintf(stderr, "%s\n", mxinfer_last_error());
  return 1;
}

// Prints the requests that have ended so far.
static int answer(mxinfer_completion_queue* done, char** names) {
  for (;;) {
    uint64_t tag = 0;
    mxinfer_request* request = NULL;
    if (mxinfer_completion_queue_next(done, 0, &tag, &request) != MXINFER_OK) return fail();
    if (request == NULL) return 0;
    mxinfer_classes* best = NULL;
    mxinfer_class found;
    found.struct_size = sizeof found;
    if (mxinfer_request_classes(request, &best) == MXINFER_OK &&
        mxinfer_classes_get(best, 0, 0, &found) == MXINFER_OK)
      printf("%s: %s\n", names[tag], found.label);
    else
      printf("%s: %s\n", names[tag], mxinfer_last_error());
    mxinfer_classes_free(best);
    mxinfer_request_free(request);
  }
}

int main(int count, char** arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: event_loop MODEL IMAGE...\n");
    return 2;
  }
  mxinfer_image_classifier* classifier = NULL;
  mxinfer_completion_queue* done = NULL;
  int fd = -1;
  if (mxinfer_image_classifier_open(arguments[1], NULL, &classifier) != MXINFER_OK ||
      mxinfer_completion_queue_create(&done) != MXINFER_OK ||
      mxinfer_completion_queue_fd(done, &fd) != MXINFER_OK)
    return fail();
  for (int i = 2; i < count; ++i) {
    mxinfer_request* request = NULL;
    if (mxinfer_image_classifier_submit_file(classifier, arguments[i], 1, NULL, &request) != MXINFER_OK ||
        mxinfer_completion_queue_add(done, (uint64_t)i, request) != MXINFER_OK)
      return fail();
  }
  while (mxinfer_completion_queue_size(done) > 0) {
    struct pollfd watched = {fd, POLLIN, 0};
    poll(&watched, 1, -1);
    if (answer(done, arguments) != 0) return 1;
  }
  mxinfer_completion_queue_free(done);
  mxinfer_image_classifier_free(classifier);
  return 0;
}
