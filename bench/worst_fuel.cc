// Searches for the work that gets the most processor time, and the most memory, for a unit of fuel:
//
//   tools/worst-fuel [SECONDS]
//
// It evaluates families of expressions that were once too cheap, every function of the library with a large value of
// each form in every parameter, and calls nested at random, until the seconds (default 60) are over. It prints the
// worst ones, by nanoseconds for a unit, below a plain loop of the same run. Exit status 1 when one of them takes more
// than 25 times what the plain loop takes: docs/limits.md promises that.

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/live_bytes.h"
#include "hclvm/bench/worst_scope.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

constexpr double kAllowed = 25;       // times a plain loop
constexpr double kGrowthAllowed = 2;  // times a unit over a quarter of the elements
constexpr size_t kShown = 60;
constexpr int kShownOfOne = 2;
// So small a call is made many times, so that what an evaluation takes beside it does not count.
constexpr uint64_t kFewUnits = 20'000;
constexpr uint64_t kMaxFuel = 20'000'000;

constexpr char kPlainLoop[] = "[for x in numbers : x * 2 + 1 if x > 10]";

// What was too cheap once, or is easily so. An expression sees the large and the small values by their names.
constexpr const char* kFamilies[] = {
    "regexall(\"[a-z]+\", words)",
    "regexall(\"(a)(b)?\", letters)",
    "regexall(\"(a|b)*a(a|b){9}\", words)",
    "regexall(\"x.*y|a\", text)",
    "regexall(\"\\\\w\", letters)",
    "regexall(\"\\\\pL\", accents)",
    "regexall(\"\\\\pL+\", hangul)",
    "regexall(\"(\\\\pL+)x\", substr(hangul, 0, 20000))",
    "regexall(\"\\\\pL\\\\pN*\\\\pL{3}x\", substr(accents, 0, 20000))",
    "regexall(\"[^a]*(.{3})?.*b\", substr(kana, 0, 20000))",
    "regexall(\"([a-z][0-9]?){1,30}y\", substr(letters, 0, 20000))",
    ("regexall(\"(?:[ab]|[bc])*b(?:[ab]|[bc]){15}\", substr(join(\"\", [for s in strings : substr(sha256(s), 0, 20)]), "
     "0, 50000))"),
    "regexall(\"(.)(.)(.)(.)(.)(.)(.)(.)\", letters)",
    "regexall(\"((((((((((((((((((((a))))))))))))))))))))\", text)",
    "regex(join(\"\", [for n in range(50) : \"(a*)\"]), text)",
    "regex(join(\"\", [for n in range(90) : \"()\"]), substr(text, 0, 2000))",
    "try(regex(join(\"\", [for n in range(1000) : \"a?\"]), substr(text, 0, 5000)), 0)",
    "[for n in range(100) : try(regex(\"(?:a{0,30}){0,${n}}b\", \"aaaa\"), 0)]",
    "[for n in range(100) : try(regex(\"\\\\pL{${n}}\", \"aaaa\"), 0)]",
    "[for n in range(100) : try(regex(\"(a{0,${n}}){0,${n}}c\", \"aaaa\"), 0)]",
    "[for n in range(1000) : try(regex(\"[a-z]+${n}\", \"abc\"), 0)]",
    "regexreplace(words, \"[a-z]\", \"$0$0\")",
    "replace(text, \"a\", \"bb\")",
    "strcontains(text, \"${substr(text, 0, 3000)}x\")",
    "strcontains(text, \"aaaab\")",
    "split(\"aaaab\", text)[0]",
    "replace(text, \"\", \"b\")",
    "[for s in strings : lookup(map, s, 0)]",
    "[for s in range(1000) : length(strings)]",
    "[for s in range(1000) : element(strings, s)]",
    "[for s in range(1000) : coalesce(strings, strings)]",
    "[for s in range(1000) : coalesce(kinds, null)]",
    "[for s in range(1000) : contains(set_of_strings, \"name${s}\")]",
    "[for s in range(100) : contains(objects, {a = s, b = \"x\"})]",
    "try(tolist(kinds), 0)",
    "try(tolist(mixed), 0)",
    "try(tolist(lengths), 0)",
    "try(toset(kinds), 0)",
    "try(convert(kinds, list(any)), 0)",
    "try(convert(objects, set(object({a = number, b = string}))), 0)",
    "try(convert(strings, set(string)), 0)",
    "try(convert(numbers, list(string)), 0)",
    "try(convert(fractions, set(string)), 0)",
    "try(concat(kinds, mixed), 0)",
    "toset(objects)",
    "setsubtract(set_of_strings, [\"a\"])",
    "setsubtract(set_of_objects, set_of_objects)",
    "trim(text, letters)",
    "trim(words, words)",
    "format(\"%.999999f\", 1)",
    "format(\"%999999d\", 1)",
    "[for n in range(1000) : format(\"%d %s\", n, \"x\")]",
    "formatlist(\"%s-%s\", strings, \"x\")",
    "[for n in range(1000) : pow(1.5, n)]",
    "[for n in range(1000) : log(n + 1.5, 10)]",
    "[for n in range(1000) : floor(long_fraction)]",
    "[for n in range(1000) : parseint(\"zz${n}\", 36)]",
    "parseint(substr(digits, 0, 150), 10)",
    "yamldecode(yaml_merges)",
    "sort(prefixed)",
    "distinct(tuple_of_strings)",
    "[for n in range(1000) : sha256(\"${n}\")]",
    "setproduct(range(200), range(200))",
    "setproduct(toset(range(100)), toset(range(100)))",
    "{for n in numbers : \"k${n}\" => n...}",
    "[for n in range(1000) : \"${n}-${n}\"]",
    "[for x in strings : x == \"a\"]",
    "jsonencode(deep)",
    "flatten([for n in range(300) : deep])",
    "base64gzip(letters)",
    "base64gunzip(base64gzip(letters))",
    "base64gunzip(base64gzip(words))",
    "base64gzip(words)",
    "base64gzip(accents)",
    "base64gzip(join(\"\", [for s in strings : sha256(s)]))",
    "[for n in range(1000) : base64gzip(\"${n}\")]",
    "textencodebase64(accents, \"UTF-16\")",
    "textencodebase64(words, \"windows-1252\")",
    "textdecodebase64(base64encode(words), \"UTF-8\")",
    "textdecodebase64(textencodebase64(accents, \"UTF-16LE\"), \"UTF-16LE\")",
    "dirname(join(\"\", [for s in strings : \"a/../b/\"]))",
    "dirname(\"${replace(words, \" \", \"/\")}/x\")",
    "templatestring(join(\"\", [for s in range(1000) : \"$${a}\"]), {a = 1})",
    "templatestring(join(\"\", [for s in range(1000) : \"%%{if a}x%%{endif}\"]), {a = true})",
    "templatestring(join(\"\", [for s in range(1000) : \"%%{for x in a}%%{endfor}\"]), {a = []})",
    "templatestring(\"$${0*(${join(\"+\", [for s in range(1000) : \"a\"])})}\", {a = 1})",
    "templatestring(\"$${[${join(\",\", [for s in range(1000) : \"{}\"])}] == 1}\", {a = 1})",
    "templatestring(\"$${[${join(\",\", [for s in range(1000) : \"a[0]\"])}] == 1}\", {a = [1]})",
    "templatestring(\"$${[${join(\",\", [for s in range(1000) : \"a[*]\"])}] == 1}\", {a = 1})",
    "templatestring(\"$${[${join(\",\", [for s in range(1000) : \"upper(a)\"])}] == 1}\", {a = 1})",
    "templatestring(\"$${[${join(\",\", [for s in range(1000) : \"[for x in a:x]\"])}] == 1}\", {a = []})",
    R"(templatestring("$${[${join(",", [for n in range(500) : "b${n}"])}] == 1}", {for n in range(500) : "b${n}" => n}))",
    "try(templatestring(\"$${[${join(\",\", [for s in range(1000) : \"f()\"])}]}\", {}), 0)",
    "try(templatestring(\"$${[${join(\",\", [for s in range(1000) : \"$\"])}]}\", {}), 0)",
    "try(templatestring(\"$${[${join(\",\", [for s in range(1000) : \"1e9\"])}]}\", {}), 0)",
    "[for n in range(1000) : templatestring(\"${n}$${a}\", {a = 1})]",
    "[for n in range(1000) : templatestring(\"<$${a}>\", {a = n})]",
    "[for n in numbers : n % long_number]",
    "[for n in numbers : long_number % (n + 1)]",
    "[for n in numbers : long_zeros % long_number]",
    "[for n in numbers : long_fraction / long_number]",
    "[for n in numbers : long_number * long_number]",
    "[for n in range(1000) : \"${substr(digits, 0, 1000)}\" % 7]",
    "[for n in [for m in range(1000) : substr(digits, 0, 1000)] : n / 7]",
    "[for n in [for m in range(1000) : substr(digits, 0, 1000)] : n % long_number]",
    "[for n in range(1000) : try(map[long_zeros], 0)]",
    "[for n in range(1000) : try(object[long_zeros], 0)]",
    "[for n in range(100) : {(long_zeros) = 1}]",
    "[for n in range(100) : \"${long_zeros}\"]",
    "[for n in range(100) : coalesce(long_zeros, \"a\")]",
    "[for n in range(100) : n > 50 ? long_zeros : \"a\"]",
    "format(\"%200000000d\", 1)",
    "[for n in range(100) : format(\"%999999s\", \"a\")]",
};

// Steps that fail, values of the wrong kind, and elements of many kinds. `#` is "kinds" and then "more_kinds", which
// has four times the elements: a unit must not take more for that.
constexpr const char* kGrowing[] = {
    "[for y in # : #.role]",
    "[for y in # : y.role]",
    "[for y in # : #[\"role\"]]",
    "[for y in # : # + 1]",
    "[for y in # : !#]",
    "[for y in # : # ? 1 : 2]",
    "[for y in # : \"${#}\"]",
    "[for y in # : y if #]",
    "{for y in # : # => y}",
    "[for y in # : [for z in 1 : z]]",
    "[for y in # : upper(#)]",
    "[for y in # : join(\",\", #)]",
    "[for y in # : length(y)]",
    "[for y in # : keys(#)]",
    "[for y in # : try(#.role, 0)]",
    "anytrue([for y in # : y.role == #.role])",
    "max(#...)",
    "max([for y in # : \"text\"]...)",
    "max([for y in # : \"7\"]...)",
    "merge([for y in # : 7]...)",
    "coalesce(#...)",
    "coalesce([for n in range(length(#)) : [for m in range(n % 20) : n % 7 == 0 ? m : \"a\"]]...)",
    "[for n in range(100) : coalesce(#, mixed)]",
    "[for n in range(100) : n > 50 ? # : mixed]",
    "[for n in range(100) : n > 50 ? # : null]",
    "[for n in range(20) : n > 10 ? object : {for k in range(length(#)) : \"b${k}\" => k}]",
    "try(tolist(#), 0)",
    "try(tomap({for n, y in # : n => y}), 0)",
};

struct Row {
  double ns = 0;     // for a unit
  double bytes = 0;  // for a unit, beside what max_result_bytes counts
  double ms = 0;
  uint64_t units = 0;
  std::string text;
};

// Some functions ask for two variadic arguments.
size_t ArgumentCount(const Function& function) {
  if (function.variadic && function.parameters.empty()) return std::min<size_t>(2, function.max_variadic);
  return function.parameters.size() + (function.variadic ? 1 : 0);
}

double CpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

class Search {
 public:
  explicit Search(double seconds) : large_(LargeValues(&heap_)), small_(SmallValues(&heap_)) {
    end_ = CpuSeconds() + seconds;
    for (const auto* list : {&large_, &small_}) {
      for (const NamedValue& value : *list) values_[value.name] = value.value;
    }
  }

  bool HasTime() const { return CpuSeconds() < end_; }

  // Evaluates the expression some times and keeps its row. False when there is no such program.
  bool Measure(const std::string& text, Row* row = nullptr) {
    CompileOptions options;
    options.functions = StandardFunctions();
    Diagnostics diagnostics;
    auto program = CompileExpression(std::make_shared<const Source>("<worst>", text), options, &diagnostics);
    if (program == nullptr) return false;
    Limits limits;
    limits.max_fuel = kMaxFuel;
    Evaluator evaluator(program, limits);
    for (const std::string_view name : program->variables()) {
      const auto found = values_.find(std::string(name));
      if (found != values_.end()) evaluator.Bind(name, found->second);
    }
    Row best;
    best.text = text;
    double total = 0;
    for (int n = 0; n < 3 || (total < 0.002 && n < 50); ++n) {
      ForgetPeak();
      const size_t before = LiveBytes();
      const size_t held = evaluator.heap()->bytes_reserved();
      const double begin = CpuSeconds();
      const Evaluation& evaluation = evaluator.Run();
      const double seconds = CpuSeconds() - begin;
      total += seconds;
      // What failed has been run a second time for its messages.
      best.units = (kMaxFuel - evaluation.fuel_left()) * (evaluation.ok() ? 1 : 2) + 1;
      const double ns = seconds * 1e9 / static_cast<double>(best.units);
      if (n == 0 || ns < best.ns) best.ns = ns, best.ms = seconds * 1e3;
      const size_t counted = std::max(evaluator.heap()->bytes_reserved(), held) - held;
      const size_t beside = std::max(PeakBytes(), before + counted) - before - counted;
      best.bytes = std::max(best.bytes, static_cast<double>(beside) / static_cast<double>(best.units));
      if (seconds > 1) break;
    }
    if (row != nullptr) *row = best;
    rows_.push_back(best);
    return true;
  }

  // Measures the expression at two sizes. False where a unit takes much longer at the larger one, and long.
  bool MeasureGrowth(const std::string& text, double plain) {
    Row rows[2];
    for (int size = 0; size < 2; ++size) {
      std::string sized;
      for (const char c : text) c == '#' ? sized += size == 0 ? "kinds" : "more_kinds" : sized += c;
      if (!Measure(sized, &rows[size])) return std::printf("# does not compile: %s\n", sized.c_str()), false;
      PrintRow(rows[size], plain);
    }
    const bool grows = rows[1].ns > kGrowthAllowed * rows[0].ns && rows[1].ns > plain * kAllowed / 2;
    if (grows) std::printf("# a unit takes longer where there is more\n");
    return !grows;
  }

  // The same for a call, which is made many times when it is small.
  void MeasureCall(const std::string& call) {
    Row row;
    if (!Measure("try(" + call + ", 0)", &row)) return;
    if (row.units > kFewUnits || row.ms > 1) return;
    rows_.pop_back();
    Measure("[for i in range(" + std::to_string(std::min<uint64_t>(1000, 1 + kFewUnits / row.units)) + ") : try(" +
            call + ", 0)]");
  }

  // Small arguments with which a call of the function succeeds.
  bool FindArguments(const Function& function, size_t count, std::vector<std::string>* arguments) {
    for (int n = 0; n < 4'000; ++n) {
      arguments->clear();
      for (size_t i = 0; i < count; ++i) arguments->push_back(small_[random_() % small_.size()].name);
      if (Succeeds(CallOf(function, *arguments))) return true;
    }
    return false;
  }

  static std::string CallOf(const Function& function, const std::vector<std::string>& arguments) {
    std::string text = function.name + "(";
    for (size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", " : "") + arguments[i];
    return text + ")";
  }

  // Every function with a large value in each parameter.
  void MeasureFunctions() {
    for (const std::string_view name : StandardFunctions()->Names()) {
      const Function& function = *StandardFunctions()->Find(name);
      const size_t count = ArgumentCount(function);
      std::vector<std::string> arguments;
      if (!FindArguments(function, count, &arguments)) std::printf("# no arguments for %s\n", function.name.c_str());
      MeasureCall(CallOf(function, arguments));
      for (size_t i = 0; i < count; ++i) {
        for (const NamedValue& value : large_) {
          if (!HasTime()) return;
          std::vector<std::string> changed = arguments;
          changed[i] = value.name;
          MeasureCall(CallOf(function, changed));
        }
      }
    }
  }

  // Calls of functions on results of functions, until the time is over.
  void MeasureRandom() {
    const std::vector<std::string_view> names = StandardFunctions()->Names();
    while (HasTime()) MeasureCall(RandomCall(names, 3));
  }

  // Measures those again that look worse than half of what is allowed, and keeps the better result: a machine has other
  // work to do, too.
  void MeasureWorstAgain(double plain) {
    std::vector<Row> rows = std::move(rows_);
    rows_.clear();
    for (Row& row : rows) {
      Row again = row;
      for (int n = 0; n < 3 && row.ns > plain * kAllowed / 2 && Measure(row.text, &again); ++n) {
        row.ns = std::min(row.ns, again.ns);
      }
    }
    rows_ = std::move(rows);
  }

  // Of calls of one function only the worst are shown.
  void Print(double plain) {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.ns > b.ns; });
    std::map<std::string, int> shown;
    size_t lines = 0;
    for (const Row& row : rows_) {
      const size_t call = row.text.find("try(");
      const std::string key =
          call == std::string::npos ? row.text : row.text.substr(call, row.text.find('(', call + 4) - call);
      if (++shown[key] <= kShownOfOne && lines++ < kShown) PrintRow(row, plain);
    }
    std::printf("\nbytes for a unit:\n");
    std::vector<Row> rows = rows_;
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.bytes > b.bytes; });
    for (size_t n = 0; n < rows.size() && n < 10; ++n) PrintRow(rows[n], plain);
  }

  static void PrintRow(const Row& row, double plain) {
    std::printf("%9.2f %6.1fx %9.1f %10.2f %10llu  %.100s\n", row.ns, row.ns / plain, row.bytes, row.ms,
                static_cast<unsigned long long>(row.units), row.text.c_str());
  }

  double worst() const {
    double ns = 0;
    for (const Row& row : rows_) ns = std::max(ns, row.ns);
    return ns;
  }
  size_t count() const { return rows_.size(); }
  void Forget() { rows_.clear(); }

 private:
  bool Succeeds(const std::string& text) {
    CompileOptions options;
    options.functions = StandardFunctions();
    Diagnostics diagnostics;
    auto program = CompileExpression(std::make_shared<const Source>("<worst>", text), options, &diagnostics);
    if (program == nullptr) return false;
    Evaluator evaluator(program);
    for (const std::string_view name : program->variables()) evaluator.Bind(name, values_[std::string(name)]);
    return evaluator.Run().ok();
  }

  std::string RandomCall(const std::vector<std::string_view>& names, int depth) {
    const Function& function = *StandardFunctions()->Find(names[random_() % names.size()]);
    std::vector<std::string> arguments;
    for (size_t i = 0; i < ArgumentCount(function); ++i) {
      const uint64_t choice = random_() % 8;
      const auto& list = choice % 2 == 0 ? large_ : small_;
      arguments.push_back(choice < 3 && depth > 1 ? RandomCall(names, depth - 1) : list[random_() % list.size()].name);
    }
    return CallOf(function, arguments);
  }

  Heap heap_;
  std::vector<NamedValue> large_;
  std::vector<NamedValue> small_;
  std::map<std::string, Value> values_;
  std::vector<Row> rows_;
  std::mt19937_64 random_{1};
  double end_ = 0;
};

int Main(double seconds) {
  Search search(seconds);
  Row plain;
  search.Measure(kPlainLoop, &plain);
  search.Forget();
  std::printf("ns/unit   x plain  bytes/unit   ms       units  expression\n");
  Search::PrintRow(plain, plain.ns);
  for (const char* family : kFamilies) {
    Row row;
    if (!search.Measure(family, &row)) std::printf("# does not compile: %s\n", family);
    Search::PrintRow(row, plain.ns);
  }
  std::printf("\n");
  bool grows = false;
  for (const char* growing : kGrowing) grows |= !search.MeasureGrowth(growing, plain.ns);
  std::printf("\n");
  search.MeasureFunctions();
  search.MeasureRandom();
  search.MeasureWorstAgain(plain.ns);
  search.Print(plain.ns);
  const double worst = search.worst() / plain.ns;
  std::printf("\n%zu expressions; the worst takes %.1f times what the plain loop takes for a unit (allowed: %.0f)\n",
              search.count(), worst, kAllowed);
  return worst > kAllowed || grows ? 1 : 0;
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) { return hcl::bench::Main(argc > 1 ? std::atof(argv[1]) : 60); }
