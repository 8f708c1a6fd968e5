// Threads evaluate while another one replaces what they share: base layers, and programs of a set. Each answer is that
// of one version as a whole, versions never go back, and memory does not grow.
//
// HCLVM_TEST_PROGRAMS replacements of each kind, 500 unless it is set; under ThreadSanitizer as well.

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr uint64_t kReplacements = 500;
constexpr int kThreads = 4;
constexpr int kUsers = 50;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsKept = true;  // sanitizers keep what is freed for a while
#else
constexpr bool kMemoryIsKept = false;
#endif

double ResidentMib() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  long pages = 0;
  if (file == nullptr || std::fscanf(file, "%*d %ld", &pages) != 1) std::abort();
  std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

CompileOptions Options() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

// Runs `read` in threads, again and again, while `replace` is called for each version from 1 on, and until each thread
// has seen the last one. `read` gets the version that it saw before, and gives the one that it has seen.
class Replacing {
 public:
  using Read = std::function<uint64_t(uint64_t last)>;

  void Go(const std::function<Read()>& make_reader, const std::function<void(uint64_t version)>& replace) {
    const uint64_t versions = testing_support::TestPrograms(kReplacements);
    std::vector<std::thread> readers;
    for (int n = 0; n < kThreads; ++n) {
      readers.emplace_back([&] {
        const Read read = make_reader();
        for (uint64_t last = 0; last < versions && !failed_;) {
          const uint64_t now = read(last);
          if (now < last) failed_ = true;
          last = now;
        }
      });
    }
    // The first fifth is to warm up: whatever is kept for later use is there then.
    double before = 0;
    for (uint64_t version = 1; version <= versions; ++version) {
      replace(version);
      if (version == versions / 5 + 1) before = ResidentMib();
    }
    const double after = ResidentMib();
    for (std::thread& reader : readers) reader.join();
    EXPECT_FALSE(failed_) << "an answer that is wrong, or that of an older version";
    std::printf("%.1f MiB behind the first fifth of the replacements, %.1f behind all\n", before, after);
    if (!kMemoryIsKept) {
      EXPECT_LT(after - before, 8) << before << " MiB before, " << after << " after";
    }
  }

  void Fail() { failed_ = true; }

 private:
  std::atomic<bool> failed_{false};
};

// Users all of one version, and what locals make of them once for a layer.
std::string DataOf(uint64_t version) {
  std::string text = "{\"version\": " + std::to_string(version) + ", \"users\": {";
  for (int n = 0; n < kUsers; ++n) {
    text += (n > 0 ? ", \"user" : "\"user") + std::to_string(n) + "\": {\"version\": " + std::to_string(version) + "}";
  }
  return text + "}}";
}

TEST(ReplacementSoakTest, Layers) {
  constexpr char kModule[] =
      "variable \"version\" {}\n"
      "variable \"users\" {}\n"
      "variable \"name\" {}\n"
      "locals { sum = sum([for u in users : u.version]) }\n"
      "answer = local.sum == version * 50 && users[name].version == version ? version : -1\n";
  Diagnostics diagnostics;
  const std::shared_ptr<const Program> program =
      CompileModule({{std::make_shared<const Source>("<module>", kModule)}}, Options(), &diagnostics);
  ASSERT_NE(program, nullptr) << ToText(diagnostics, nullptr);
  const Entry* const entry = program->FindEntry("answer");
  ASSERT_NE(entry, nullptr);

  std::mutex mutex;
  std::shared_ptr<const BaseLayer> layer;
  const auto replace = [&](uint64_t version) {
    const BaseText text{std::make_shared<const Source>("<data>", DataOf(version)), ""};
    Diagnostics problems;
    const auto data = BaseData::Read({&text, 1}, {}, &problems);
    const auto made = data == nullptr ? nullptr : BaseLayer::Make(program, data, {}, &problems);
    ASSERT_NE(made, nullptr) << ToText(problems, nullptr);
    const std::lock_guard<std::mutex> lock(mutex);
    layer = made;
  };
  replace(0);
  Replacing replacing;
  const auto make_reader = [&]() -> Replacing::Read {
    return [&, evaluator = std::make_shared<Evaluator>(program), n = 0](uint64_t) mutable -> uint64_t {
      {
        const std::lock_guard<std::mutex> lock(mutex);
        evaluator->BindBase(layer);
      }
      const std::string name = "user" + std::to_string(n++ % kUsers);
      evaluator->Bind("name", Value::StringView(name));
      const Evaluation& evaluation = evaluator->RunChunk(entry->chunk);
      if (!evaluation.ok() || !evaluation.value().is_int() || evaluation.value().AsInt() < 0)
        return replacing.Fail(), 0;
      return static_cast<uint64_t>(evaluation.value().AsInt());
    };
  };
  replacing.Go(make_reader, replace);
}

// Of three programs, one is replaced, one comes and goes, and one stays.
TEST(ReplacementSoakTest, Sets) {
  const auto set = std::make_shared<ProgramSet>(Options());
  const auto put = [&](const std::string& name, const std::string& text) {
    Diagnostics problems;
    EXPECT_TRUE(set->Put(name, text, &problems)) << ToText(problems, nullptr);
  };
  const auto replace = [&](uint64_t version) {
    const std::string number = std::to_string(version);
    put("changes", "[for v in [" + number + ", x] : v == x ? " + number + " : v][0] + x * 0");
    version % 2 == 0 ? put("passes", "upper(\"p" + number + "\") == \"P" + number + "\"") : void(set->Remove("passes"));
  };
  put("stays", "x + 1");
  replace(0);
  const std::optional<ProgramSet::Id> changes = set->Find("changes");
  const std::optional<ProgramSet::Id> stays = set->Find("stays");
  ASSERT_TRUE(changes && stays);
  Replacing replacing;
  const auto make_reader = [&]() -> Replacing::Read {
    return [&, evaluator = std::make_shared<SetEvaluator>(set), n = int64_t{0}](uint64_t) mutable -> uint64_t {
      evaluator->Update();
      evaluator->Bind("x", Value::Int(--n));
      const Evaluation& kept = evaluator->Run(*stays);
      if (!kept.ok() || !kept.value().is_int() || kept.value().AsInt() != n + 1) replacing.Fail();
      const std::optional<ProgramSet::Id> passes = set->Find("passes");
      if (passes && evaluator->Has(*passes) && !evaluator->Run(*passes).ok()) replacing.Fail();
      const Evaluation& evaluation = evaluator->Run(*changes);
      if (!evaluation.ok() || !evaluation.value().is_int()) return replacing.Fail(), 0;
      return static_cast<uint64_t>(evaluation.value().AsInt());
    };
  };
  replacing.Go(make_reader, replace);
}

}  // namespace
}  // namespace hcl
