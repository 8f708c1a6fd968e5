// Native bodies: a body of the AST and marks on the items that were taken from it.
//
// Messages about the structure of a config are made here, and each knows the whole schema: most say what was probably
// meant, an argument for a block or a name that is spelled differently.

#include "hclvm/hcl/native_body.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

using internal::ToAbsl;
namespace {

std::string_view Name(const AttributeSchema& schema) { return schema.name; }
std::string_view Name(const BlockSchema& schema) { return schema.type; }

// The name in `list` nearest to `given`, as a question to append to a message; empty when none is near.
template <typename List>
std::string DidYouMean(std::string_view given, const List& list, const BodyContent& content) {
  std::vector<std::string_view> names;
  for (const auto& schema : list) {
    if (content.attributes.Find(Name(schema)) == nullptr) names.push_back(Name(schema));
  }
  const std::string_view nearest = NearestName(given, names);
  return nearest.empty() ? "" : absl::StrCat(" Did you mean \"", ToAbsl(nearest), "\"?");
}

// Items that earlier steps have taken.
struct Taken {
  std::vector<bool> attributes;
  std::vector<bool> blocks;
};

class NativeBody : public BodyView {
 public:
  NativeBody(const Body* body, const Source* source, Taken taken)
      : body_(body), source_(source), taken_(std::move(taken)) {}

  // What is found comes first, then what should not be there: a suggestion leaves out the names that are set.
  BodyContent Content(const BodySchema& schema, Diagnostics* diagnostics) const override {
    BodyContent content = Extract(schema, nullptr, diagnostics);
    for (size_t i = 0; i < body_->attributes.size(); ++i) {
      if (!IsTaken(taken_.attributes, i)) CheckWanted(body_->attributes[i], schema, content, diagnostics);
    }
    for (size_t i = 0; i < body_->blocks.size(); ++i) {
      if (!IsTaken(taken_.blocks, i)) CheckWanted(body_->blocks[i], schema, content, diagnostics);
    }
    return content;
  }

  // The rest is the same body with a bit for each item that was taken: nothing of the tree is copied, and dividing it
  // once more takes linear time again.
  PartialBodyContent PartialContent(const BodySchema& schema, Diagnostics* diagnostics) const override {
    Taken taken = taken_;
    taken.attributes.resize(body_->attributes.size());
    taken.blocks.resize(body_->blocks.size());
    PartialBodyContent result;
    result.content = Extract(schema, &taken, diagnostics);
    result.remaining = std::make_shared<NativeBody>(body_, source_, std::move(taken));
    return result;
  }

  // Only the first block is reported: whoever takes this body for attributes only, mostly has many blocks in it, and
  // each message would say the same.
  AttributeMap JustAttributes(Diagnostics* diagnostics) const override {
    for (size_t i = 0; i < body_->blocks.size(); ++i) {
      if (IsTaken(taken_.blocks, i)) continue;
      const Block& block = body_->blocks[i];
      Report(block.type_range, Diagnostic(DiagnosticCode::kUnexpectedBlock, {block.type}),
             "Only attributes are allowed here. To set an attribute, write \"=\" between its name and its value.",
             block.header(), diagnostics);
      break;
    }
    std::vector<AttributeView> attributes;
    for (size_t i = 0; i < body_->attributes.size(); ++i) {
      if (!IsTaken(taken_.attributes, i)) attributes.push_back(View(body_->attributes[i]));
    }
    return AttributeMap(std::move(attributes));
  }

  SourceRange MissingItemRange() const override { return body_->end; }
  const Source* source() const override { return source_; }

 private:
  static bool IsTaken(const std::vector<bool>& taken, size_t i) { return !taken.empty() && taken[i]; }

  AttributeView View(const Attribute& attribute) const {
    return {attribute.name, ViewOf(*attribute.expr, *source_), attribute.name_range, attribute.range};
  }

  BlockView View(const Block& block) const {
    return {block.type,
            {block.labels.begin(), block.labels.end()},
            ViewOf(*block.body, *source_),
            block.type_range,
            block.header(),
            block.range};
  }

  // What `schema` finds; marks it in `taken`, which may be null. A block is marked by its type alone, also when its
  // labels are wrong: the rest has nothing that the schema names (information-model.md, "Partial Processing of Body
  // Content"), so whoever opens it does not report the block again.
  BodyContent Extract(const BodySchema& schema, Taken* taken, Diagnostics* diagnostics) const {
    BodyContent content;
    std::vector<AttributeView> attributes;
    for (size_t i = 0; i < body_->attributes.size(); ++i) {
      const Attribute& attribute = body_->attributes[i];
      if (IsTaken(taken_.attributes, i) || schema.FindAttribute(attribute.name) == nullptr) continue;
      if (taken != nullptr) taken->attributes[i] = true;
      attributes.push_back(View(attribute));
    }
    content.attributes = AttributeMap(std::move(attributes));
    for (const AttributeSchema& attribute : schema.attributes()) {
      if (attribute.required && content.attributes.Find(attribute.name) == nullptr) {
        ReportMissing(attribute, schema, diagnostics);
      }
    }
    for (size_t i = 0; i < body_->blocks.size(); ++i) {
      const Block& block = body_->blocks[i];
      const BlockSchema* wanted = IsTaken(taken_.blocks, i) ? nullptr : schema.FindBlock(block.type);
      if (wanted == nullptr) continue;
      if (taken != nullptr) taken->blocks[i] = true;
      if (CheckLabels(block, *wanted, diagnostics)) content.blocks.push_back(View(block));
    }
    return content;
  }

  // A block of the name is the likeliest reason: somebody wrote `tags { ... }` for `tags = { ... }`.
  void ReportMissing(const AttributeSchema& attribute, const BodySchema& schema, Diagnostics* diagnostics) const {
    std::string detail;
    if (!diagnostics->full()) {
      absl::StrAppend(&detail, "The argument \"", attribute.name, "\" is required here, but it is not set.");
      for (size_t i = 0; i < body_->blocks.size(); ++i) {
        if (body_->blocks[i].type != attribute.name || IsTaken(taken_.blocks, i)) continue;
        if (schema.FindBlock(attribute.name) != nullptr) continue;
        absl::StrAppend(&detail, " A block of that name does not set it.");
        break;
      }
    }
    Report(MissingItemRange(), Diagnostic(DiagnosticCode::kMissingArgument), std::move(detail), std::nullopt,
           diagnostics);
  }

  // False when there is an error. A missing label is reported where it would stand, before the brace, and a superfluous
  // one where it stands; either message names all labels, since their order is what is mostly wrong.
  bool CheckLabels(const Block& block, const BlockSchema& wanted, Diagnostics* diagnostics) const {
    const size_t count = wanted.label_names.size();
    if (block.labels.size() == count) return true;
    const SourceRange context = Cover(block.type_range, block.open);
    const std::string names = absl::StrJoin(wanted.label_names, ", ");
    if (block.labels.size() < count) {
      Report(
          block.open, Diagnostic(DiagnosticCode::kMissingLabel, {wanted.label_names[block.labels.size()], wanted.type}),
          absl::StrCat("Before its \"{\", a block of type \"", wanted.type, "\" has ", Count(count), " (", names, ")."),
          context, diagnostics);
      return false;
    }
    Report(block.labels[count].range, Diagnostic(DiagnosticCode::kExtraLabel, {wanted.type}),
           count == 0
               ? absl::StrCat("A block of type \"", wanted.type, "\" has no labels.")
               : absl::StrCat("A block of type \"", wanted.type, "\" has only ", Count(count), " (", names, ")."),
           context, diagnostics);
    return false;
  }

  static std::string Count(size_t labels) { return labels == 1 ? "1 label" : absl::StrCat(labels, " labels"); }

  // The text is made only for an entry that is kept: it searches for the nearest of all names, for each item that is
  // not expected. An attribute instead of a block is the likeliest mistake, before a wrong name.
  void CheckWanted(const Attribute& attribute, const BodySchema& schema, const BodyContent& content,
                   Diagnostics* diagnostics) const {
    if (schema.FindAttribute(attribute.name) != nullptr) return;
    std::string detail;
    if (!diagnostics->full()) {
      const absl::string_view name = ToAbsl(attribute.name);
      absl::StrAppend(&detail, "An argument named \"", name, "\" is not expected here.");
      if (schema.FindBlock(attribute.name) != nullptr) {
        absl::StrAppend(&detail, " Did you mean a block of type \"", name,
                        "\"? A block is written without \"=\": ", name, " { ... }.");
      } else {
        absl::StrAppend(&detail, DidYouMean(attribute.name, schema.attributes(), content));
      }
    }
    Report(attribute.name_range, Diagnostic(DiagnosticCode::kUnsupportedArgument), std::move(detail), std::nullopt,
           diagnostics);
  }

  // Does for blocks what the function above does for attributes; here an argument is the likeliest thing that was
  // meant.
  void CheckWanted(const Block& block, const BodySchema& schema, const BodyContent& content,
                   Diagnostics* diagnostics) const {
    if (schema.FindBlock(block.type) != nullptr) return;
    std::string detail;
    if (!diagnostics->full()) {
      const absl::string_view type = ToAbsl(block.type);
      absl::StrAppend(&detail, "Blocks of type \"", type, "\" are not expected here.");
      if (schema.FindAttribute(block.type) != nullptr) {
        absl::StrAppend(&detail, " Did you mean the argument \"", type,
                        "\"? An argument is set with an equals sign: ", type, " = ...");
      } else {
        absl::StrAppend(&detail, DidYouMean(block.type, schema.blocks(), content));
      }
    }
    Report(block.type_range, Diagnostic(DiagnosticCode::kUnsupportedBlockType), std::move(detail), block.header(),
           diagnostics);
  }

  void Report(SourceRange subject, Diagnostic diagnostic, std::string detail, std::optional<SourceRange> context,
              Diagnostics* diagnostics) const {
    diagnostic.detail = std::move(detail);
    diagnostic.subject = subject;
    diagnostic.context = context;
    diagnostic.source = source_;
    diagnostics->Add(std::move(diagnostic));
  }

  const Body* body_;
  const Source* source_;
  Taken taken_;  // empty lists: nothing was taken
};

}  // namespace

BodyViewPtr ViewOf(const Body& body, const Source& source) {
  return std::make_shared<NativeBody>(&body, &source, Taken());
}

}  // namespace hcl
