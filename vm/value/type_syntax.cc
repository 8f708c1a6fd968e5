// Types from their HCL syntax, by recursive descent. Tested by vm/value/type_syntax_test.cc.

#include "hclvm/vm/value/type_syntax.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::AppendUtf8;
using internal::CodePoint;
using internal::DecodeUtf8;
using internal::FindInvalidUtf8;
using internal::IsIdContinue;
using internal::IsIdStart;
using internal::ToAbsl;
using internal::ToNfc;
namespace {

// Every method returns false after it has set the error; the first one counts. Recursion is counted down from
// Limits::max_nesting_depth.
class TypeParser {
 public:
  TypeParser(std::string_view text, Heap* heap, absl::Span<const CapsuleType* const> capsules, TypeSyntaxError* error)
      : text_(text), heap_(heap), capsules_(capsules), error_(error) {}

  // UTF-8 is checked once for the whole text, so that decoding later needs no test.
  bool ParseAll(Type* type) {
    const size_t invalid = FindInvalidUtf8(text_);
    if (invalid != std::string_view::npos) return Fail(invalid, "A type is written in UTF-8.");
    if (!Parse(heap_->limits().max_nesting_depth, type)) return false;
    SkipBlanks();
    return at_ == text_.size() || Fail(at_, absl::StrCat("Expected the end of the type, but found ", Found(), "."));
  }

 private:
  struct Attribute {
    std::string name;
    size_t offset;
    Type type;
  };

  bool Fail(size_t offset, std::string message) {
    error_->message = std::move(message);
    error_->offset = offset;
    error_->is_limit = false;
    return false;
  }
  // What stands at the current position, for messages.
  std::string Found() const {
    if (at_ == text_.size()) return "the end of the text";
    return absl::StrCat("\"", ToAbsl(text_.substr(at_, DecodeUtf8(text_, at_).bytes)), "\"");
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  // True when a line break is among the blanks.
  bool SkipBlanks() {
    bool line_break = false;
    while (at_ < text_.size() && (Peek() == ' ' || Peek() == '\t' || Peek() == '\r' || Peek() == '\n')) {
      line_break |= text_[at_++] == '\n';
    }
    return line_break;
  }
  bool TryTake(char c) {
    SkipBlanks();
    if (at_ == text_.size() || Peek() != c) return false;
    ++at_;
    return true;
  }
  bool Take(char c) {
    return TryTake(c) || Fail(at_, absl::StrCat("Expected \"", std::string(1, c), "\", but found ", Found(), "."));
  }
  // The identifier at the current position, or nothing.
  std::string_view TakeIdentifier() {
    const size_t begin = at_;
    while (at_ < text_.size()) {
      const CodePoint c = DecodeUtf8(text_, at_);
      const bool fits = at_ == begin ? IsIdStart(c.value) : IsIdContinue(c.value) || c.value == '-';
      if (!fits) break;
      at_ += c.bytes;
    }
    return text_.substr(begin, at_ - begin);
  }

  bool Parse(uint32_t depth, Type* type);
  bool ParseNamed(std::string_view name, size_t begin, Type* type);
  bool ParseTuple(uint32_t depth, Type* type);
  bool ParseObject(uint32_t depth, Type* type);
  bool TakeName(std::string* name);
  bool TakeEscape(std::string* name);
  bool MakeObjectType(std::vector<Attribute>* attributes, Type* type);

  std::string_view text_;
  Heap* heap_;
  absl::Span<const CapsuleType* const> capsules_;
  TypeSyntaxError* error_;
  size_t at_ = 0;
};

// A name decides what follows; only the five constructors nest, and only they cost depth. The limit is checked before
// the bracket is read, so that a text of a million brackets is not read to its end.
bool TypeParser::Parse(uint32_t depth, Type* type) {
  SkipBlanks();
  const size_t begin = at_;
  const std::string_view name = TakeIdentifier();
  if (name.empty()) return Fail(at_, absl::StrCat("Expected a type, but found ", Found(), "."));
  const bool collection = name == "list" || name == "set" || name == "map";
  if (!collection && name != "tuple" && name != "object") return ParseNamed(name, begin, type);
  if (depth == 0) {
    Fail(begin, absl::StrCat("Types may be nested at most ", heap_->limits().max_nesting_depth,
                             " levels deep (limit max_nesting_depth)."));
    error_->is_limit = true;
    return false;
  }
  if (!Take('(')) return false;
  if (name == "tuple") {
    if (!ParseTuple(depth - 1, type)) return false;
  } else if (name == "object") {
    if (!ParseObject(depth - 1, type)) return false;
  } else {
    Type element;
    if (!Parse(depth - 1, &element)) return false;
    const TypeKind kind = name == "list" ? TypeKind::kList : name == "set" ? TypeKind::kSet : TypeKind::kMap;
    *type = heap_->types()->Collection(kind, element);
  }
  return Take(')');
}

// The host's capsule types come last, so that none can take the place of a type of the language.
bool TypeParser::ParseNamed(std::string_view name, size_t begin, Type* type) {
  for (Type simple : {Type::Bool(), Type::Number(), Type::String()}) {
    if (name != FriendlyName(simple)) continue;
    *type = simple;
    return true;
  }
  if (name == "any") {
    *type = Type::Dynamic();
    return true;
  }
  for (const CapsuleType* capsule : capsules_) {
    if (name != capsule->name) continue;
    *type = heap_->types()->Capsule(capsule);
    return true;
  }
  return Fail(begin, absl::StrCat("There is no type named \"", internal::Excerpt(name), "\"."));
}

// A comma may follow the last element, as in native-syntax.md, "Collection Values".
bool TypeParser::ParseTuple(uint32_t depth, Type* type) {
  std::vector<Type> elements;
  if (!Take('[')) return false;
  while (!TryTake(']')) {
    if (!elements.empty() && !Take(',')) return false;
    if (!elements.empty() && TryTake(']')) break;
    Type element;
    if (!Parse(depth, &element)) return false;
    elements.push_back(element);
  }
  *type = heap_->types()->Tuple(elements);
  return true;
}

// native-syntax.md, "Collection Values", has `=` or `:`; a line break may stand for the comma, as the reference's
// object constructors allow.
bool TypeParser::ParseObject(uint32_t depth, Type* type) {
  std::vector<Attribute> attributes;
  if (!Take('{')) return false;
  SkipBlanks();
  while (!TryTake('}')) {
    Attribute attribute;
    attribute.offset = at_;
    if (!TakeName(&attribute.name)) return false;
    if (!TryTake(':') && !Take('=')) return false;
    if (!Parse(depth, &attribute.type)) return false;
    attributes.push_back(std::move(attribute));
    const bool separated = SkipBlanks();
    if (!TryTake(',') && !separated && Peek() != '}') {
      return Fail(at_, absl::StrCat("Expected \",\" or \"}\" after the attribute's type, but found ", Found(), "."));
    }
    SkipBlanks();
  }
  return MakeObjectType(&attributes, type);
}

// An attribute's name, in NFC.
bool TypeParser::TakeName(std::string* name) {
  if (Peek() != '"') {
    const std::string_view identifier = TakeIdentifier();
    if (identifier.empty()) {
      return Fail(at_, absl::StrCat("Expected the name of an attribute, but found ", Found(), "."));
    }
    *name = ToNfc(identifier);
    return true;
  }
  const size_t begin = at_++;
  while (Peek() != '"') {
    if (at_ == text_.size() || Peek() == '\n') return Fail(begin, "The attribute's name is not closed with \"\\\"\".");
    const std::string_view rest = text_.substr(at_);
    if (Peek() == '\\') {
      if (!TakeEscape(name)) return false;
    } else if (rest.substr(0, 3) == "$${" || rest.substr(0, 3) == "%%{") {
      name->append(rest.substr(1, 2));
      at_ += 3;
    } else if (rest.substr(0, 2) == "${" || rest.substr(0, 2) == "%{") {
      return Fail(at_, "The name of an attribute has no interpolations.");
    } else {
      name->push_back(text_[at_++]);
    }
  }
  ++at_;
  *name = ToNfc(*name);
  return true;
}

// The escapes of native-syntax.md, "Template Expressions". Surrogates and what is beyond Unicode have no UTF-8 form.
bool TypeParser::TakeEscape(std::string* name) {
  const size_t begin = at_++;
  const char kind = Peek();
  ++at_;
  constexpr std::string_view kKinds = "nrt\"\\", kMeanings = "\n\r\t\"\\";
  const size_t simple = kKinds.find(kind);
  if (simple != std::string_view::npos) {
    name->push_back(kMeanings[simple]);
    return true;
  }
  const size_t digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  uint32_t code_point = 0;
  size_t read = 0;
  for (; read < digits && at_ < text_.size(); ++read, ++at_) {
    const char c = static_cast<char>(text_[at_] | 0x20);
    const bool decimal = text_[at_] >= '0' && text_[at_] <= '9';
    if (!decimal && (c < 'a' || c > 'f')) break;
    code_point = code_point * 16 + static_cast<uint32_t>(decimal ? text_[at_] - '0' : c - 'a' + 10);
  }
  const bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
  if (digits == 0 || read < digits || code_point > 0x10ffff || surrogate) {
    return Fail(begin,
                "This escape sequence means nothing; known are \\n, \\r, \\t, \\\", \\\\, \\uNNNN and \\UNNNNNNNN.");
  }
  AppendUtf8(code_point, name);
  return true;
}

// The sort is stable, so that the error points to the second of two equal names.
bool TypeParser::MakeObjectType(std::vector<Attribute>* attributes, Type* type) {
  std::stable_sort(attributes->begin(), attributes->end(),
                   [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
  std::vector<Value> keys;
  std::vector<Type> types;
  for (size_t i = 0; i < attributes->size(); ++i) {
    const Attribute& attribute = (*attributes)[i];
    if (i > 0 && attribute.name == (*attributes)[i - 1].name) {
      return Fail(attribute.offset, absl::StrCat("The attribute \"", attribute.name, "\" is there twice."));
    }
    keys.push_back(Value::StringView(attribute.name));
    types.push_back(attribute.type);
  }
  // The table copies the shape.
  Arena scratch;
  *type = heap_->types()->Object(*MakeShape(keys, &scratch), types);
  return true;
}

}  // namespace

bool ParseTypeSyntax(std::string_view text, Heap* heap, Type* type, TypeSyntaxError* error,
                     absl::Span<const CapsuleType* const> capsules) {
  return TypeParser(text, heap, capsules, error).ParseAll(type);
}

}  // namespace hcl
