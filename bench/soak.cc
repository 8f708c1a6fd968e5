// Evaluates again and again over collections of ever other sizes, and checks that the process does not grow:
//
//   bazel run //bench:soak [-- EVALUATIONS]
//
// Prints resident memory after a warm-up, in which everything has been at its largest, and at the end. Exit status 1
// when it grew by more than a MiB.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

constexpr char kPolicy[] =
    "{names = [for u in users : upper(u.name) if u.age >= 18], ids = {for u in users : \"${u.name}-${u.age}\" => "
    "u.age...}, "
    "oldest = try(max([for u in users : u.age]...), null), first = can(users[0].nosuch)}";
constexpr int kMaxUsers = 60;

// Resident and not virtual memory: what the allocator has asked for and nobody has touched is no growth.
double ResidentMib() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long pages = 0;
  if (file == nullptr || std::fscanf(file, "%*d %ld", &pages) != 1) std::abort();
  std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

// The values of a scope live in a heap that is reset for each evaluation, as a service would do it. The shape outlives
// them in a heap of its own. The generator of numbers has a fixed start, so that a run can be repeated.
class Soak {
 public:
  explicit Soak(std::shared_ptr<const Program> program) : evaluator_(std::move(program)) {
    const Value keys[] = {Value::StringView("age"), Value::StringView("name")};
    shape_ = MakeShape(keys, shapes_.arena());
  }

  // One evaluation over `users` users.
  bool Run(int users) {
    heap_.Reset();
    values_.clear();
    for (int n = 0; n < users; ++n) {
      const Value user[] = {Value::Int(static_cast<int64_t>(random_() % 90)),
                            Value::StringView(n % 2 == 0 ? "Ada" : "a name that does not fit into a value")};
      values_.push_back(MakeObject(shape_, user, heap_.arena()));
    }
    evaluator_.Bind("users", MakeTuple(values_, heap_.arena()));
    return evaluator_.Run().ok();
  }

  int AnySize() { return static_cast<int>(random_() % (kMaxUsers + 1)); }

 private:
  Evaluator evaluator_;
  Heap shapes_;
  Heap heap_;
  const Shape* shape_;
  std::vector<Value> values_;
  std::mt19937_64 random_{1};
};

// The warm-up has the largest collections first: whatever grows with the size has grown when memory is looked at. A
// leak of one byte for each of ten million evaluations, the default, comes to more than nine times the MiB that is
// allowed.
int Main(int64_t evaluations) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("<soak>", kPolicy);
  const std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
  if (program == nullptr) {
    std::fputs(ToText(diagnostics, source.get()).c_str(), stderr);
    return 1;
  }
  Soak soak(program);
  for (int n = 0; n < 2'000; ++n) {
    if (!soak.Run(n < 1'000 ? kMaxUsers : soak.AnySize())) return std::puts("an evaluation failed"), 1;
  }
  const double before = ResidentMib();
  for (int64_t n = 0; n < evaluations; ++n) {
    if (!soak.Run(soak.AnySize())) return std::puts("an evaluation failed"), 1;
  }
  const double after = ResidentMib();
  std::printf("%lld evaluations: %.2f MiB before, %.2f MiB after\n", static_cast<long long>(evaluations), before,
              after);
  return after - before > 1 ? 1 : 0;
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) { return hcl::bench::Main(argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 10'000'000); }
