#include "sources/remote/origin.h"

#include "base/fail.h"
#include "base/threads/call_context.h"
#include "sources/address.h"
#include "sources/remote/http/retry.h"
#include "sources/store.h"

namespace mxinfer::sources {

FileStatus Origin::status(HttpPool& /*pool*/, const std::string& address) const {
  fail(ErrorCode::internal, printable(shown(address)), kTrail, "its origin has no status of files");
}

std::optional<std::chrono::milliseconds> Origin::learn(const std::string& /*address*/,
                                                       const HttpResponse& /*response*/,
                                                       const std::string& /*words*/) const {
  return std::nullopt;
}

bool Origin::is_absent(const HttpResponse& response, const std::string& /*words*/) const {
  return response.status == 404 || response.status == 410;
}

std::string Origin::advice(const std::string& /*address*/, const HttpResponse& response,
                           const std::string& words) const {
  std::string text = words.empty() ? std::string() : ": " + printable(words);
  if (response.status == 401 || response.status == 403) {
    text +=
        "; it requires other credentials, or these may not read it (RemoteOptions::headers; a signed address "
        "may have expired)";
  } else if (response.status == 407) {
    text += kProxyAdvice;
  } else if (may_succeed_later(response.status)) {
    text += "; the server or a proxy in front of it is overloaded or broken: try again later";
  }
  return text;
}

std::optional<std::vector<std::string>> Origin::list(HttpPool& /*pool*/, const std::string& /*folder*/,
                                                     const std::string& /*start*/) const {
  return std::nullopt;
}

TextResponse ask(HttpPool& pool, const RemoteOptions& options, const Origin& origin,
                 const std::string& address, const std::function<HttpRequest()>& make,
                 std::size_t most_bytes) {
  const std::atomic<bool>* const cancelled = call_context().cancelled;
  Retries retries(options, address, cancelled);
  for (;;) {
    Collected body(most_bytes);
    std::string words;
    HttpResponse response;
    try {
      response = HttpPool::Lease(pool)->send(make(), body, cancelled);
      if (response.status >= 200 && response.status < 300) return {response, body.text};
      words = body.text;
    } catch (const TransferBroke& e) {
      words = e.what();
      response.address = e.address();
    }
    if (const auto pause = origin.learn(address, response, words)) {
      retries.pause(*pause);
      continue;
    }
    const bool is_answer = response.status != 0;
    if (is_answer && !may_succeed_later(response.status)) return {response, words};
    const std::string why =
        is_answer ? concat("the server answered ", response.status, origin.advice(address, response, words))
                  : words;
    retries.pause_or_fail(why, asked_pause(response));
  }
}

void fail_refused(const Origin& origin, const std::string& address, const HttpResponse& response,
                  const std::string& words) {
  const std::string message = concat(printable(shown(address)), kTrail, "the server answered ",
                                     response.status, origin.advice(address, response, words));
  if (response.status == 401 || response.status == 403) throw Refused(message);
  throw Error(ErrorCode::network, message);
}

}  // namespace mxinfer::sources
