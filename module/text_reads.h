// TextReads: what the texts of a module read of its variables, whatever becomes of them when they are compiled.
//
// A name that is followed by attributes is one path. So is a local whose value is a path, and a parameter of a function
// of the module whose argument is one: what is read of the name is read of the path. All else that an expression
// consists of is read, also where a run would not come by it.
//
// Internal to modules. Tested by tests/reads_test.cc.

#ifndef HCLVM_MODULE_TEXT_READS_H_
#define HCLVM_MODULE_TEXT_READS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/hash_table.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/read_paths.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {

// Not thread-safe.
class TextReads {
 public:
  // Paths by their numbers in paths(), in order, none twice.
  using Set = std::vector<uint32_t>;

  // `functions` has the functions that are not of the module, and must outlive this; it may be null.
  explicit TextReads(const FunctionRegistry* functions) : functions_of_host_(functions) {}

  // Declares the next variable. All variables come before all else.
  void AddVariable(const std::string& name, Type type);
  // Declares a function of the module, whose value is `result`; those that it calls were added before.
  void AddFunction(const Function& function, const Expr& result);
  // Declares a local; those that it reads were added before. Returns what its value reads.
  Set AddLocal(const std::string& name, const Expr& value);

  // What the expression reads, also by way of locals and functions. Where sets hold more than kMaxTotal paths together,
  // is_full() is true from then on, and they lack some.
  Set Of(const Expr& expr);
  bool is_full() const { return total_ > kMaxTotal; }
  // Paths of variables, whose numbers are those of their declaration.
  ReadPaths* paths() { return &paths_; }

  static constexpr size_t kMaxTotal = 2'000'000;

 private:
  class Walk;

  // Paths of one function that are told apart. Where there are more, all parameters are read whole: what is passed on
  // from function to function would grow with the power of their depth.
  static constexpr size_t kMaxPaths = 1000;

  // What a name stands for: a path, perhaps with elements behind it, which are not told apart.
  struct Target {
    uint32_t path = 0;
    bool has_ended = false;
  };
  struct Local {
    Set reads;
    std::optional<Target> path;  // that its value is
  };
  // What a function reads of its parameters, but for the variadic one: that is a list, which is read whole.
  struct Called {
    std::vector<std::vector<ReadPaths::Steps>> parameters;
    std::unique_ptr<const ReadPaths> paths;  // has the names of the steps
  };

  const FunctionRegistry* functions_of_host_;
  ReadPaths paths_;
  size_t total_ = 0;
  HashMap<std::string, uint32_t> variables_;
  HashMap<std::string, Local> locals_;
  HashMap<std::string, Called> called_;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_TEXT_READS_H_
