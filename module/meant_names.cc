// Names of attributes and blocks in place of variables. Tested by module/meant_names_test.cc.
//
// Few modules have such an error, so that nothing is prepared for them: the bodies around each error are searched.

#include "hclvm/module/meant_names.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/static_analysis.h"

namespace hcl::internal {
namespace {

// The name of a variable that is written as NAME, var.NAME or var["NAME"]. Empty where the range has another text, as
// in a template of the JSON syntax with escapes.
std::string ReadVariable(std::string_view text) {
  const Source source("", std::string(text));
  Diagnostics ignored(0);
  const auto parsed = ParseTraversal(source, {}, &ignored);
  if (ignored.has_errors() || parsed == nullptr) return {};
  const std::optional<StaticTraversal> path = AsStaticTraversal(ViewOf(*parsed->expr, source), &ignored);
  if (!path) return {};
  if (path->steps.empty()) return ToNfc(path->root);
  if (path->steps.size() > 1 || path->root != "var") return {};
  return ToNfc(path->steps[0].text);
}

struct Meant {
  Place place;
  bool is_block = false;
};

class Finder {
 public:
  Finder(const Declarations& declared, const Place& at) : declared_(declared), at_(at) {}

  // What has that name in the innermost body around the place.
  std::optional<Meant> Find(std::string_view name) const {
    std::optional<Meant> found;
    for (const Body* body = &declared_.rest(); body != nullptr; body = Inner(*body)) {
      if (std::optional<Meant> nearer = FindIn(*body, name)) found = std::move(nearer);
    }
    return found;
  }

 private:
  bool IsAround(const Source* source, SourceRange range) const {
    return source == at_.source && range.begin <= at_.range.begin && at_.range.end <= range.end;
  }

  const Body* Inner(const Body& body) const {
    const auto found = std::find_if(body.blocks.begin(), body.blocks.end(), [this](const Block& block) {
      return IsAround(declared_.SourceOf(block), block.range);
    });
    return found == body.blocks.end() ? nullptr : found->body;
  }

  // An attribute that reads its own name means a variable.
  std::optional<Meant> FindIn(const Body& body, std::string_view name) const {
    for (const Attribute& attribute : body.attributes) {
      const Source* const source = declared_.SourceOf(*attribute.expr);
      if (!IsSame(attribute.name, name) || IsAround(source, attribute.expr->range)) continue;
      return Meant{{attribute.name_range, source}};
    }
    for (const Block& block : body.blocks) {
      if (IsSame(block.type, name)) return Meant{{block.type_range, declared_.SourceOf(block)}, /*is_block=*/true};
    }
    return std::nullopt;
  }

  static bool IsSame(std::string_view written, std::string_view name) {
    return written == name || (!IsAscii(written) && ToNfc(written) == name);
  }
  static bool IsAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
  }

  const Declarations& declared_;
  const Place& at_;
};

bool IsLocal(const Declarations& declared, std::string_view name) {
  return std::any_of(declared.locals().begin(), declared.locals().end(),
                     [name](const DeclaredLocal& local) { return local.name == name; });
}

std::string TextOf(const Meant& meant, std::string_view name, const Source* reader) {
  const std::string text(Excerpt(name));
  const std::string place = meant.place.source == reader
                                ? absl::StrCat("on line ", reader->LineAt(meant.place.range.begin))
                                : absl::StrCat("at ", TextOf(meant.place));
  const std::string detail = absl::StrCat("The module declares no variable \"", text, "\". ");
  if (meant.is_block) {
    return absl::StrCat(
        detail, "A block of this name is ", place,
        ", but expressions do not read blocks: name the value in a locals block, and read local.NAME in "
        "both places.");
  }
  return absl::StrCat(detail, "An attribute of this name is ", place,
                      ", but attributes do not read each other: name its value in a locals block, locals { ", text,
                      " = ... }, and read local.", text, " in both places.");
}

}  // namespace

void AddWithMeantNames(const Declarations& declared, const Diagnostics& found, const Source* source,
                       Diagnostics* diagnostics) {
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = source;
    if (diagnostic.code == DiagnosticCode::kUndeclaredVariable && diagnostic.subject) {
      const Place at = {*diagnostic.subject, diagnostic.source};
      const std::string name = ReadVariable(at.source->text().substr(at.range.begin, at.range.end - at.range.begin));
      if (IsIdentifier(name) && !IsLocal(declared, name)) {
        const std::optional<Meant> meant = Finder(declared, at).Find(name);
        if (meant) diagnostic.detail = TextOf(*meant, name, at.source);
      }
    }
    diagnostics->Add(std::move(diagnostic));
  }
  diagnostics->AddUnkept(found.unkept_errors(), found.unkept_warnings());
}

}  // namespace hcl::internal
