// KnownTypes. Tested by lsp/features/known_types_test.cc.

#include "hclvm/lsp/features/known_types.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_observer.h"
#include "hclvm/module/typed_names.h"

namespace hcl::lsp {
namespace {

using internal::StaticKind;
using internal::StaticType;

// Attributes of one object that are listed.
constexpr size_t kMaxAttributes = 1'000;

std::string TextOf(const StaticType& type) {
  const bool or_null = type.nullable && type.kind > StaticKind::kNull;
  return absl::StrCat(internal::SyntaxOf(type), or_null ? " or null" : "");
}

// Keeps the type of the smallest expression that ends at a byte, and of what a step there goes into.
class Probe final : public internal::TypeObserver {
 public:
  Probe(const Source* source, SourceRange word) : source_(source), word_(word) {}

  void SeeExpr(SourceRange range, const Source* source, const StaticType& type) override {
    if (source != source_ || range.end != word_.end || range.begin > word_.begin) return;
    if (at_word_ && range.end - range.begin > size_) return;
    size_ = range.end - range.begin;
    Keep(type, &at_word_);
  }

  void SeeStep(SourceRange step, const Source* source, const StaticType& before) override {
    if (source != source_) return;
    if (step.begin == word_.end) {
      size_ = word_.end - word_.begin;
      Keep(before, &at_word_);
    }
    if (step.begin < word_.begin && word_.end <= step.end) Keep(before, &before_word_);
  }

  std::optional<KnownType> at_word() const { return at_word_; }
  std::optional<KnownType> before_word() const { return before_word_; }

 private:
  // What is in error has no type.
  static void Keep(const StaticType& type, std::optional<KnownType>* kept) {
    if (type.kind == StaticKind::kSilent) return;
    KnownType known;
    known.text = TextOf(type);
    known.nullable = type.nullable;
    for (size_t n = 0; n < type.names.size() && n < kMaxAttributes && type.kind == StaticKind::kObject; ++n) {
      known.attributes.push_back({std::string(type.names[n]), TextOf(*type.parts[n])});
    }
    *kept = std::move(known);
  }

  const Source* const source_;
  const SourceRange word_;
  uint32_t size_ = UINT32_MAX;
  std::optional<KnownType> at_word_;
  std::optional<KnownType> before_word_;
};

// As a plain config or a module, whichever the project is; the files of tests are read with their module.
Project ForTypes(Project project) {
  if (project.kind == ProjectKind::kTests) project.kind = ProjectKind::kModule;
  return project;
}

// The names before the dot: "user.team" for "user.team.na". Empty where something else is there.
std::string NamesBefore(std::string_view text, uint32_t begin) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || (static_cast<unsigned char>(c) & 0x80) != 0;
  };
  if (begin == 0) return "";
  uint32_t first = begin - 1;
  while (first > 0 && is_part(text[first - 1])) --first;
  return std::string(text.substr(first, begin - 1 - first));
}

}  // namespace

Project WithText(const Project& project, const TextFile& file, std::string text) {
  Project changed = project;
  const auto replaced = std::make_shared<const TextFile>(file.path(), file.source()->name(), std::move(text));
  for (TextFilePtr& one : changed.files) {
    if (one.get() == &file) one = replaced;
  }
  if (changed.file.get() == &file) changed.file = replaced;
  return changed;
}

std::optional<KnownType> TypeOfWord(Workspace* workspace, const Project& project, const TextFile& file,
                                    SourceRange word) {
  Probe probe(file.source().get(), word);
  workspace->Check(ForTypes(project), &probe);
  return probe.at_word();
}

std::optional<KnownType> TypeOfExpression(Workspace* workspace, const Project& project, std::string_view expression) {
  Project extended = ForTypes(project);
  // Files with mistakes would keep all others from being looked at.
  std::vector<TextFilePtr> sound;
  for (const TextFilePtr& file : extended.files) {
    if (file->is_json() || file->is_sound()) sound.push_back(file);
  }
  const std::string text = absl::StrCat(internal::ToAbsl(kNameInPlace), " = ", internal::ToAbsl(expression), "\n");
  const auto probed = std::make_shared<const TextFile>("probe.hcl", "probe.hcl", text);
  sound.push_back(probed);
  extended.files = std::move(sound);
  const auto end = static_cast<uint32_t>(text.size() - 1);
  Probe probe(probed->source().get(), {end - 1, end});
  workspace->Check(extended, &probe);
  return probe.at_word();
}

std::optional<KnownType> TypeBeforeDot(Workspace* workspace, const Project& project, const TextFile& file,
                                       SourceRange word) {
  std::string text(file.text());
  text.replace(word.begin, word.end - word.begin, kNameInPlace);
  const SourceRange placed = {word.begin, word.begin + static_cast<uint32_t>(kNameInPlace.size())};
  if (project.kind != ProjectKind::kTests) {
    const Project changed = ForTypes(WithText(project, file, std::move(text)));
    TextFilePtr replaced = changed.file;
    for (const TextFilePtr& one : changed.files) {
      if (one->path() == file.path()) replaced = one;
    }
    Probe probe(replaced->source().get(), placed);
    workspace->Check(changed, &probe);
    if (probe.before_word()) return probe.before_word();
  }
  const std::string names = NamesBefore(file.text(), word.begin);
  return names.empty() ? std::nullopt : TypeOfExpression(workspace, project, names);
}

}  // namespace hcl::lsp
