// differential: compares our engine with the reference implementation on random programs.
//
//   differential [--net] [--seconds N] [--programs N] VARIABLES.json ORACLE...
//
// With --net, programs are those of tests/slow/net, and the current folder must have the policies. ORACLE is the
// command that starts the oracle (tests/differential/oracle). Runs until the time is up (60 s) or the programs are
// done. HCLVM_TEST_SEED in the environment chooses the programs. Exit status: 0 when every difference has an
// explanation, 1 when one has not, 2 for wrong usage or an oracle that does not start.

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "hclvm/tests/case_runner.h"
#include "hclvm/tests/differential/net_programs.h"
#include "hclvm/tests/differential/oracle.h"
#include "hclvm/tests/differential/programs.h"
#include "hclvm/tests/differential/session.h"

namespace hcl::differential {
namespace {

constexpr size_t kBatch = 512;

struct Options {
  bool net = false;
  uint64_t seconds = 60;
  uint64_t programs = UINT64_MAX;
  std::string variables;
  std::vector<std::string> oracle;
};

bool ParseArguments(int argc, char** argv, Options* options) {
  int at = 1;
  if (argc > 1 && std::string(argv[1]) == "--net") options->net = true, ++at;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    const std::string flag = argv[at];
    char* end = nullptr;
    const uint64_t value = std::strtoull(argv[at + 1], &end, 10);
    if (*end != '\0' || (flag != "--seconds" && flag != "--programs")) return false;
    (flag == "--seconds" ? options->seconds : options->programs) = value;
  }
  if (argc - at < 2) return false;
  options->variables = argv[at];
  options->oracle.assign(argv + at + 1, argv + argc);
  options->oracle.push_back(options->variables);
  return true;
}

uint64_t Seed() {
  const char* seed = std::getenv("HCLVM_TEST_SEED");
  const uint64_t value = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1;
  std::cout << "HCLVM_TEST_SEED=" << value << "\n";
  return value;
}

// Empty where there is no such file.
std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return in ? text.str() : "";
}

// Batches, so that the oracle answers one while we do, and so that the time is looked at between them only.
int Main(int argc, char** argv) {
  Options options;
  if (!ParseArguments(argc, argv, &options)) {
    std::cerr << "usage: differential [--net] [--seconds N] [--programs N] VARIABLES.json ORACLE...\n";
    return 2;
  }
  CaseRunner runner;
  Oracle oracle(options.oracle);
  const std::string variables = ReadFile(options.variables);
  if (!runner.ReadVariables(variables) || !oracle.Start()) {
    std::cerr << "differential: no variables in " << options.variables << ", or " << options.oracle[0]
              << " does not start\n";
    return 2;
  }
  const uint64_t seed = Seed();
  Programs programs(seed);
  const auto net = options.net ? std::make_unique<NetPrograms>(variables, seed) : nullptr;
  std::cout << "the reference: " << oracle.version() << std::endl;
  Session session(&runner, &oracle);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
  while (session.programs() < options.programs && std::chrono::steady_clock::now() < end) {
    std::vector<Program> batch;
    while (batch.size() < kBatch && session.programs() + batch.size() < options.programs) {
      batch.push_back(net != nullptr ? net->Next() : programs.Next());
    }
    session.Run(batch);
  }
  session.Print(std::cout);
  return session.unexplained() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace hcl::differential

int main(int argc, char** argv) { return hcl::differential::Main(argc, argv); }
