// Values as YAML, by libyaml's emitter. Recursion is bounded by the depth of values. Tested by
// vm/functions/yaml_functions_test.cc.

#include "hclvm/vm/functions/yaml_writer.h"

#include <cstdint>
#include <string_view>

#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/json_text.h"
#include "yaml.h"

namespace hcl::internal {
namespace {

// What the emitter's output handler works on.
struct Output {
  FunctionCall* call;
  std::string* text;
};

// libyaml calls this for each full buffer. A 0 makes it give up; the limit has been reported then.
int WriteOutput(void* data, unsigned char* buffer, size_t size) {
  auto* output = static_cast<Output*>(data);
  if (!CanMake(output->call, output->text->size() + size, 1)) return 0;
  output->text->append(reinterpret_cast<const char*>(buffer), size);
  return 1;
}

// Units of fuel for writing a node, beside its text.
constexpr uint64_t kCostOfNode = 10;

// An emitter that is freed with it.
class Emitter {
 public:
  explicit Emitter(Output* output) : call_(output->call) {
    initialized_ = yaml_emitter_initialize(&emitter_) == 1;
    if (!initialized_) return;
    yaml_emitter_set_output(&emitter_, WriteOutput, output);
    yaml_emitter_set_unicode(&emitter_, 1);
  }
  ~Emitter() {
    if (initialized_) yaml_emitter_delete(&emitter_);
  }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  bool Document(const Value& value) {
    yaml_event_t event;
    return initialized_ && Emit(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), &event) &&
           Emit(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1), &event) && Node(value) &&
           Emit(yaml_document_end_event_initialize(&event, 1), &event) &&
           Emit(yaml_stream_end_event_initialize(&event), &event);
  }

 private:
  // The emitter takes the event, whatever comes of it.
  bool Emit(int made, yaml_event_t* event) { return made == 1 && yaml_emitter_emit(&emitter_, event) == 1; }

  bool Scalar(std::string_view text, yaml_scalar_style_t style) {
    yaml_event_t event;
    const auto* bytes = reinterpret_cast<const yaml_char_t*>(text.data());
    return Emit(
        yaml_scalar_event_initialize(&event, nullptr, nullptr, bytes, static_cast<int>(text.size()), 1, 1, style),
        &event);
  }

  bool Number(const hcl::Number& number) {
    if (number.IsInfinite()) return Scalar(number.Sign() < 0 ? "-.Inf" : "+.Inf", YAML_PLAIN_SCALAR_STYLE);
    return Scalar(number.ToString(), YAML_PLAIN_SCALAR_STYLE);
  }

  // Strings are always quoted, or literal blocks where they have lines, so that no text is ever read back as something
  // else.
  bool Node(const Value& value) {
    if (!call_->Charge(kCostOfNode)) return false;
    if (value.is_null()) return Scalar("null", YAML_PLAIN_SCALAR_STYLE);
    if (value.is_bool()) return Scalar(value.is_true() ? "true" : "false", YAML_PLAIN_SCALAR_STYLE);
    if (value.is_number()) return Number(value.AsNumber());
    if (value.is_string()) {
      const std::string_view text = value.AsString();
      const bool has_lines = text.find('\n') != std::string_view::npos;
      return Scalar(text, has_lines ? YAML_LITERAL_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
    }
    if (value.is_sequence()) return Sequence(value);
    return value.is_mapping() && Mapping(value);
  }

  bool Sequence(const Value& value) {
    yaml_event_t event;
    if (!Emit(yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE), &event)) {
      return false;
    }
    for (const Value& element : value.elements()) {
      if (!Node(element)) return false;
    }
    return Emit(yaml_sequence_end_event_initialize(&event), &event);
  }

  bool Mapping(const Value& value) {
    yaml_event_t event;
    if (!Emit(yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE), &event)) {
      return false;
    }
    for (uint32_t i = 0; i < value.size(); ++i) {
      if (!Node(value.shape().keys[i]) || !Node(value.values()[i])) return false;
    }
    return Emit(yaml_mapping_end_event_initialize(&event), &event);
  }

  FunctionCall* call_;
  yaml_emitter_t emitter_{};
  bool initialized_ = false;
};

}  // namespace

// A call that has failed keeps its first reason: the error below is for what libyaml refuses on its own.
bool AppendYaml(FunctionCall* call, const Value& value, std::string* out) {
  // A number of few bytes may have very many digits.
  const uint64_t bytes = JsonTextBytes(value);
  if (!CanMake(call, bytes, 1) || !call->Charge(bytes / 4)) return false;
  Output output{call, out};
  if (!Emitter(&output).Document(value)) {
    call->Error("the value has no form in YAML");
    return false;
  }
  // As in the reference, a document that is a scalar without quotes ends explicitly, and no other does: some versions
  // of libyaml end those as well whose last text ends in two line ends. Lines of texts are indented.
  const bool is_plain = value.is_null() || value.is_bool() || value.is_number();
  constexpr std::string_view kEnd = "\n...\n";
  const bool has_end = out->size() >= kEnd.size() && out->compare(out->size() - kEnd.size(), kEnd.size(), kEnd) == 0;
  if (is_plain && !has_end) out->append("...\n");
  if (!is_plain && has_end) out->resize(out->size() - 4);
  return true;
}

}  // namespace hcl::internal
