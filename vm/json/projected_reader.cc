// ReadProjected. Tested by vm/json/json_projection_test.cc.
//
// Objects of which a part is needed are read here, property by property; what is needed whole is read as ever, and what
// is not is skipped. Objects in a part that is needed get keys as all others do, so that texts of one form have one
// shape, however their other properties change.

#include "hclvm/vm/json/projected_reader.h"

#include <cstddef>
#include <cstdint>

#include "absl/base/optimization.h"
#include "hclvm/vm/json/json_cursor.h"
#include "hclvm/vm/json/key_paths.h"
#include "hclvm/vm/json/value_reader.h"

namespace hcl::internal {
namespace {

class ProjectedReader : private JsonValueReader {
 public:
  using JsonValueReader::JsonValueReader;

  bool ReadAll(const JsonProjection& needed, Value* value) {
    return ReadDocument(value, [&](const char* at, uint32_t depth, KeyPath* path, Items* items) {
      return ReadNeeded(at, depth, needed, path, items);
    });
  }

 private:
  // As ReadItem(). Recursion is bounded by `depth`.
  const char* ReadNeeded(const char* at, uint32_t depth, const JsonProjection& needed, KeyPath* path, Items* outer) {
    const char c = Peek(&at);
    const bool is_part = !needed.needs_all() && (c == '{' || (c == '[' && needed.items() != nullptr));
    if (!is_part) return ReadItem(at, depth, path, outer);
    if (depth == 0) return FailDepth(at);
    if (c == '{') return ReadProperties(at + 1, depth - 1, needed, path, outer);
    return ReadArrayOf(at + 1, outer, [&](const char* from, Items* items) {
      return ReadNeeded(from, depth - 1, *needed.items(), path, items);
    });
  }

  const char* ReadProperties(const char* at, uint32_t depth, const JsonProjection& needed, KeyPath* outer_path,
                             Items* outer) {
    OpenObject object = Open(at, outer_path);
    uint32_t skipped = 0;  // properties in a row
    bool more = Peek(&at) != '}';
    while (more) {
      const JsonProjection* property = needed.items();
      Peek(&at);
      const char* name_end = property == nullptr ? FindProperty(at, needed, &property) : nullptr;
      if (property != nullptr) {
        skipped = 0;
        at = TakeKey(at, &object);
        if (at != nullptr) at = TakeColon(at);
        if (at != nullptr) at = ReadNeeded(at, depth, *property, object.path, &object.items);
      } else {
        ++skipped;
        at = name_end == nullptr ? nullptr : SkipValue(name_end, depth);
      }
      if (at == nullptr) return nullptr;
      at = EndProperty(at, &more);
      if (at == nullptr) return nullptr;
      if (skipped == kFewSkipped && more) {
        at = state_.skipper.SkipProperties(at, end_, depth, needed.names());
        if (at == nullptr) return nullptr;
        more = *at == '"';
        skipped = 0;
      }
    }
    ++at;
    return MakeObjectOf(object, at, outer) ? at : nullptr;
  }

  // The property whose name is at `at`, as far as it is needed. Returns the end of the name; null where none is there.
  const char* FindProperty(const char* at, const JsonProjection& needed, const JsonProjection** property) {
    std::string_view name;
    at = TakeName(at, &name);
    if (at != nullptr) *property = needed.Find(name);
    return at;
  }

  // From behind the name to behind the value.
  const char* SkipValue(const char* at, uint32_t depth) {
    if (Peek(&at) != ':') return nullptr;
    ++at;
    Peek(&at);
    return at == end_ ? nullptr : state_.skipper.Skip(at, end_, depth);
  }
};

}  // namespace

bool ReadProjected(std::string_view text, const JsonProjection& needed, Heap* heap, ReaderState* state, Value* value,
                   JsonError* error) {
  return ProjectedReader(text, heap, state, error).ReadAll(needed, value);
}

}  // namespace hcl::internal
