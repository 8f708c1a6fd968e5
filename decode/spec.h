// DecodeSpec: what is expected in a body, and the value that is made of it.
//
// A spec is a tree. Some specs read the body that they stand in (Attribute, Block...), some put others together
// (Object, Tuple, Default, Transform), and those about blocks hold one more spec, for what is in such a block. From a
// spec follow the schema with which a body is opened (ImpliedSchema) and the type of the value (ImpliedType). The
// compiler (decode/decoder.h) makes one program of a spec and a body; files in the reference's `.hcldec` format are
// read by decode/spec_file.h.
//
//   using Spec = hcl::DecodeSpec;
//   auto spec = Spec::Object({{"name", Spec::Attribute("name", hcl::Type::String(), true)},
//                             {"ports", Spec::BlockList("port", Spec::Attribute("number", hcl::Type::Number()))}});
//
// Tested by decode/decoder_test.cc.

#ifndef HCLVM_DECODE_SPEC_H_
#define HCLVM_DECODE_SPEC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

class DecodeSpec;
using DecodeSpecPtr = std::shared_ptr<const DecodeSpec>;

// An expression of a Transform, with what it lives in.
struct SpecExpression {
  std::shared_ptr<const Source> source;
  std::shared_ptr<const void> tree;  // what `expr` points into
  const Expr* expr = nullptr;
};

// How many blocks there may be. A maximum of 0 means any number.
struct BlockCount {
  uint32_t min = 0;
  uint32_t max = 0;
};

// Immutable, shared, thread-safe. Specs that are given to the functions below must not be null; types and values are
// copied.
class DecodeSpec {
 public:
  enum class Kind : uint8_t {
    kObject,
    kTuple,
    kAttribute,
    kLiteral,
    kBlock,
    kBlockList,
    kBlockSet,
    kBlockTuple,
    kBlockMap,
    kBlockObject,
    kBlockAttributes,
    kLabel,
    kDefault,
    kTransform,
  };
  using Property = std::pair<std::string, DecodeSpecPtr>;

  // An object with the value of each spec under its name. A name that is given again replaces the one before.
  static DecodeSpecPtr Object(std::vector<Property> properties);
  // A tuple of the specs' values.
  static DecodeSpecPtr Tuple(std::vector<DecodeSpecPtr> elements);
  // The attribute's value converted to `type`, or a null of that type when it is not set, which is an error if it is
  // required. What the value leaves out is taken from `defaults` (may be null) before it is converted.
  static DecodeSpecPtr Attribute(std::string name, Type type, bool required = false,
                                 std::shared_ptr<const TypeDefaults> defaults = nullptr);
  // This value, whatever is in the body.
  static DecodeSpecPtr Literal(const Value& value);
  // The one block of this type, as `content` makes it of the block's body; null when there is none, which is an error
  // if it is required.
  static DecodeSpecPtr Block(std::string type, DecodeSpecPtr content, bool required = false);
  // All blocks of this type. In lists and sets, what `any` stands for in `content` comes to one type.
  static DecodeSpecPtr BlockList(std::string type, DecodeSpecPtr content, BlockCount count = {});
  static DecodeSpecPtr BlockSet(std::string type, DecodeSpecPtr content, BlockCount count = {});
  static DecodeSpecPtr BlockTuple(std::string type, DecodeSpecPtr content, BlockCount count = {});
  // The blocks by their labels, a map or object for each label; `label_names`, at least one, are for messages. Labels
  // behind these are for Label() in `content`. A map's `content` must not have `any` in its type.
  static DecodeSpecPtr BlockMap(std::string type, std::vector<std::string> label_names, DecodeSpecPtr content);
  static DecodeSpecPtr BlockObject(std::string type, std::vector<std::string> label_names, DecodeSpecPtr content);
  // The attributes of the one block of this type, as a map with elements of type `element`; null when there is none.
  static DecodeSpecPtr BlockAttributes(std::string type, Type element, bool required = false);
  // A label of the block whose content this is (not counting those that a BlockMap or BlockObject has used), from 0,
  // at most kMaxLabels. Blocks have as many labels as the largest index asks for.
  static constexpr uint32_t kMaxLabels = 100;
  static DecodeSpecPtr Label(uint32_t index, std::string name);
  // The value of `primary`, or that of `fallback` where it is null. The type is that of `primary`.
  static DecodeSpecPtr Default(DecodeSpecPtr primary, DecodeSpecPtr fallback);
  // The value of `expression`, in which `variable` is the value of `content` and only `functions` (may be null) can be
  // called.
  static DecodeSpecPtr Transform(DecodeSpecPtr content, SpecExpression expression,
                                 std::shared_ptr<const FunctionRegistry> functions, std::string variable = "nested");

  Kind kind() const { return kind_; }
  // The name of an attribute, the type of blocks, what a Label means, or the variable of a Transform.
  const std::string& name() const { return name_; }
  // The type of an Attribute, or of the elements of BlockAttributes. Lives as long as the spec.
  Type type() const { return type_; }
  const std::shared_ptr<const TypeDefaults>& defaults() const { return defaults_; }
  const Value& value() const { return value_; }
  bool required() const { return required_; }
  BlockCount count() const { return count_; }
  uint32_t label_index() const { return label_index_; }
  // The names of an Object's children, sorted, or those of the labels of a BlockMap or BlockObject.
  const std::vector<std::string>& names() const { return names_; }
  // What this is put together from.
  const std::vector<DecodeSpecPtr>& children() const { return children_; }
  const SpecExpression& expression() const { return expression_; }
  const std::shared_ptr<const FunctionRegistry>& functions() const { return functions_; }

  // True for specs about blocks of type name().
  bool is_block() const { return kind_ >= Kind::kBlock && kind_ <= Kind::kBlockAttributes; }
  // What the body of such a block is decoded with; null for BlockAttributes.
  const DecodeSpec* content() const { return is_block() && !children_.empty() ? children_[0].get() : nullptr; }

 private:
  struct Key {};

 public:
  DecodeSpec(Key, Kind kind) : kind_(kind) {}

 private:
  static std::shared_ptr<DecodeSpec> Make(Kind kind, std::string name, DecodeSpecPtr child = nullptr);
  void SetType(Type type);

  Kind kind_;
  bool required_ = false;
  uint32_t label_index_ = 0;
  BlockCount count_;
  std::string name_;
  std::unique_ptr<Heap> heap_;  // of a type or value that needs memory
  Type type_;
  std::shared_ptr<const TypeDefaults> defaults_;
  Value value_;
  std::vector<std::string> names_;
  std::vector<DecodeSpecPtr> children_;
  SpecExpression expression_;
  std::shared_ptr<const FunctionRegistry> functions_;
};

// The labels that `spec` wants of the block whose content it is, by Label().
std::vector<std::string> ImpliedLabels(const DecodeSpec& spec);

// What `spec` looks for in the body that it is applied to, without what is inside of blocks. False and *error, a
// sentence, when the spec contradicts itself: a name for an attribute and for blocks, blocks of one type with different
// labels. Of attributes that are named twice, one that is required counts.
bool ImpliedSchema(const DecodeSpec& spec, BodySchema* schema, std::string* error);

// The type of the value, made in `heap`; `any` where it depends on the body. A Transform's follows from what its
// expression makes of an unknown value.
Type ImpliedType(const DecodeSpec& spec, Heap* heap);

}  // namespace hcl

#endif  // HCLVM_DECODE_SPEC_H_
