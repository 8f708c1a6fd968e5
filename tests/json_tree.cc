// JSON texts as trees.

#include "hclvm/tests/json_tree.h"

#include <cctype>
#include <cstdlib>

#include "hclvm/base/unicode.h"

namespace hcl {

using internal::AppendUtf8;
namespace {

constexpr int kMaxDepth = 1000;

class Parser {
 public:
  explicit Parser(std::string_view json) : json_(json) {}

  bool ParseAll(JsonTree* tree) {
    if (!ParseValue(tree, 0)) return false;
    SkipSpace();
    return at_ == json_.size();
  }

 private:
  void SkipSpace() {
    while (at_ < json_.size() && std::string_view(" \t\r\n").find(json_[at_]) != std::string_view::npos) ++at_;
  }

  bool Accept(char c) {
    SkipSpace();
    if (at_ == json_.size() || json_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool AcceptWord(std::string_view word) {
    if (json_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool ParseValue(JsonTree* tree, int depth) {
    if (depth > kMaxDepth) return false;
    SkipSpace();
    const size_t begin = at_;
    const bool ok = ParseUnspaced(tree, depth);
    tree->raw = json_.substr(begin, at_ - begin);
    return ok;
  }

  bool ParseUnspaced(JsonTree* tree, int depth) {
    if (at_ == json_.size()) return false;
    switch (json_[at_]) {
      case '{':
        return ParseObject(tree, depth);
      case '[':
        return ParseArray(tree, depth);
      case '"':
        tree->kind = JsonTree::Kind::kString;
        return ParseString(&tree->text);
      case 'n':
        return AcceptWord("null");
      case 't':
        tree->kind = JsonTree::Kind::kBool;
        tree->text = "true";
        return AcceptWord("true");
      case 'f':
        tree->kind = JsonTree::Kind::kBool;
        tree->text = "false";
        return AcceptWord("false");
      default:
        return ParseNumber(tree);
    }
  }

  bool ParseNumber(JsonTree* tree) {
    const size_t begin = at_;
    while (at_ < json_.size() && (std::isalnum(static_cast<unsigned char>(json_[at_])) != 0 ||
                                  std::string_view("+-.").find(json_[at_]) != std::string_view::npos)) {
      ++at_;
    }
    tree->kind = JsonTree::Kind::kNumber;
    tree->text = std::string(json_.substr(begin, at_ - begin));
    return at_ > begin;
  }

  bool ParseArray(JsonTree* tree, int depth) {
    tree->kind = JsonTree::Kind::kArray;
    ++at_;
    if (Accept(']')) return true;
    do {
      tree->items.emplace_back();
      if (!ParseValue(&tree->items.back(), depth + 1)) return false;
    } while (Accept(','));
    return Accept(']');
  }

  bool ParseObject(JsonTree* tree, int depth) {
    tree->kind = JsonTree::Kind::kObject;
    ++at_;
    if (Accept('}')) return true;
    do {
      SkipSpace();
      tree->members.emplace_back();
      auto& [name, value] = tree->members.back();
      if (at_ == json_.size() || json_[at_] != '"' || !ParseString(&name) || !Accept(':')) return false;
      if (!ParseValue(&value, depth + 1)) return false;
    } while (Accept(','));
    return Accept('}');
  }

  bool ParseString(std::string* out) {
    ++at_;
    while (at_ < json_.size() && json_[at_] != '"') {
      if (json_[at_] != '\\') {
        out->push_back(json_[at_++]);
      } else if (!ParseEscape(out)) {
        return false;
      }
    }
    return at_ < json_.size() && json_[at_++] == '"';
  }

  bool ParseEscape(std::string* out) {
    if (at_ + 1 >= json_.size()) return false;
    const char c = json_[at_ + 1];
    at_ += 2;
    if (c == 'u') return ParseUnicodeEscape(out);
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const size_t index = kNames.find(c);
    if (index == std::string_view::npos) return false;
    out->push_back(kMeanings[index]);
    return true;
  }

  bool ParseHex(char32_t* unit) {
    const std::string digits(json_.substr(at_, 4));
    char* end = nullptr;
    *unit = static_cast<char32_t>(std::strtoul(digits.c_str(), &end, 16));
    at_ += 4;
    return digits.size() == 4 && *end == '\0';
  }

  bool ParseUnicodeEscape(std::string* out) {
    char32_t unit = 0;
    if (!ParseHex(&unit)) return false;
    if (unit >= 0xd800 && unit < 0xdc00 && AcceptWord("\\u")) {
      char32_t low = 0;
      if (!ParseHex(&low)) return false;
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
    AppendUtf8(unit, out);
    return true;
  }

  std::string_view json_;
  size_t at_ = 0;
};

}  // namespace

const JsonTree* JsonTree::Find(std::string_view name) const {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string_view JsonTree::Text(std::string_view name) const {
  const JsonTree* member = Find(name);
  return member == nullptr ? std::string_view() : std::string_view(member->text);
}

bool ParseJsonTree(std::string_view json, JsonTree* tree) { return Parser(json).ParseAll(tree); }

}  // namespace hcl
