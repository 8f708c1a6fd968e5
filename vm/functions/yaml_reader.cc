// YamlReader. Recursion is bounded by Limits::max_nesting_depth. Tested by vm/functions/yaml_functions_test.cc.

#include "hclvm/vm/functions/yaml_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/yaml_scalar.h"

namespace hcl::internal {
namespace {

std::string_view ToView(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

// "str" of "tag:yaml.org,2002:str"; other tags as they are.
std::string_view ShortTag(const yaml_char_t* tag) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  std::string_view text = ToView(tag);
  if (text.substr(0, kPrefix.size()) == kPrefix) text.remove_prefix(kPrefix.size());
  return text;
}

// Units of fuel for an event, beside the text that it takes.
constexpr uint64_t kCostOfEvent = 10;

bool IsScalarTag(std::string_view tag) {
  for (const char* known : {"", "str", "bool", "int", "float", "null", "timestamp", "binary"}) {
    if (tag == known) return true;
  }
  return false;
}

std::string_view TextOf(const yaml_event_t& event) {
  return {reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length};
}

}  // namespace

// The encoding is set, or libyaml would guess it from a byte order mark: strings are UTF-8 here.
YamlReader::YamlReader(FunctionCall* call, std::string_view text) : call_(call), text_(text) {
  initialized_ = yaml_parser_initialize(&parser_) == 1;
  if (!initialized_) return;
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text_.data()), text_.size());
}

YamlReader::~YamlReader() {
  if (initialized_) yaml_parser_delete(&parser_);
}

bool YamlReader::Fail(const yaml_mark_t& mark, const std::string& what) {
  call_->ArgumentError(0,
                       [&] { return absl::StrCat("line ", mark.line + 1, ", column ", mark.column + 1, ": ", what); });
  return false;
}

bool YamlReader::FailParse() {
  const std::string problem = parser_.problem == nullptr ? "the text is not YAML" : parser_.problem;
  const std::string context = parser_.context == nullptr ? "" : absl::StrCat(", ", parser_.context);
  return Fail(parser_.problem_mark, problem + context);
}

// libyaml's parser is an event at a time, so that every event can be paid for; hostile texts end by fuel.
bool YamlReader::Next(Event* event) {
  if (!call_->Charge(kCostOfEvent)) return false;
  return yaml_parser_parse(&parser_, &event->event) == 1 || FailParse();
}

// A stream may hold several documents in YAML, or none; a value is one. `---` alone is a document, whose value is null.
bool YamlReader::Read(Value* value) {
  if (!initialized_) {
    call_->LimitError("there is no memory for reading YAML");
    return false;
  }
  // libyaml reads a part of the text before its first event.
  if (!call_->Charge(text_.size() / 2)) return false;
  Event stream, document, node, end, last;
  if (!Next(&stream) || !Next(&document)) return false;
  if (document.event.type == YAML_STREAM_END_EVENT) {
    call_->ArgumentError(0, text_.empty() ? "the text is empty" : "the text is empty but for blanks and comments");
    return false;
  }
  if (!Next(&node) || !ReadNode(node.event, call_->heap()->limits().max_nesting_depth, value) || !Next(&end) ||
      !Next(&last)) {
    return false;
  }
  return last.event.type == YAML_STREAM_END_EVENT || Fail(last.event.start_mark, "only one document is allowed");
}

// Depth is counted for collections only. Aliases do not recurse: they copy a value that is finished.
bool YamlReader::ReadNode(const yaml_event_t& event, uint32_t depth, Value* value) {
  switch (event.type) {
    case YAML_SCALAR_EVENT:
      return ReadScalar(event, value);
    case YAML_ALIAS_EVENT:
      return ReadAlias(event, value);
    default:
      break;
  }
  if (depth == 0) {
    call_->LimitError(absl::StrCat("the text is nested deeper than the allowed ",
                                   call_->heap()->limits().max_nesting_depth, " levels (limit max_nesting_depth)"));
    return false;
  }
  return event.type == YAML_SEQUENCE_START_EVENT ? ReadSequence(event, depth - 1, value)
                                                 : ReadMapping(event, depth - 1, value);
}

// Aliases can make a value of a few kilobytes of text that has billions of parts as a tree (each level naming the one
// before twice); its weight tells, and stops it at the first value that is too large.
bool YamlReader::Finish(const yaml_char_t* anchor, const Value& value) {
  if (!CanMake(call_, value.weight())) return false;
  if (anchor != nullptr) anchors_[std::string(ToView(anchor))] = value;
  return true;
}

// `!` and quotes both mean text; other scalars are resolved by what they look like.
bool YamlReader::ReadScalar(const yaml_event_t& event, Value* value) {
  const std::string_view tag = ShortTag(event.data.scalar.tag);
  const std::string_view text = TextOf(event);
  if (!CanMake(call_, text.size(), 1)) return false;
  if (!IsScalarTag(tag) && tag != "!") return Fail(event.start_mark, absl::StrCat("there is no tag ", Excerpt(tag)));
  const bool is_text = tag == "!" || (tag.empty() && event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE);
  std::string reason;
  if (!ResolveYamlScalar(text, is_text ? "str" : tag, call_->heap(), value, &reason)) {
    return Fail(event.start_mark, reason);
  }
  return Finish(event.data.scalar.anchor, *value);
}

// An anchor inside of its own value would make a cycle, which values cannot be; it stands in the map without a value
// while it is read.
bool YamlReader::ReadAlias(const yaml_event_t& event, Value* value) {
  const std::string name(ToView(event.data.alias.anchor));
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) return Fail(event.start_mark, absl::StrCat("there is no anchor \"", name, "\" before"));
  if (!found->second) return Fail(event.start_mark, absl::StrCat("anchor \"", name, "\" cannot stand in itself"));
  *value = *found->second;
  return true;
}

bool YamlReader::ReadSequence(const yaml_event_t& event, uint32_t depth, Value* value) {
  const std::string_view tag = ShortTag(event.data.sequence_start.tag);
  if (!tag.empty() && tag != "seq") return Fail(event.start_mark, absl::StrCat("a sequence cannot be ", Excerpt(tag)));
  const yaml_char_t* anchor = event.data.sequence_start.anchor;
  if (anchor != nullptr) anchors_[std::string(ToView(anchor))] = std::nullopt;
  std::vector<Value> elements;
  for (;;) {
    Event next;
    if (!Next(&next)) return false;
    if (next.event.type == YAML_SEQUENCE_END_EVENT) break;
    Value element;
    if (!ReadNode(next.event, depth, &element) || !CanMake(call_, elements.size() + 4)) return false;
    elements.push_back(element);
  }
  *value = MakeTuple(elements, call_->arena());
  return Finish(anchor, *value);
}

// An object's keys are strings, so that scalars are written as text and collections are refused.
bool YamlReader::ReadKey(const yaml_event_t& event, Value* key, bool* is_merge) {
  Value value;
  if (event.type != YAML_SCALAR_EVENT) return Fail(event.start_mark, "a key must be a scalar");
  const bool is_plain = event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  *is_merge = is_plain && event.data.scalar.tag == nullptr && TextOf(event) == "<<";
  if (*is_merge) return true;
  if (!ReadScalar(event, &value)) return false;
  if (value.is_null()) return Fail(event.start_mark, "a key must not be null");
  if (value.is_bool()) value = Value::StringView(value.is_true() ? "true" : "false");
  if (value.is_number()) {
    if (value.AsNumber().DigitCount() > call_->heap()->limits().max_number_digits) {
      return Fail(event.start_mark, "a key with very many digits must stand in quotes");
    }
    value = Value::String(value.AsNumber().ToString(), call_->arena());
  }
  *key = value;
  return true;
}

bool YamlReader::AddMerged(const yaml_event_t& event, const Value& value, std::vector<KeyValue>* merged) {
  if (value.is_object()) {
    if (!CanMake(call_, merged->size() + value.size(), sizeof(KeyValue)) || !call_->Charge(value.size())) return false;
    for (uint32_t i = 0; i < value.size(); ++i) merged->push_back({value.shape().keys[i], value.values()[i]});
    return true;
  }
  // The first of several mappings counts, so that they go in backwards: later pairs replace earlier ones.
  if (value.is_tuple() && call_->Charge(value.size())) {
    for (size_t i = value.size(); i-- > 0;) {
      if (!value.elements()[i].is_object()) return Fail(event.start_mark, "only mappings can be merged");
      if (!AddMerged(event, value.elements()[i], merged)) return false;
    }
    return true;
  }
  return call_->failed() ? false : Fail(event.start_mark, "only mappings can be merged");
}

// Own keys replace merged ones, wherever `<<` stands, hence two lists; a key given twice among the own ones is an
// error, which the sizes tell without another table.
bool YamlReader::ReadMapping(const yaml_event_t& event, uint32_t depth, Value* value) {
  const std::string_view tag = ShortTag(event.data.mapping_start.tag);
  if (!tag.empty() && tag != "map") return Fail(event.start_mark, absl::StrCat("a mapping cannot be ", Excerpt(tag)));
  const yaml_char_t* anchor = event.data.mapping_start.anchor;
  if (anchor != nullptr) anchors_[std::string(ToView(anchor))] = std::nullopt;
  std::vector<KeyValue> own;
  std::vector<KeyValue> pairs;  // merged ones first, so that the others replace them
  for (;;) {
    Event key_event, value_event;
    if (!Next(&key_event)) return false;
    if (key_event.event.type == YAML_MAPPING_END_EVENT) break;
    KeyValue pair;
    bool is_merge = false;
    if (!ReadKey(key_event.event, &pair.key, &is_merge) || !Next(&value_event) ||
        !ReadNode(value_event.event, depth, &pair.value) || !CanMake(call_, own.size() + 4, 2 * sizeof(KeyValue))) {
      return false;
    }
    if (!is_merge) {
      own.push_back(pair);
    } else if (!AddMerged(value_event.event, pair.value, &pairs)) {
      return false;
    }
  }
  uint64_t weight = 0;
  for (const std::vector<KeyValue>* list : {&own, &pairs}) {
    for (const KeyValue& pair : *list) weight += pair.key.weight();
  }
  if (!call_->Charge(CostOfSorting(2 * own.size() + pairs.size(), 2 * weight)) ||
      !CanMake(call_, 2 * own.size() + pairs.size(), 2 * sizeof(KeyValue))) {
    return false;
  }
  if (MakeObject(absl::MakeConstSpan(own), call_->arena()).size() != own.size()) {
    return Fail(event.start_mark, "a key is given twice in this mapping");
  }
  pairs.insert(pairs.end(), own.begin(), own.end());
  *value = MakeObject(absl::MakeConstSpan(pairs), call_->arena());
  return Finish(anchor, *value);
}

}  // namespace hcl::internal
