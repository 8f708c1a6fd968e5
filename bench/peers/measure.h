// What the peers written in C++ have in common: their command line, the clock, and the line that they print.
//
//   PEER FOLDER --workload W1 --min-time 0.2
//
// FOLDER contains bench/inputs and bench/want. A peer checks its answers, goes round the scopes for at least that many
// seconds, and prints one line: {"workload":"W1","ns":31.2,"allocs":0,"bytes":0,"iterations":8000000}. The time is the
// processor's for this process, for one evaluation: other work on the machine weighs little on it. `allocs` and `bytes`
// are counted in rounds of their own, and are null where a peer cannot tell. Needs nothing but the standard library, as
// peers are also built without Bazel.
//
// Tested by bench/peers/cpp_peer_test.sh.

#ifndef HCLVM_BENCH_PEERS_MEASURE_H_
#define HCLVM_BENCH_PEERS_MEASURE_H_

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace hcl::bench {

[[noreturn]] inline void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

struct PeerOptions {
  std::string folder;
  std::string workload;
  std::string variant;     // --variant: which side or mode, where a peer has several
  double min_time = 0.2;   // seconds
  int64_t iterations = 0;  // if not 0, go round exactly so often, for counting instructions
  std::string scripts;     // --scripts: the folder of a peer's own sources
  bool show_version = false;
};

// Ends the process with a message if the arguments are not what the file's comment says.
inline PeerOptions ParsePeerOptions(int argc, char** argv) {
  PeerOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--version") {
      options.show_version = true;
    } else if (name.rfind("--", 0) != 0) {
      options.folder = name;
    } else if (i + 1 == argc) {
      Die(name + " needs a value");
    } else {
      const std::string value = argv[++i];
      if (name == "--workload") {
        options.workload = value;
      } else if (name == "--variant") {
        options.variant = value;
      } else if (name == "--min-time") {
        options.min_time = std::strtod(value.c_str(), nullptr);
      } else if (name == "--iterations") {
        options.iterations = std::strtoll(value.c_str(), nullptr, 10);
      } else if (name == "--scripts") {
        options.scripts = value;
      } else {
        Die("no such option: " + name);
      }
    }
  }
  return options;
}

// Heap allocations and their bytes; nothing where a peer cannot tell.
struct Allocations {
  std::optional<double> count;
  std::optional<double> bytes;
};

// Calls step(i) for i in 0, 1, ... scopes - 1, 0, ... `count` times.
template <typename Step>
void GoRound(int64_t count, int scopes, const Step& step) {
  int scope = 0;
  for (int64_t i = 0; i < count; ++i) {
    step(scope);
    if (++scope == scopes) scope = 0;
  }
}

// Seconds that this process has had of the processor.
inline double ProcessorTime() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Timing {
  double ns = 0;  // for one evaluation
  int64_t iterations = 0;
};

// Goes round the scopes ever longer, until one go took `min_time`; that one counts. Always a whole number of rounds.
template <typename Step>
Timing MeasureTime(const PeerOptions& options, int scopes, const Step& step) {
  int64_t count = options.iterations > 0 ? options.iterations : scopes;
  while (true) {
    const double begin = ProcessorTime();
    GoRound(count, scopes, step);
    const double elapsed = ProcessorTime() - begin;
    if (options.iterations > 0 || elapsed >= options.min_time) {
      return {elapsed * 1e9 / static_cast<double>(count), count};
    }
    const double factor = std::clamp(options.min_time * 1.2 / std::max(elapsed, 1e-9), 1.5, 10.0);
    count = (static_cast<int64_t>(static_cast<double>(count) * factor) / scopes + 1) * scopes;
  }
}

inline std::string NumberOrNull(const std::optional<double>& number) {
  if (!number.has_value()) return "null";
  char text[40];
  std::snprintf(text, sizeof(text), "%.6g", *number);
  return text;
}

inline void PrintResult(const PeerOptions& options, const Timing& timing, const Allocations& allocations) {
  std::printf(R"({"workload":"%s","ns":%.6g,"allocs":%s,"bytes":%s,"iterations":%lld})"
              "\n",
              options.workload.c_str(), timing.ns, NumberOrNull(allocations.count).c_str(),
              NumberOrNull(allocations.bytes).c_str(), static_cast<long long>(timing.iterations));
}

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_PEERS_MEASURE_H_
