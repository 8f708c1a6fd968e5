// The operator's log: what happens to the service, as lines of JSON on stderr. Decisions are not in it.

#ifndef HCLVM_CMD_HCLVM_SERVE_EVENT_LOG_H_
#define HCLVM_CMD_HCLVM_SERVE_EVENT_LOG_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/serve/bundle_loader.h"

namespace hcl::serve {

// Writes one line: {"time": ..., "level": ..., "event": ..., NAME: VALUE...}. Thread-safe.
void LogEvent(std::string_view level, std::string_view event,
              const std::vector<std::pair<std::string, std::string>>& fields = {});

// What became of a bundle.
void LogLoad(const LoadEvent& event);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_EVENT_LOG_H_
