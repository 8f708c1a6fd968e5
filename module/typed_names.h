// TypedName: what `hclvm check --show-types` tells of one name of a module or a config.
//
// Internal to modules and programs. Tested by module/typed_names_test.cc.

#ifndef HCLVM_MODULE_TYPED_NAMES_H_
#define HCLVM_MODULE_TYPED_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_observer.h"

namespace hcl::internal {

// A name and what is known of its values before anything runs.
struct TypedName {
  enum class Kind : uint8_t { kVariable, kLocal, kFunction, kAttribute, kSpec };
  Kind kind;
  // That of a variable or local; a function's with its parameters, "within(n, more...)"; an attribute's path, as that
  // of its entry: "rule.0.when"; that of a spec file, for the value that it makes.
  std::string name;
  // In type syntax as far as there is one: parts that may be null are optional(...), an object that may have further
  // attributes ends in "...", and so does what is cut because it is long. "any" for what is not known or in error.
  std::string type;
  bool nullable = false;  // it may be null as a whole; false where the type is "any"
  SourceRange range;      // of the name
  const Source* source = nullptr;
};

// As the functions of module.h, which say what comes of it, with the types of all names that were looked at: variables,
// locals, functions and attributes, each in the order of the text. There are none where a file cannot be read. Sources
// of `names` are those of the files, and of `diagnostics` as well. `observer` may be null.
bool CheckModuleTypes(absl::Span<const ModuleFile> files, const CompileOptions& options, bool strict,
                      Diagnostics* diagnostics, std::vector<TypedName>* names, TypeObserver* observer = nullptr);
bool CheckPlainTypes(absl::Span<const ModuleFile> files, absl::Span<const ModuleFile> variables,
                     const CompileOptions& options, bool strict, Diagnostics* diagnostics,
                     std::vector<TypedName>* names, TypeObserver* observer = nullptr);

// TypedName::type for a type. At most about kMaxTypeText bytes: types share their parts, so that the text of a small
// one could be endless.
inline constexpr size_t kMaxTypeText = 2'000;
std::string SyntaxOf(const StaticType& type);

// "variable user: object({ name = string })" and "local.age: number or null".
std::string ToText(const TypedName& name);
// One JSON object: {"kind":"local","name":"age","type":"number","nullable":true,"filename":...,"line":1,"column":3}.
std::string ToJson(const TypedName& name);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_TYPED_NAMES_H_
