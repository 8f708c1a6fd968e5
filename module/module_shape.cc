// The declarations of modules. Tested by tests/convert_property_test.cc.

#include "hclvm/module/module_shape.h"

#include <memory>

namespace hcl {

BodyShape ModuleShape() {
  auto variable = std::make_shared<BodyShape>();
  variable->schema.AddBlock("validation").IgnoreError();
  variable->blocks = {nullptr};
  variable->static_attributes = {"type"};
  auto function = std::make_shared<BodyShape>();
  function->static_attributes = {"params", "variadic_param"};
  BodyShape shape;
  shape.schema.AddBlock("variable", {"name"}).IgnoreError();
  shape.schema.AddBlock("locals").IgnoreError();
  shape.schema.AddBlock("function", {"name"}).IgnoreError();
  shape.blocks = {variable, nullptr, function};
  return shape;
}

}  // namespace hcl
