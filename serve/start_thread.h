// StartThread: a thread, or why there is none. The system may refuse one, and that is no end of the process.
//
// Tested by tests/serve/refused_test.py.

#ifndef HCLVM_SERVE_START_THREAD_H_
#define HCLVM_SERVE_START_THREAD_H_

#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace hcl::serve {

// Runs `work` in *thread. Fails, with nothing started, where the system gives no thread.
template <typename Work>
absl::Status StartThread(Work work, std::thread* thread) {
  try {
    *thread = std::thread(std::move(work));
  } catch (const std::system_error& error) {
    return absl::UnavailableError(absl::StrCat("the system gives no thread: ", error.what()));
  }
  return absl::OkStatus();
}

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_START_THREAD_H_
