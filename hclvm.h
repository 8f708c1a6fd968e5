// hclvm: HCL compiled once and evaluated many times. What most programs need, in one header:
//
//   compile       CompileConfig, CompileExpression, CompileTemplate; CompileJsonConfig for the JSON syntax;
//                 CompileModule
//   bind and run  Evaluator
//   JSON          JsonReader, AppendJson
//   diagnostics   Diagnostics, ToText, ToJson
//   functions     StandardFunctions, FunctionRegistryBuilder
//
// docs/embedding.md has examples, and names the headers for everything else. Needs C++17. Everything is in the
// namespace hcl; hcl::internal is not for users.

#ifndef HCLVM_HCLVM_H_
#define HCLVM_HCLVM_H_

// IWYU pragma: begin_exports
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
// IWYU pragma: end_exports

#endif  // HCLVM_HCLVM_H_
