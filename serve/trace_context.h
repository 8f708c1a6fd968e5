// W3C trace context: which trace a request belongs to, and identifiers of decisions.
//
// Tested by serve/trace_context_test.cc.

#ifndef HCLVM_SERVE_TRACE_CONTEXT_H_
#define HCLVM_SERVE_TRACE_CONTEXT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hcl::serve {

struct TraceContext {
  std::string_view trace_id;  // 32 hexadecimal digits
  std::string_view span_id;   // 16
};

// What the header `traceparent` says; none where it is not well formed, which is as if it was not there. Views of
// `text`.
std::optional<TraceContext> ParseTraceParent(std::string_view text);

// Makes identifiers of decisions: random UUIDs. Belongs to one thread.
class IdSource {
 public:
  IdSource();
  // 36 characters, until the next call.
  std::string_view Next();
  // A number from 0 to 1, without the latter.
  double NextFraction();

 private:
  uint64_t NextWord();

  std::array<uint64_t, 4> state_;
  char text_[36];
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_TRACE_CONTEXT_H_
