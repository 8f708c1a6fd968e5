// BaseLayer: variables that many evaluations share, below those that each of them is given: data that rarely change, as
// lists of users, roles and limits.
//
//   auto data = hcl::BaseData::Read({{std::make_shared<const hcl::Source>("users.json", text), "users"}}, {},
//                                   &diagnostics);
//   auto base = hcl::BaseLayer::Make(program, data, {}, &diagnostics);  // null where something is wrong
//   evaluator.BindBase(base);  // of any number of evaluators, in any number of threads
//
// The data are read once, and what a module makes of them alone (conversions, validations, locals) is made once. A
// service replaces a base by binding another one: evaluators that still run with the old one keep it.
//
// Tested by tests/base_layer_test.cc.

#ifndef HCLVM_VM_BASE_LAYER_H_
#define HCLVM_VM_BASE_LAYER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

namespace internal {
struct BaseTables;
}  // namespace internal

// A text of data, in JSON.
struct BaseText {
  std::shared_ptr<const Source> source;  // which diagnostics point to; needed while it is read only
  std::string variable;                  // whose value it is, UTF-8; empty: it is an object, variable name to value
};

struct BaseOptions {
  // Of reading, and of what is evaluated once; requests have limits of their own.
  Limits limits;
  // Variables that a request may give as well. It then replaces the whole variable; nothing is merged.
  std::vector<std::string> replaceable;
  // Of a module, look at all that the data give, as requests do under Evaluator::set_check_all(). Otherwise what no
  // entry reads is not looked at.
  bool check_all = false;
};

// The data of a base, whatever program reads them. Immutable and thread-safe; owns its values.
class BaseData {
 public:
  BaseData(const BaseData&) = delete;
  BaseData& operator=(const BaseData&) = delete;
  ~BaseData();

  // Reads all texts. Null, with diagnostics, where one is no JSON, or none of a scope, or where two give a variable.
  // Memory that the system refuses is a limit.
  static std::shared_ptr<const BaseData> Read(absl::Span<const BaseText> texts, const BaseOptions& options,
                                              Diagnostics* diagnostics);

  // An object: variable name to value.
  const Value& variables() const ABSL_ATTRIBUTE_LIFETIME_BOUND;

 private:
  struct Impl;
  explicit BaseData(std::unique_ptr<const Impl> impl);

  std::unique_ptr<const Impl> impl_;
};

// Data, as one program reads them. Immutable and thread-safe; keeps program and data.
class BaseLayer {
 public:
  BaseLayer(const BaseLayer&) = delete;
  BaseLayer& operator=(const BaseLayer&) = delete;
  ~BaseLayer();

  // Names in `data` that the program does not read have no effect. For the program of a module, the variables are
  // converted and validated, and null, with diagnostics, is the result where one does not fit its declaration. A local
  // that reads variables of the base alone, none of which is replaceable, is evaluated: with the limits of `options`,
  // and at no cost for requests. Where it fails, each evaluation that reads it fails so.
  static std::shared_ptr<const BaseLayer> Make(std::shared_ptr<const Program> program,
                                               std::shared_ptr<const BaseData> data, const BaseOptions& options,
                                               Diagnostics* diagnostics);

  // What evaluators have to run that bind it.
  const Program& program() const ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // Adds to `needed` the names of the variables that it gives: a scope that is read in part then shows which of them it
  // gives, too.
  void AddNames(JsonProjection* needed) const;

  // For the machine.
  const internal::BaseTables& tables() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return *tables_; }

 private:
  explicit BaseLayer(std::unique_ptr<const internal::BaseTables> tables);

  std::unique_ptr<const internal::BaseTables> tables_;
};

}  // namespace hcl

#endif  // HCLVM_VM_BASE_LAYER_H_
