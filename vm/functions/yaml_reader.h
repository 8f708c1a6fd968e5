// YamlReader: one YAML document as a value.
//
// Tested by vm/functions/yaml_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_YAML_READER_H_
#define HCLVM_VM_FUNCTIONS_YAML_READER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"
#include "yaml.h"

namespace hcl::internal {

// Reads for one call. Mappings become objects, sequences tuples, scalars what ResolveYamlScalar says; quoted ones are
// text. An alias is the value of its anchor, `<<` in a mapping merges others into it. An empty document is null.
// Bounds: Limits::max_nesting_depth, and the size of the value as a tree, which aliases could make very large.
class YamlReader {
 public:
  // Both must outlive the reader.
  YamlReader(FunctionCall* call, std::string_view text);
  ~YamlReader();
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  // False when the text is malformed, or crosses a limit: the call has failed then.
  bool Read(Value* value);

 private:
  // An event that is freed with it.
  struct Event {
    Event() = default;
    ~Event() { yaml_event_delete(&event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    yaml_event_t event{};
  };

  bool Next(Event* event);
  // The node that `event` begins; `depth` levels may be opened from here.
  bool ReadNode(const yaml_event_t& event, uint32_t depth, Value* value);
  bool ReadScalar(const yaml_event_t& event, Value* value);
  bool ReadSequence(const yaml_event_t& event, uint32_t depth, Value* value);
  bool ReadMapping(const yaml_event_t& event, uint32_t depth, Value* value);
  bool ReadKey(const yaml_event_t& event, Value* key, bool* is_merge);
  // Adds what `<<: value` stands for.
  bool AddMerged(const yaml_event_t& event, const Value& value, std::vector<KeyValue>* merged);
  bool ReadAlias(const yaml_event_t& event, Value* value);
  // Checks the size of a value that has been made, and remembers it as that of `anchor`, if there is one.
  bool Finish(const yaml_char_t* anchor, const Value& value);

  // Each reports a failure and returns false.
  bool Fail(const yaml_mark_t& mark, const std::string& what);
  bool FailParse();

  FunctionCall* call_;
  std::string_view text_;
  yaml_parser_t parser_{};
  bool initialized_ = false;
  std::map<std::string, std::optional<Value>> anchors_;  // without a value while it is being read
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_YAML_READER_H_
