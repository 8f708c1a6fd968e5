// The reader of scopes: a line, read by a reader that knows the lines before it, and by one that does not.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "hclvm/base/limits.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/simdjson_peer.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {
namespace {

// Of an input: more would be more of the same, and each is read five times.
constexpr int kMaxLines = 100;

struct Reading {
  bool ok = false;
  Value value;
  JsonError error;
};

Reading Read(std::string_view line, JsonReader* reader, Heap* heap) {
  const Watch watch("reading a scope", line.size());
  Reading reading;
  reading.ok = reader->Read(line, heap, &reading.value, &reading.error);
  Require(reading.ok || (!reading.error.summary.empty() && reading.error.offset <= line.size()),
          "an error has a summary and a place in the text", reading.error.detail);
  return reading;
}

void CompareWithPeer(std::string_view line, const Reading& reading, SimdjsonPeer* peer) {
  if (!reading.ok && reading.error.is_limit) return;
  const SimdjsonPeer::Verdict verdict = peer->Judge(line);
  if (verdict == SimdjsonPeer::Verdict::kNoOpinion) return;
  const bool valid = verdict == SimdjsonPeer::Verdict::kValid;
  if (!reading.ok) {
    Require(!valid || reading.error.summary == "Duplicate property", "simdjson accepts what the reader accepts",
            reading.error.summary + ": " + reading.error.detail);
    return;
  }
  Require(valid, "the reader accepts what simdjson accepts", line);
  Require(peer->Says(reading.value), "simdjson reads the same value", line);
}

// Typed JSON takes an object whose first attribute is called "$unknown" and holds an array for an unknown value.
bool LooksUnknown(std::string_view written) { return written.find("{\"$unknown\":[") != std::string_view::npos; }

// A number of few bytes can have many digits when it is written, which is a limit.
void WriteAndRead(std::string_view line, const Value& value) {
  const Watch watch("writing and reading a scope", line.size() + value.weight() * 16);
  std::string text;
  Limits limits;
  limits.max_output_bytes = 16 << 20;
  JsonError error;
  if (!AppendJson(value, limits, &text, &error)) {
    Require(error.is_limit, "JSON that was read can be written", error.detail);
    return;
  }
  Heap heap;
  Value again;
  const bool read = JsonReader().Read(text, &heap, &again, &error);
  Require(read, "JSON that was written can be read", error.detail + "\n" + text);
  Require(Identical(value, again), "JSON reads as it was written", text);
  if (LooksUnknown(text)) return;
  std::string typed;
  AppendTypedJson(value, heap.types(), &typed);
  Require(JsonReader().ReadTyped(typed, &heap, &again, &error) && Identical(value, again),
          "typed JSON reads as it was written", error.detail + "\n" + typed);
}

}  // namespace

// The readers that know earlier lines read each line twice, so that the second time all keys come as expected.
void FuzzScope(std::string_view input) {
  static SimdjsonPeer* const peer = new SimdjsonPeer();
  JsonReader reader;
  Heap fresh_heap;
  Heap heap;
  int lines = 0;
  for (size_t begin = 0; begin <= input.size() && lines < kMaxLines; ++lines) {
    const size_t end = std::min(input.find('\n', begin), input.size());
    const std::string_view line = input.substr(begin, end - begin);
    begin = end + 1;
    fresh_heap.Reset();
    JsonReader fresh;
    const Reading first = Read(line, &fresh, &fresh_heap);
    for (int n = 0; n < 2; ++n) {
      heap.Reset();
      const Reading again = Read(line, &reader, &heap);
      Require(first.ok == again.ok &&
                  (first.ok ? Identical(first.value, again.value)
                            : first.error.summary == again.error.summary && first.error.offset == again.error.offset),
              "a reader that knows other lines reads the same", line);
    }
    CompareWithPeer(line, first, peer);
    if (first.ok) WriteAndRead(line, first.value);
  }
}

}  // namespace hcl::fuzz
