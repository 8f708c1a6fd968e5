// Spec files. Recursion follows the nesting of blocks, which the parser has bounded. Tested by
// decode/spec_file_test.cc.
//
// A spec file is a config itself, and is opened with schemas like any other: the messages about it are those of bodies.
// Each function that reads a spec returns null after it has reported why.

#include "hclvm/decode/spec_file.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/decode/type_expression.h"
#include "hclvm/decode/user_function.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/conversion.h"

namespace hcl {

using internal::ToAbsl;
namespace {

using Spec = DecodeSpec;

constexpr std::string_view kSpecTypes[] = {
    "object",       "array",       "literal", "attr",      "block", "block_list", "block_map",
    "block_object", "block_tuple", "default", "block_set", "label", "transform",  "block_attrs",
};

// Blocks of every type of spec, with or without a label. In an object, specs have one, the property; anywhere else they
// have none. Opening a body with the one or the other tells what is wrong, in words that fit.
BodySchema SpecSchema(bool labeled) {
  BodySchema schema;
  for (std::string_view type : kSpecTypes) {
    schema.AddBlock(std::string(type), labeled ? std::vector<std::string>{"key"} : std::vector<std::string>{})
        .IgnoreError();
  }
  return schema;
}

BodySchema Attributes(std::initializer_list<const char*> names) {
  BodySchema schema;
  for (const char* name : names) schema.AddAttribute(name).IgnoreError();
  return schema;
}

class SpecReader {
 public:
  SpecReader(std::shared_ptr<const Source> source, std::shared_ptr<const ParsedFile> file, const Limits& limits,
             Diagnostics* diagnostics)
      : source_(std::move(source)),
        file_(std::move(file)),
        heap_(std::make_shared<Heap>(nullptr, Dialect::kHashiCorp, limits)),
        diagnostics_(diagnostics) {
    options_.dialect = Dialect::kHashiCorp;
    options_.limits = limits;
    options_.functions = SpecFunctions();
  }

  // Functions and variables are taken out first, so that what is left is the root block and nothing else; a mistake in
  // one part does not hide those in the others. The functions see those of spec files and not each other, as
  // user_function.h says.
  std::unique_ptr<SpecFile> Read() {
    const size_t errors = Errors();
    auto result = std::make_unique<SpecFile>();
    FunctionRegistryBuilder functions;
    BodyViewPtr rest =
        TakeUserFunctions(*ViewOf(*file_->body, *source_), "function", {source_}, options_, &functions, diagnostics_);
    result->functions = std::move(functions).Build();
    if (result->functions->Names().empty()) result->functions = nullptr;
    BodySchema schema;
    schema.AddBlock("variables").IgnoreError();
    const PartialBodyContent partial = rest->PartialContent(schema, diagnostics_);
    for (const BlockView& block : partial.content.blocks) {
      for (const AttributeView& attribute : block.body->JustAttributes(diagnostics_)) {
        if (std::optional<Value> value = Evaluate(attribute.expr)) {
          result->variables.emplace_back(attribute.name, *value);
        }
      }
    }
    result->spec = ReadOnly(*partial.remaining,
                            "A spec file must have exactly one root block, which says what to make of a body.");
    result->heap = heap_;
    return result->spec == nullptr || Errors() > errors ? nullptr : std::move(result);
  }

 private:
  size_t Errors() const { return diagnostics_->error_count(); }

  // Reports an error and returns null.
  DecodeSpecPtr Fail(SourceRange subject, DiagnosticCode code, std::string detail,
                     std::initializer_list<std::string_view> names = {}) {
    Report(subject, code, std::move(detail), names);
    return nullptr;
  }
  void Report(SourceRange subject, DiagnosticCode code, std::string detail,
              std::initializer_list<std::string_view> names = {}) {
    Diagnostic diagnostic(code, names);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = subject;
    diagnostic.source = source_.get();
    diagnostics_->Add(std::move(diagnostic));
  }

  // The value of a constant expression, which may call the functions of spec files. The value is cloned out of the
  // evaluator, which is gone afterwards, into the heap that the result keeps.
  std::optional<Value> Evaluate(const ExprView& expr) {
    Diagnostics found(options_.limits.max_diagnostics);
    const auto program = CompileExpr(*NativeExpr(expr), source_, options_, &found);
    std::optional<Value> value;
    if (program != nullptr) {
      Evaluator evaluator(program, options_.limits);
      const Evaluation& evaluation = evaluator.Run();
      for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) found.Add(diagnostic);
      if (!found.has_errors()) value = Clone(evaluation.value(), heap_->arena(), heap_->types());
    }
    for (Diagnostic diagnostic : found.kept()) {
      diagnostic.source = source_.get();
      diagnostics_->Add(std::move(diagnostic));
    }
    return value;
  }

  // The argument `name` as a value of `type`; a null when it is not set, none when it is in error. A null and a missing
  // argument are the same.
  std::optional<Value> Argument(const BodyContent& content, const char* name, Type type) {
    const AttributeView* const attribute = content.attributes.Find(name);
    if (attribute == nullptr) return Value::Null(type);
    const std::optional<Value> value = Evaluate(attribute->expr);
    if (!value) return std::nullopt;
    Value converted;
    ConversionError error;
    if (Convert(*value, type, heap_.get(), &converted, &error)) return converted;
    Fail(attribute->expr.range(), DiagnosticCode::kSpecArgumentType,
         absl::StrCat("The argument \"", name, "\" has an unsuitable value: ", error.ToString(), "."));
    return std::nullopt;
  }

  // Each sets *result when the argument is set, and returns false when it is in error.
  bool ReadText(const BodyContent& content, const char* name, std::string* result) {
    const std::optional<Value> value = Argument(content, name, Type::String());
    if (value && value->is_string()) *result = std::string(value->AsString());
    return value.has_value();
  }
  bool ReadBool(const BodyContent& content, const char* name, bool* result) {
    const std::optional<Value> value = Argument(content, name, Type::Bool());
    if (value && value->is_bool()) *result = value->is_true();
    return value.has_value();
  }
  // A negative number counts as 0, which for a maximum means any number.
  bool ReadCount(const BodyContent& content, const char* name, uint32_t* result) {
    const std::optional<Value> value = Argument(content, name, Type::Number());
    if (!value) return false;
    if (value->is_null()) return true;
    if (value->is_int() && value->AsInt() <= INT32_MAX) {
      *result = value->AsInt() < 0 ? 0 : static_cast<uint32_t>(value->AsInt());
      return true;
    }
    return Fail(content.attributes.Find(name)->expr.range(), DiagnosticCode::kSpecArgumentType,
                absl::StrCat("The argument \"", name, "\" must be a whole number.")) != nullptr;
  }
  // Types are read as they are written and not evaluated: names such as `string` are no variables here.
  bool ReadType(const BodyContent& content, const char* name, TypeConstraint* result) {
    const AttributeView* const attribute = content.attributes.Find(name);
    return attribute == nullptr || AsKeyword(attribute->expr) == "null" ||
           ReadTypeExpression(attribute->expr, heap_, result, diagnostics_);
  }

  // The label of a spec in an object is the name that an attribute or block has unless the spec gives one.
  DecodeSpecPtr ReadBlock(const BlockView& block) {
    const std::string name(block.labels.empty() ? "" : block.labels[0].text);
    if (block.type == "object") return ReadObject(*block.body);
    if (block.type == "array") return ReadArray(*block.body);
    if (block.type == "literal") return ReadLiteral(*block.body);
    if (block.type == "attr") return ReadAttribute(*block.body, name);
    if (block.type == "block_attrs") return ReadBlockAttributes(*block.body, name);
    if (block.type == "label") return ReadLabel(*block.body, name);
    if (block.type == "default") return ReadDefault(*block.body);
    if (block.type == "transform") return ReadTransform(*block.body);
    if (block.type == "block_map" || block.type == "block_object") {
      return ReadLabeledBlocks(*block.body, block.type, name);
    }
    return ReadBlocks(*block.body, block.type, name);
  }

  // The one spec in `body`; `detail` says that there has to be one. A block of an unknown type was reported already,
  // and is probably the one that is missed.
  DecodeSpecPtr ReadOnly(const BodyView& body, const char* detail) {
    const size_t errors = Errors();
    const BodyContent content = body.Content(unlabeled_, diagnostics_);
    if (content.blocks.empty()) {
      return Errors() > errors ? nullptr : Fail(body.MissingItemRange(), DiagnosticCode::kMissingSpec, detail);
    }
    if (content.blocks.size() > 1) return Fail(content.blocks[1].header, DiagnosticCode::kExtraSpec, detail);
    return ReadBlock(content.blocks[0]);
  }

  // All specs are read before the errors are counted, so that one pass reports those of all of them.
  DecodeSpecPtr ReadObject(const BodyView& body) {
    std::vector<Spec::Property> properties;
    const size_t errors = Errors();
    for (const BlockView& block : body.Content(labeled_, diagnostics_).blocks) {
      properties.emplace_back(block.labels[0].text, ReadBlock(block));
    }
    return Errors() > errors ? nullptr : Spec::Object(std::move(properties));
  }

  DecodeSpecPtr ReadArray(const BodyView& body) {
    std::vector<DecodeSpecPtr> elements;
    const size_t errors = Errors();
    for (const BlockView& block : body.Content(unlabeled_, diagnostics_).blocks) elements.push_back(ReadBlock(block));
    return Errors() > errors ? nullptr : Spec::Tuple(std::move(elements));
  }

  // A value is required, as a spec without one would say nothing; a null is one.
  DecodeSpecPtr ReadLiteral(const BodyView& body) {
    static const BodySchema* const schema = [] {
      auto* made = new BodySchema();
      made->AddAttribute("value", true).IgnoreError();
      return made;
    }();
    const BodyContent content = body.Content(*schema, diagnostics_);
    const AttributeView* const attribute = content.attributes.Find("value");
    if (attribute == nullptr) return nullptr;
    const std::optional<Value> value = Evaluate(attribute->expr);
    return value ? Spec::Literal(*value) : nullptr;
  }

  DecodeSpecPtr MissingName(const BodyView& body, std::string_view argument, std::string_view type) {
    return Fail(body.MissingItemRange(), DiagnosticCode::kMissingSpecName,
                absl::StrCat("The argument \"", ToAbsl(argument),
                             "\" is required, to say what is expected in a body, where the spec has no label."),
                {argument, type});
  }

  // `required` may be null or left out, and so may the type, which is then `any`.
  DecodeSpecPtr ReadAttribute(const BodyView& body, std::string name) {
    const size_t errors = Errors();
    const BodyContent content = body.Content(Attributes({"name", "type", "required"}), diagnostics_);
    bool required = false;
    TypeConstraint type;
    if (Errors() > errors || !ReadText(content, "name", &name) || !ReadBool(content, "required", &required) ||
        !ReadType(content, "type", &type)) {
      return nullptr;
    }
    if (name.empty()) return MissingName(body, "name", "attr");
    return Spec::Attribute(std::move(name), type.type, required, std::move(type.defaults));
  }

  // The arguments are taken out of the body, and the rest is the spec of the content. That is read before the name is
  // missed, so that its mistakes are reported in the same pass.
  DecodeSpecPtr ReadBlocks(const BodyView& body, std::string_view type, std::string name) {
    const size_t errors = Errors();
    const PartialBodyContent partial = body.PartialContent(
        type == "block" ? Attributes({"block_type", "required"}) : Attributes({"block_type", "min_items", "max_items"}),
        diagnostics_);
    bool required = false;
    BlockCount count;
    if (Errors() > errors || !ReadText(partial.content, "block_type", &name) ||
        !ReadBool(partial.content, "required", &required) || !ReadCount(partial.content, "min_items", &count.min) ||
        !ReadCount(partial.content, "max_items", &count.max)) {
      return nullptr;
    }
    DecodeSpecPtr content = ReadContent(*partial.remaining);
    if (name.empty()) return MissingName(body, "block_type", type);
    if (content == nullptr) return nullptr;
    if (type == "block") return Spec::Block(std::move(name), std::move(content), required);
    if (type == "block_list") return Spec::BlockList(std::move(name), std::move(content), count);
    if (type == "block_set") return Spec::BlockSet(std::move(name), std::move(content), count);
    return Spec::BlockTuple(std::move(name), std::move(content), count);
  }

  DecodeSpecPtr ReadContent(const BodyView& body) {
    return ReadOnly(body, "A spec of blocks must have exactly one spec in it, for what is in such a block.");
  }

  // A map's elements are of one type, which has to be known from the spec: with `any` in it, each block could bring
  // another one. A null in the list of names is a label without one, which matters in messages only.
  DecodeSpecPtr ReadLabeledBlocks(const BodyView& body, std::string_view type, std::string name) {
    const size_t errors = Errors();
    BodySchema schema = Attributes({"block_type"});
    schema.AddAttribute("labels", true).IgnoreError();
    const PartialBodyContent partial = body.PartialContent(schema, diagnostics_);
    if (Errors() > errors || !ReadText(partial.content, "block_type", &name)) return nullptr;
    const std::optional<Value> labels = Argument(partial.content, "labels", heap_->types()->List(Type::String()));
    if (!labels) return nullptr;
    std::vector<std::string> names;
    for (size_t n = 0; labels->is_list() && n < labels->size(); ++n) {
      const Value& label = labels->elements()[n];
      names.emplace_back(label.is_string() ? label.AsString() : "label");
    }
    DecodeSpecPtr content = ReadContent(*partial.remaining);
    if (name.empty()) return MissingName(body, "block_type", type);
    if (names.empty() || names.size() > Spec::kMaxLabels) {
      return Fail(
          body.MissingItemRange(), DiagnosticCode::kInvalidLabelNames,
          absl::StrCat("A ", ToAbsl(type), " must have at least one label, and at most ", Spec::kMaxLabels, "."));
    }
    if (content == nullptr) return nullptr;
    if (type == "block_object") return Spec::BlockObject(std::move(name), std::move(names), std::move(content));
    if (ImpliedType(*content, heap_.get()).has_dynamic()) {
      return Fail(body.MissingItemRange(), DiagnosticCode::kInvalidBlockMap,
                  "The blocks of a block_map must be of one type, so that 'any' cannot stand in it. A block_object can "
                  "have it.");
    }
    return Spec::BlockMap(std::move(name), std::move(names), std::move(content));
  }

  // The element type has no default, unlike that of an attribute: the elements of a map must be of one type.
  DecodeSpecPtr ReadBlockAttributes(const BodyView& body, std::string name) {
    const size_t errors = Errors();
    BodySchema schema = Attributes({"block_type", "required"});
    schema.AddAttribute("element_type", true).IgnoreError();
    const BodyContent content = body.Content(schema, diagnostics_);
    bool required = false;
    TypeConstraint type;
    if (Errors() > errors || !ReadText(content, "block_type", &name) || !ReadBool(content, "required", &required) ||
        !ReadType(content, "element_type", &type)) {
      return nullptr;
    }
    if (name.empty()) return MissingName(body, "block_type", "block_attrs");
    return Spec::BlockAttributes(std::move(name), type.type, required);
  }

  DecodeSpecPtr ReadLabel(const BodyView& body, std::string name) {
    const size_t errors = Errors();
    const BodyContent content = body.Content(Attributes({"name", "index"}), diagnostics_);
    uint32_t index = 0;
    if (Errors() > errors || !ReadText(content, "name", &name) || !ReadCount(content, "index", &index)) {
      return nullptr;
    }
    if (name.empty()) return MissingName(body, "name", "label");
    return Spec::Label(index, std::move(name));
  }

  // Nests to the left, the first two innermost: each step takes the next outcome where those before came to null. One
  // spec alone is a warning and no error, as it means what it says.
  DecodeSpecPtr ReadDefault(const BodyView& body) {
    const size_t errors = Errors();
    const BodyContent content = body.Content(unlabeled_, diagnostics_);
    if (content.blocks.empty() && Errors() == errors) {
      return Fail(body.MissingItemRange(), DiagnosticCode::kMissingSpec,
                  "A default spec must have at least one spec in it, each a possible outcome.");
    }
    std::vector<DecodeSpecPtr> outcomes;
    for (const BlockView& block : content.blocks) outcomes.push_back(ReadBlock(block));
    if (Errors() > errors) return nullptr;
    if (outcomes.size() == 1) {
      Report(content.blocks[0].header, DiagnosticCode::kUselessDefault,
             "A default spec with only one spec in it is the same as that spec alone.");
    }
    DecodeSpecPtr spec = outcomes[0];
    for (size_t n = 1; n < outcomes.size(); ++n) spec = Spec::Default(std::move(spec), outcomes[n]);
    return spec;
  }

  // The expression is kept as a tree, with its file: it is compiled into each program that is made of the spec.
  DecodeSpecPtr ReadTransform(const BodyView& body) {
    const size_t errors = Errors();
    BodySchema schema;
    schema.AddAttribute("result", true).IgnoreError();
    const PartialBodyContent partial = body.PartialContent(schema, diagnostics_);
    if (Errors() > errors) return nullptr;
    DecodeSpecPtr nested = ReadOnly(*partial.remaining, "A transform spec must have exactly one spec in it.");
    if (nested == nullptr) return nullptr;
    SpecExpression expression{source_, file_, NativeExpr(partial.content.attributes.Find("result")->expr)};
    return Spec::Transform(std::move(nested), std::move(expression), SpecFunctions());
  }

  const std::shared_ptr<const Source> source_;
  const std::shared_ptr<const ParsedFile> file_;
  const std::shared_ptr<Heap> heap_;
  Diagnostics* const diagnostics_;
  const BodySchema labeled_ = SpecSchema(true);
  const BodySchema unlabeled_ = SpecSchema(false);
  CompileOptions options_;
};

}  // namespace

// A spec with syntax errors is not looked at further: what is missing in it would be reported as missing. File and
// source are shared with the specs that keep expressions.
std::unique_ptr<SpecFile> ReadSpecFile(std::shared_ptr<const Source> source, const Limits& limits,
                                       Diagnostics* diagnostics) {
  ParseOptions options;
  options.limits = limits;
  options.allow_byte_order_mark = true;
  options.strip_one_line = true;
  Diagnostics found(limits.max_diagnostics);
  std::shared_ptr<const ParsedFile> file = ParseConfig(*source, options, &found);
  for (Diagnostic diagnostic : found.kept()) {
    diagnostic.source = source.get();
    diagnostics->Add(std::move(diagnostic));
  }
  if (found.has_errors()) return nullptr;
  auto result = SpecReader(std::move(source), std::move(file), limits, diagnostics).Read();
  return result;
}

}  // namespace hcl
