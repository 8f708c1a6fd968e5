// DecodeSpec: making trees, and what follows from them. Recursion follows the nesting of specs, which whoever makes
// them has bounded. Tested by decode/decoder_test.cc.

#include "hclvm/decode/spec.h"

#include <algorithm>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/decode/same_body.h"
#include "hclvm/vm/evaluator.h"

namespace hcl {

using internal::ForSameBody;
using Kind = DecodeSpec::Kind;

std::shared_ptr<DecodeSpec> DecodeSpec::Make(Kind kind, std::string name, DecodeSpecPtr child) {
  auto spec = std::make_shared<DecodeSpec>(Key(), kind);
  name = internal::ToNfc(name);  // as names in bodies are
  spec->name_ = std::move(name);
  if (child != nullptr) spec->children_.push_back(std::move(child));
  return spec;
}

// Types without parts need no memory; others live in a heap of the spec's own, as the caller's may be gone before it.
void DecodeSpec::SetType(Type type) {
  type_ = type;
  if (type.is_dynamic() || type.is_primitive()) return;
  heap_ = std::make_unique<Heap>();
  type_ = heap_->types()->Import(type);
}

// Sorted by name, as the attributes of an object are: values are then generated in the order that they are stored in.
// The names are normalized as those of all values are, so that the implied type has the value's.
DecodeSpecPtr DecodeSpec::Object(std::vector<Property> properties) {
  std::map<std::string, DecodeSpecPtr> sorted;
  for (Property& property : properties) sorted[internal::ToNfc(property.first)] = std::move(property.second);
  auto spec = Make(Kind::kObject, "");
  for (auto& [name, child] : sorted) {
    spec->names_.push_back(name);
    spec->children_.push_back(std::move(child));
  }
  return spec;
}

DecodeSpecPtr DecodeSpec::Tuple(std::vector<DecodeSpecPtr> elements) {
  auto spec = Make(Kind::kTuple, "");
  spec->children_ = std::move(elements);
  return spec;
}

DecodeSpecPtr DecodeSpec::Attribute(std::string name, Type type, bool required,
                                    std::shared_ptr<const TypeDefaults> defaults) {
  auto spec = Make(Kind::kAttribute, std::move(name));
  spec->SetType(type);
  spec->required_ = required;
  spec->defaults_ = std::move(defaults);
  return spec;
}

DecodeSpecPtr DecodeSpec::Literal(const Value& value) {
  auto spec = Make(Kind::kLiteral, "");
  spec->heap_ = std::make_unique<Heap>();
  spec->value_ = Clone(value, spec->heap_->arena(), spec->heap_->types());
  return spec;
}

DecodeSpecPtr DecodeSpec::Block(std::string type, DecodeSpecPtr content, bool required) {
  auto spec = Make(Kind::kBlock, std::move(type), std::move(content));
  spec->required_ = required;
  return spec;
}

DecodeSpecPtr DecodeSpec::BlockList(std::string type, DecodeSpecPtr content, BlockCount count) {
  auto spec = Make(Kind::kBlockList, std::move(type), std::move(content));
  spec->count_ = count;
  return spec;
}

DecodeSpecPtr DecodeSpec::BlockSet(std::string type, DecodeSpecPtr content, BlockCount count) {
  auto spec = Make(Kind::kBlockSet, std::move(type), std::move(content));
  spec->count_ = count;
  return spec;
}

DecodeSpecPtr DecodeSpec::BlockTuple(std::string type, DecodeSpecPtr content, BlockCount count) {
  auto spec = Make(Kind::kBlockTuple, std::move(type), std::move(content));
  spec->count_ = count;
  return spec;
}

DecodeSpecPtr DecodeSpec::BlockMap(std::string type, std::vector<std::string> label_names, DecodeSpecPtr content) {
  auto spec = Make(Kind::kBlockMap, std::move(type), std::move(content));
  spec->names_ = std::move(label_names);
  return spec;
}

DecodeSpecPtr DecodeSpec::BlockObject(std::string type, std::vector<std::string> label_names, DecodeSpecPtr content) {
  auto spec = Make(Kind::kBlockObject, std::move(type), std::move(content));
  spec->names_ = std::move(label_names);
  return spec;
}

DecodeSpecPtr DecodeSpec::BlockAttributes(std::string type, Type element, bool required) {
  auto spec = Make(Kind::kBlockAttributes, std::move(type));
  spec->SetType(element);
  spec->required_ = required;
  return spec;
}

DecodeSpecPtr DecodeSpec::Label(uint32_t index, std::string name) {
  auto spec = Make(Kind::kLabel, std::move(name));
  spec->label_index_ = std::min(index, kMaxLabels);
  return spec;
}

DecodeSpecPtr DecodeSpec::Default(DecodeSpecPtr primary, DecodeSpecPtr fallback) {
  auto spec = Make(Kind::kDefault, "", std::move(primary));
  spec->children_.push_back(std::move(fallback));
  return spec;
}

DecodeSpecPtr DecodeSpec::Transform(DecodeSpecPtr content, SpecExpression expression,
                                    std::shared_ptr<const FunctionRegistry> functions, std::string variable) {
  auto spec = Make(Kind::kTransform, std::move(variable), std::move(content));
  spec->expression_ = std::move(expression);
  spec->functions_ = std::move(functions);
  return spec;
}

namespace {

// The labels of a block that `spec` is about: those that it uses itself, then those that its content asks for.
std::vector<std::string> LabelsOf(const DecodeSpec& spec) {
  std::vector<std::string> labels;
  if (spec.kind() == Kind::kBlockMap || spec.kind() == Kind::kBlockObject) labels = spec.names();
  if (spec.content() != nullptr) {
    for (std::string& name : ImpliedLabels(*spec.content())) labels.push_back(std::move(name));
  }
  return labels;
}

// The type is found by trying: the expression is evaluated with an unknown value of the content's type, and an unknown
// result has a type. There is no second set of rules that could disagree with the machine's. An expression that fails
// on an unknown value leaves the type open.
Type TransformedType(const DecodeSpec& spec, Type content, Heap* heap) {
  CompileOptions options;
  options.dialect = heap->dialect();
  options.functions = spec.functions();
  Diagnostics unused(0);
  const auto program = CompileExpr(*spec.expression().expr, spec.expression().source, options, &unused);
  if (program == nullptr) return Type::Dynamic();
  Evaluator evaluator(program);
  evaluator.Bind(spec.name(), Value::Unknown(content));
  const Evaluation& evaluation = evaluator.Run();
  return evaluation.ok() ? heap->types()->Import(TypeOf(evaluation.value(), evaluator.heap()->types()))
                         : Type::Dynamic();
}

Type ObjectType(const DecodeSpec& spec, Heap* heap) {
  std::vector<Value> keys;
  std::vector<Type> types;
  for (size_t n = 0; n < spec.names().size(); ++n) {
    keys.push_back(Value::String(spec.names()[n], heap->arena()));
    types.push_back(ImpliedType(*spec.children()[n], heap));
  }
  return heap->types()->Object(*MakeShape(keys, heap->arena()), types);
}

}  // namespace

// Labels that nobody asks for still exist, below the largest index that somebody asks for; they are just "label".
// DecodeSpec::Label() bounds the index, or one spec could ask for four billion of them.
std::vector<std::string> ImpliedLabels(const DecodeSpec& spec) {
  std::vector<std::string> labels;
  ForSameBody(spec, [&](const DecodeSpec& part) {
    if (part.kind() != Kind::kLabel) return;
    if (labels.size() <= part.label_index()) labels.resize(part.label_index() + 1, "label");
    labels[part.label_index()] = part.name();
  });
  return labels;
}

// Several specs may ask for the same attribute or blocks, as a Default does for one in two forms; a schema names each
// once. The order is that of first mention, so that messages about what is missing come in the spec's order. Where
// specs disagree, one difference is told; which of the two is meant, nobody can know.
bool ImpliedSchema(const DecodeSpec& spec, BodySchema* schema, std::string* error) {
  std::map<std::string, bool> attributes;  // name to whether it is required
  std::map<std::string, std::vector<std::string>> blocks;
  std::vector<std::string> order;  // of both, by their first mention
  error->clear();
  ForSameBody(spec, [&](const DecodeSpec& part) {
    if (part.kind() == Kind::kAttribute) {
      if (attributes.count(part.name()) == 0) order.push_back(part.name());
      attributes[part.name()] |= part.required();
    } else if (part.is_block()) {
      std::vector<std::string> labels = LabelsOf(part);
      const auto [it, is_new] = blocks.try_emplace(part.name(), labels);
      if (is_new) order.push_back(part.name());
      if (it->second.size() != labels.size()) {
        *error = absl::StrCat("Two specs want different numbers of labels of blocks of type \"", part.name(), "\".");
      }
    }
  });
  for (const std::string& name : order) {
    const auto attribute = attributes.find(name);
    const absl::Status status = attribute != attributes.end() ? schema->AddAttribute(name, attribute->second)
                                                              : schema->AddBlock(name, blocks[name]);
    if (!status.ok() && error->empty()) {
      *error = absl::StrCat("One spec wants an attribute named \"", name, "\", another one blocks of that type.");
    }
  }
  return error->empty();
}

// A tuple or object of blocks has as many parts as there are blocks, so its type hangs on the body, and `any` stands
// for it. A list and a set, whose elements are of one type, do not.
Type ImpliedType(const DecodeSpec& spec, Heap* heap) {
  TypeTable* const types = heap->types();
  switch (spec.kind()) {
    case Kind::kObject:
      return ObjectType(spec, heap);
    case Kind::kTuple: {
      std::vector<Type> elements;
      for (const DecodeSpecPtr& child : spec.children()) elements.push_back(ImpliedType(*child, heap));
      return types->Tuple(elements);
    }
    case Kind::kAttribute:
      return types->Import(spec.type());
    case Kind::kLiteral:
      return TypeOf(spec.value(), types);
    case Kind::kBlock:
    case Kind::kDefault:
      return ImpliedType(*spec.children()[0], heap);
    case Kind::kBlockList:
      return types->List(ImpliedType(*spec.content(), heap));
    case Kind::kBlockSet:
      return types->Set(ImpliedType(*spec.content(), heap));
    case Kind::kBlockMap: {
      Type type = ImpliedType(*spec.content(), heap);
      for (size_t n = 0; n < spec.names().size(); ++n) type = types->Map(type);
      return type;
    }
    case Kind::kBlockAttributes:
      return types->Map(types->Import(spec.type()));
    case Kind::kLabel:
      return Type::String();
    case Kind::kTransform:
      return TransformedType(spec, ImpliedType(*spec.children()[0], heap), heap);
    case Kind::kBlockTuple:
    case Kind::kBlockObject:
      break;
  }
  return Type::Dynamic();
}

}  // namespace hcl
