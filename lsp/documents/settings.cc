// Settings of a session. Tested by lsp/documents/settings_test.cc.

#include "hclvm/lsp/documents/settings.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace hcl::lsp {
namespace {

class SettingsReader {
 public:
  explicit SettingsReader(std::vector<std::string>* complaints) : complaints_(*complaints) {}

  Settings Read(const Json& json) {
    if (json.is_null()) return settings_;
    if (!json.is_object()) return Complain("The settings", "an object"), settings_;
    for (const auto& [name, value] : json.items()) Take(name, value);
    return std::move(settings_);
  }

 private:
  void Take(const std::string& name, const Json& value) {
    if (name == "strict") return TakeBool(name, value, &settings_.strict);
    if (name == "typeHints") return TakeBool(name, value, &settings_.type_hints);
    if (name == "functions") return TakeText(name, value, &settings_.functions);
    if (name == "dialect") {
      if (value != "spec" && value != "hashicorp") return Complain("dialect", "\"spec\" or \"hashicorp\"");
      settings_.is_hashicorp = value == "hashicorp";
    } else if (name == "request") {
      TakeRequest(value);
    } else if (name == "specs") {
      TakeSpecs(value);
    } else {
      complaints_.push_back(absl::StrCat("There is no setting \"", name, "\"."));
    }
  }

  void TakeBool(const std::string& name, const Json& value, bool* setting) {
    value.is_boolean() ? void(*setting = value.get<bool>()) : Complain(name, "true or false");
  }

  void TakeText(const std::string& name, const Json& value, std::string* setting) {
    value.is_string() ? void(*setting = value.get_ref<const std::string&>()) : Complain(name, "a text");
  }

  void TakeRequest(const Json& value) {
    if (value.is_null()) return;
    const int64_t line = NumberAt(value, "line", 1);
    if (TextAt(value, "file").empty() || line < 1 || line > UINT32_MAX) {
      return Complain("request", "an object with a file and a line, which counts from 1");
    }
    settings_.request_file = TextAt(value, "file");
    settings_.request_line = static_cast<uint32_t>(line);
  }

  void TakeSpecs(const Json& value) {
    for (const Json& one : value.is_array() ? value : Json::array({nullptr})) {
      if (TextAt(one, "files").empty() || TextAt(one, "spec").empty()) {
        return Complain("specs", "a list of objects with files and spec");
      }
      settings_.specs.push_back({TextAt(one, "files"), TextAt(one, "spec")});
    }
  }

  void Complain(const std::string& name, const char* expected) {
    complaints_.push_back(absl::StrCat(name, " must be ", expected, "."));
  }

  std::vector<std::string>& complaints_;
  Settings settings_;
};

}  // namespace

Settings ReadSettings(const Json& json, std::vector<std::string>* complaints) {
  return SettingsReader(complaints).Read(json);
}

}  // namespace hcl::lsp
