// Merged bodies: each call goes to every body; the results are joined.

#include "hclvm/hcl/merged_body.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

using internal::ToAbsl;
namespace {

// A message names at most so many files.
constexpr size_t kMaxNames = 3;

// Attributes of several bodies, each name once.
class AttributeCollector {
 public:
  explicit AttributeCollector(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  // The first attribute of a name counts, in the order of the bodies. The map keeps places in the list and not
  // pointers, as the list grows.
  void Add(const AttributeMap& attributes) {
    for (const AttributeView& attribute : attributes) {
      const auto [entry, inserted] = places_.emplace(ToAbsl(attribute.name), attributes_.size());
      if (inserted) {
        attributes_.push_back(attribute);
      } else {
        ReportDuplicate(attribute, attributes_[entry->second]);
      }
    }
  }

  AttributeMap Take() { return AttributeMap(std::move(attributes_)); }

 private:
  // The two may stand in different files, so the place of the first is told in words: a range belongs to one source.
  void ReportDuplicate(const AttributeView& attribute, const AttributeView& first) {
    const Source& source = *first.expr.source();
    Diagnostic diagnostic(DiagnosticCode::kDuplicateArgument);
    diagnostic.detail =
        absl::StrCat("The argument \"", ToAbsl(attribute.name), "\" was already set in ", source.name(), " on line ",
                     source.LineAt(first.name_range.begin), ". It may be set once in all of these files.");
    diagnostic.subject = attribute.name_range;
    diagnostic.source = attribute.expr.source();
    diagnostics_->Add(std::move(diagnostic));
  }

  Diagnostics* diagnostics_;
  std::vector<AttributeView> attributes_;
  internal::HashMap<absl::string_view, size_t> places_;
};

class MergedBody : public BodyView {
 public:
  explicit MergedBody(std::vector<BodyViewPtr> bodies) : bodies_(std::move(bodies)) {}

  BodyContent Content(const BodySchema& schema, Diagnostics* diagnostics) const override {
    return Merge(
        schema, [&](const BodyView& body, const BodySchema& each) { return body.Content(each, diagnostics); },
        diagnostics);
  }

  // What is left over is merged in turn, so that a second look at it treats the files as one body again.
  PartialBodyContent PartialContent(const BodySchema& schema, Diagnostics* diagnostics) const override {
    std::vector<BodyViewPtr> remaining;
    PartialBodyContent result;
    result.content = Merge(
        schema,
        [&](const BodyView& body, const BodySchema& each) {
          PartialBodyContent partial = body.PartialContent(each, diagnostics);
          remaining.push_back(std::move(partial.remaining));
          return std::move(partial.content);
        },
        diagnostics);
    result.remaining = MergeBodies(std::move(remaining));
    return result;
  }

  AttributeMap JustAttributes(Diagnostics* diagnostics) const override {
    AttributeCollector attributes(diagnostics);
    for (const BodyViewPtr& body : bodies_) attributes.Add(body->JustAttributes(diagnostics));
    return attributes.Take();
  }

  SourceRange MissingItemRange() const override {
    return bodies_.empty() ? SourceRange() : bodies_[0]->MissingItemRange();
  }
  const Source* source() const override { return bodies_.empty() ? nullptr : bodies_[0]->source(); }

 private:
  // `open` is called for each body with the schema, of which nothing is required in one body alone: a required
  // attribute may stand in any of them. It is missed here, when all have been looked at.
  template <typename Open>
  BodyContent Merge(const BodySchema& schema, Open open, Diagnostics* diagnostics) const {
    const BodySchema each = schema.WithNothingRequired();
    AttributeCollector attributes(diagnostics);
    BodyContent merged;
    for (const BodyViewPtr& body : bodies_) {
      BodyContent content = open(*body, each);
      attributes.Add(content.attributes);
      for (BlockView& block : content.blocks) merged.blocks.push_back(std::move(block));
    }
    merged.attributes = attributes.Take();
    for (const AttributeSchema& attribute : schema.attributes()) {
      if (attribute.required && merged.attributes.Find(attribute.name) == nullptr) {
        ReportMissing(attribute, diagnostics);
      }
    }
    return merged;
  }

  // The message has no place: each of the files is as good as the others.
  void ReportMissing(const AttributeSchema& attribute, Diagnostics* diagnostics) const {
    Diagnostic diagnostic(DiagnosticCode::kMissingArgument);
    diagnostic.detail =
        absl::StrCat("The argument \"", attribute.name, "\" is required, but it is not set in ", Names(), ".");
    diagnostics->Add(std::move(diagnostic));
  }

  // The bodies as words.
  std::string Names() const {
    if (bodies_.empty()) return "any file";
    if (bodies_.size() > kMaxNames) return absl::StrCat("any of the ", bodies_.size(), " files");
    return absl::StrJoin(bodies_, " or ", [](std::string* out, const BodyViewPtr& body) {
      out->append(body->source() == nullptr ? "an empty body" : body->source()->name());
    });
  }

  std::vector<BodyViewPtr> bodies_;
};

}  // namespace

BodyViewPtr MergeBodies(std::vector<BodyViewPtr> bodies) {
  if (bodies.size() == 1) return bodies[0];  // which knows better where something is missing
  return std::make_shared<MergedBody>(std::move(bodies));
}

}  // namespace hcl
