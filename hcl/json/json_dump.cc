// DumpJson. Recursion follows the nesting of the tree, which the parser has bounded.

#include "hclvm/hcl/json/json_dump.h"

#include <utility>

#include "hclvm/base/diagnostic.h"

namespace hcl::internal {
namespace {

class Dumper {
 public:
  explicit Dumper(bool ranges) : ranges_(ranges) {}

  // A value's range stands behind it, so that without ranges the dump of a sound tree is JSON again.
  void Append(const JsonValue& value) {
    switch (value.kind()) {
      case JsonKind::kInvalid:
        out_ += '!';
        break;
      case JsonKind::kNull:
        out_ += "null";
        break;
      case JsonKind::kTrue:
        out_ += "true";
        break;
      case JsonKind::kFalse:
        out_ += "false";
        break;
      case JsonKind::kNumber:
        out_ += value.text();
        break;
      case JsonKind::kString:
        AppendJsonString(value.text(), &out_);
        break;
      case JsonKind::kArray:
        AppendArray(value);
        break;
      case JsonKind::kObject:
        AppendObject(value);
        break;
    }
    if (!ranges_) return;
    out_ += '@' + std::to_string(value.range().begin) + '-' + std::to_string(value.range().end);
  }

  std::string Take() { return std::move(out_); }

 private:
  void AppendArray(const JsonValue& array) {
    const char* separator = "[";
    for (const JsonValue& element : array.elements()) {
      out_ += separator;
      Append(element);
      separator = ",";
    }
    out_ += array.elements().empty() ? "[]" : "]";
  }

  void AppendObject(const JsonValue& object) {
    const char* separator = "{";
    for (const JsonProperty& property : object.properties()) {
      out_ += separator;
      Append(property.name);
      out_ += ':';
      Append(property.value);
      separator = ",";
    }
    out_ += object.properties().empty() ? "{}" : "}";
  }

  bool ranges_;
  std::string out_;
};

}  // namespace

std::string DumpJson(const JsonValue& value, bool ranges) {
  Dumper dumper(ranges);
  dumper.Append(value);
  return dumper.Take();
}

}  // namespace hcl::internal
