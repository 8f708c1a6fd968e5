#include "hclvm/decode/body_shape.h"

#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/spec.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/json/convert.h"
#include "hclvm/hcl/schema.h"

namespace hcl {
namespace {

// "a b(x y:{c *})": names of attributes, and blocks with their labels and what stands in them; `*`: any attributes.
std::string Text(const BodyShape& shape) {
  std::string out;
  for (const AttributeSchema& attribute : shape.schema.attributes()) out += attribute.name + " ";
  for (size_t i = 0; i < shape.schema.blocks().size(); ++i) {
    const BlockSchema& block = shape.schema.blocks()[i];
    out += block.type + "(";
    for (const std::string& label : block.label_names) out += label + " ";
    out += "{ " + Text(*shape.blocks[i]) + "}) ";
  }
  return out + (shape.has_other_attributes ? "* " : "");
}

std::string ShapeText(std::string spec) {
  Diagnostics diagnostics;
  const auto file = ReadSpecFile(std::make_shared<const Source>("spec", std::move(spec)), Limits(), &diagnostics);
  if (file == nullptr) return ToText(diagnostics, nullptr);
  BodyShape shape;
  std::string error;
  return ShapeOf(*file->spec, &shape, &error) ? Text(shape) : error;
}

TEST(BodyShape, FollowsFromSpecs) {
  EXPECT_EQ(ShapeText(R"(attr {
    name = "a"
  })"),
            "a ");
  EXPECT_EQ(ShapeText(R"(object {
    attr "x" { name = "a" }
    default "y" {
      attr { name = "b" }
      attr { name = "a" }
    }
    block_list "s" {
      block_type = "service"
      object {
        label "name" {
          index = 0
          name = "name"
        }
        attr "p" { name = "port" }
        block_attrs "t" {
          block_type = "tags"
          element_type = string
        }
      }
    }
  })"),
            "a b service(name { port tags({ * }) }) ");
  // Two specs about the same blocks.
  EXPECT_EQ(ShapeText(R"(object {
    block_tuple "s" {
      block_type = "s"
      attr { name = "a" }
    }
    block "t" {
      block_type = "s"
      attr { name = "b" }
    }
  })"),
            "s({ a b }) ");
}

TEST(BodyShape, SaysWhatContradictsItself) {
  BodyShape shape;
  std::string error;
  using Spec = DecodeSpec;
  const auto blocks = [](DecodeSpecPtr content) { return Spec::BlockTuple("s", std::move(content)); };
  const DecodeSpecPtr attribute = Spec::Attribute("a", Type::Dynamic());
  const DecodeSpecPtr block = Spec::BlockTuple("a", Spec::Attribute("b", Type::Dynamic()));
  EXPECT_FALSE(ShapeOf(*Spec::Tuple({attribute, block}), &shape, &error));
  EXPECT_FALSE(error.empty());
  EXPECT_FALSE(ShapeOf(*Spec::Tuple({blocks(attribute), blocks(block)}), &shape, &error));
  EXPECT_EQ(error, "One spec wants an attribute named \"a\", another one blocks of that type.");
  EXPECT_TRUE(ShapeOf(*attribute, &shape, &error));
  EXPECT_TRUE(error.empty());
}

}  // namespace
}  // namespace hcl
