// JSON bodies: a value and the names of the properties that were taken from it.
//
// JSON does not tell attributes from blocks, so everything is decided by the schema when the body is opened, and
// nothing before.

#include "hclvm/hcl/json/json_body.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

using internal::ToAbsl;
namespace {

using Names = internal::HashSet<absl::string_view>;  // in the file

class JsonBody : public BodyView {
 public:
  JsonBody(const JsonFile* file, const JsonValue* value, Names taken)
      : file_(file), value_(value), taken_(std::move(taken)) {}

  // The properties are listed once and looked at twice: listing reports what is no object, and that once.
  BodyContent Content(const BodySchema& schema, Diagnostics* diagnostics) const override {
    const std::vector<const JsonProperty*> properties = BodyProperties(diagnostics);
    BodyContent content = Extract(properties, schema, nullptr, diagnostics);
    for (const JsonProperty* property : properties) CheckWanted(*property, schema, content, diagnostics);
    return content;
  }

  PartialBodyContent PartialContent(const BodySchema& schema, Diagnostics* diagnostics) const override {
    Names taken = taken_;
    PartialBodyContent result;
    result.content = Extract(BodyProperties(diagnostics), schema, &taken, diagnostics);
    result.remaining = std::make_shared<JsonBody>(file_, value_, std::move(taken));
    return result;
  }

  // An array is no body here, not even under the reference's rules, which flatten one only where a schema is given. The
  // first property of a name counts.
  AttributeMap JustAttributes(Diagnostics* diagnostics) const override {
    std::vector<AttributeView> attributes;
    if (value_->kind() == JsonKind::kInvalid) return AttributeMap();
    if (value_->kind() != JsonKind::kObject) {
      ReportType(*value_, "An object is required here, whose properties set the arguments.", diagnostics);
      return AttributeMap();
    }
    internal::HashMap<absl::string_view, const JsonProperty*> first;
    for (const JsonProperty& property : value_->properties()) {
      const absl::string_view name = ToAbsl(property.name.text());
      if (property.name.text() == kJsonComment || taken_.contains(name)) continue;
      const auto [existing, is_new] = first.try_emplace(name, &property);
      if (is_new) {
        attributes.push_back(View(property));
      } else {
        ReportDuplicate(DiagnosticCode::kJsonDuplicateAttribute, property, *existing->second, diagnostics);
      }
    }
    return AttributeMap(std::move(attributes));
  }

  SourceRange MissingItemRange() const override {
    return value_->kind() == JsonKind::kObject ? value_->close() : value_->start();
  }
  const Source* source() const override { return file_->source; }

 private:
  using Properties = std::vector<const JsonProperty*>;

  // A block under construction: what its labels are so far.
  struct Header {
    const BlockSchema* schema;
    const JsonProperty* property;  // whose name is the type
    std::vector<BlockLabel> labels;
  };

  bool flattens() const { return file_->rules == JsonRules::kReference; }

  AttributeView View(const JsonProperty& property) const {
    return {property.name.text(), file_->syntax.View(property.value), property.name.range(), property.range()};
  }

  // The properties that `value` has as an object, or as the array of objects that may stand for one. `wanted` says, in
  // messages, what such an object is for. The specification lets an array stand only behind the last label
  // (json-syntax.md, "Blocks"); the reference takes one anywhere. null has no properties in either, and what the parser
  // has reported is passed over.
  Properties PropertiesOf(const JsonValue& value, const std::string& wanted, Diagnostics* diagnostics) const {
    Properties properties;
    const auto append = [&](const JsonValue& object) {
      for (const JsonProperty& property : object.properties()) properties.push_back(&property);
    };
    switch (value.kind()) {
      case JsonKind::kObject:
        append(value);
        break;
      case JsonKind::kArray:
        if (!flattens()) {
          ReportType(value,
                     absl::StrCat("An object is required here, ", wanted,
                                  ". An array may only stand around the bodies of several blocks, behind the last "
                                  "label."),
                     diagnostics);
          break;
        }
        for (const JsonValue& element : value.elements()) {
          if (element.kind() == JsonKind::kObject) {
            append(element);
          } else if (element.kind() != JsonKind::kInvalid) {
            ReportType(element, absl::StrCat("An object is required here, ", wanted, "."), diagnostics);
          }
        }
        break;
      case JsonKind::kNull:
      case JsonKind::kInvalid:
        break;
      default:
        ReportType(value,
                   absl::StrCat(flattens() ? "Either an object or an array of objects" : "An object",
                                " is required here, ", wanted, "."),
                   diagnostics);
    }
    return properties;
  }

  // The properties of the body without those that were taken or are comments (json-syntax.md, "Structural Elements").
  Properties BodyProperties(Diagnostics* diagnostics) const {
    Properties left;
    for (const JsonProperty* property : PropertiesOf(*value_, "to set arguments and define blocks", diagnostics)) {
      const std::string_view name = property->name.text();
      if (taken_.contains(ToAbsl(name)) || (name == kJsonComment && !flattens())) continue;
      left.push_back(property);
    }
    return left;
  }

  // What the schema names. `taken` notes the names that were found; null: nobody asks. A property may be repeated where
  // it stands for blocks, which then add up, but not as an argument: the first one counts. Names are taken and not
  // properties, as all of a name go together.
  BodyContent Extract(const Properties& properties, const BodySchema& schema, Names* taken,
                      Diagnostics* diagnostics) const {
    BodyContent content;
    std::vector<AttributeView> attributes;
    internal::HashMap<absl::string_view, const JsonProperty*> first;
    for (const JsonProperty* property : properties) {
      const absl::string_view name = ToAbsl(property->name.text());
      const BlockSchema* const block = schema.FindBlock(property->name.text());
      if (block != nullptr) {
        Header header{block, property, {}};
        AddBlocks(property->value, &header, &content.blocks, diagnostics);
      } else if (schema.FindAttribute(property->name.text()) == nullptr) {
        continue;
      } else if (const auto [existing, is_new] = first.try_emplace(name, property); is_new) {
        attributes.push_back(View(*property));
      } else {
        ReportDuplicate(DiagnosticCode::kDuplicateArgument, *property, *existing->second, diagnostics);
      }
      if (taken != nullptr) taken->insert(name);
    }
    content.attributes = AttributeMap(std::move(attributes));
    for (const AttributeSchema& attribute : schema.attributes()) {
      if (!attribute.required || content.attributes.Find(attribute.name) != nullptr) continue;
      Report(MissingItemRange(), std::nullopt, DiagnosticCode::kMissingArgument,
             absl::StrCat("The argument \"", attribute.name, "\" is required here, but it is not set."), diagnostics);
    }
    return content;
  }

  // Blocks from `value`, below the labels in `header` (json-syntax.md, "Blocks": an object for each label). The labels
  // so far are a stack that is copied for each block at the bottom. Recursion: one level for each label of the schema.
  void AddBlocks(const JsonValue& value, Header* header, std::vector<BlockView>* blocks,
                 Diagnostics* diagnostics) const {
    const std::vector<std::string>& names = header->schema->label_names;
    if (header->labels.size() == names.size()) return AddBodies(value, *header, blocks, diagnostics);
    if (value.kind() == JsonKind::kInvalid) return;
    const std::string& label_name = names[header->labels.size()];
    const size_t errors = diagnostics->error_count();
    const Properties properties = PropertiesOf(
        value,
        absl::StrCat("whose property names are the ", label_name, " labels of \"", header->schema->type, "\" blocks"),
        diagnostics);
    if (properties.empty() && (flattens() || diagnostics->error_count() == errors)) {
      Report(value.start(), std::nullopt, DiagnosticCode::kJsonMissingLabel,
             absl::StrCat("At least one property is required here, whose name is the ", label_name, " of a \"",
                          header->schema->type, "\" block."),
             diagnostics);
    }
    for (const JsonProperty* property : properties) {
      header->labels.push_back({property->name.text(), property->name.range()});
      AddBlocks(property->value, header, blocks, diagnostics);
      header->labels.pop_back();
    }
  }

  // Adds the block of one body, or those of an array of bodies (json-syntax.md, "Blocks"). Under the reference's rules,
  // all blocks of an array are said to be defined where the array starts.
  void AddBodies(const JsonValue& value, const Header& header, std::vector<BlockView>* blocks,
                 Diagnostics* diagnostics) const {
    switch (value.kind()) {
      case JsonKind::kNull:
      case JsonKind::kInvalid:
        return;
      case JsonKind::kObject:
        return AddBlock(value, value.start(), header, blocks);
      case JsonKind::kArray:
        for (const JsonValue& element : value.elements()) {
          AddBlock(element, flattens() ? value.start() : element.start(), header, blocks);
        }
        return;
      default:
        ReportType(
            value,
            absl::StrCat("\"", header.schema->type,
                         "\" is a block type here, not an argument: either an object is required, the body of one "
                         "block, or an array of objects, the bodies of several."),
            diagnostics, header.property->range());
    }
  }

  // A body that is no object is reported when it is opened.
  void AddBlock(const JsonValue& body, SourceRange definition, const Header& header,
                std::vector<BlockView>* blocks) const {
    BlockView block;
    block.type = header.property->name.text();
    block.labels = header.labels;
    block.body = std::make_shared<JsonBody>(file_, &body, Names());
    block.type_range = header.property->name.range();
    block.header = definition;
    block.range = body.range();
    blocks->push_back(std::move(block));
  }

  // The text is made only for an entry that is kept, as it searches all names for the nearest one. Arguments that are
  // set are no suggestion; block types are, since they may repeat.
  void CheckWanted(const JsonProperty& property, const BodySchema& schema, const BodyContent& content,
                   Diagnostics* diagnostics) const {
    const std::string_view name = property.name.text();
    if (name == kJsonComment || schema.FindAttribute(name) != nullptr || schema.FindBlock(name) != nullptr) return;
    std::string detail;
    if (!diagnostics->full()) {
      std::vector<std::string_view> names;
      for (const AttributeSchema& attribute : schema.attributes()) {
        if (content.attributes.Find(attribute.name) == nullptr) names.push_back(attribute.name);
      }
      for (const BlockSchema& block : schema.blocks()) names.push_back(block.type);
      const std::string_view near = NearestName(name, names);
      absl::StrAppend(&detail, "Neither an argument nor a block type is named \"", ToAbsl(name), "\" here.");
      if (!near.empty()) absl::StrAppend(&detail, " Did you mean \"", ToAbsl(near), "\"?");
    }
    Report(property.name.range(), property.range(), DiagnosticCode::kJsonExtraProperty, std::move(detail), diagnostics);
  }

  void ReportType(const JsonValue& value, std::string detail, Diagnostics* diagnostics,
                  std::optional<SourceRange> context = std::nullopt) const {
    Report(value.start(), context, DiagnosticCode::kJsonIncorrectType, std::move(detail), diagnostics);
  }

  void ReportDuplicate(DiagnosticCode code, const JsonProperty& property, const JsonProperty& first,
                       Diagnostics* diagnostics) const {
    std::string detail;
    if (!diagnostics->full()) {
      detail = absl::StrCat("The argument \"", ToAbsl(property.name.text()), "\" is set already, on line ",
                            file_->source->LineAt(first.name.range().begin), ".");
    }
    Report(property.name.range(), property.range(), code, std::move(detail), diagnostics);
  }

  void Report(SourceRange subject, std::optional<SourceRange> context, DiagnosticCode code, std::string detail,
              Diagnostics* diagnostics) const {
    Diagnostic diagnostic(code);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = subject;
    diagnostic.context = context;
    diagnostic.source = file_->source;
    diagnostics->Add(std::move(diagnostic));
  }

  const JsonFile* file_;
  const JsonValue* value_;
  Names taken_;
};

constexpr JsonValue kNoBody;

}  // namespace

BodyViewPtr ViewOf(const JsonFile& file) {
  const JsonKind kind = file.root.kind();
  const bool is_body = kind == JsonKind::kObject || (kind == JsonKind::kArray && file.rules == JsonRules::kReference);
  return std::make_shared<JsonBody>(&file, is_body ? &file.root : &kNoBody, Names());
}

}  // namespace hcl
