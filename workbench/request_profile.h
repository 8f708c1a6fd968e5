// RequestProfile: where the fuel and the time of evaluations go, over recorded requests.
//
//   RequestProfile profile(program, entries, options);
//   for (each line) profile.Add(line, number, is_cut);
//   ProfileReport report = profile.Finish();
//
// Fuel is counted, instruction by instruction, on the code that really runs. Time is sampled. Internal to the
// workbench. Tested by workbench/request_profile_test.cc.

#ifndef HCLVM_WORKBENCH_REQUEST_PROFILE_H_
#define HCLVM_WORKBENCH_REQUEST_PROFILE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/request_reader.h"
#include "hclvm/workbench/run_counter.h"

namespace hcl::internal {

struct ProfileOptions {
  Limits limits;
  RequestForm form = RequestForm::kScopes;
  std::string log_module;                 // FindLoggedEntry()
  std::shared_ptr<const BaseLayer> base;  // below the requests; null: nothing
  std::chrono::milliseconds time{1000};   // of sampling; 0: none
  size_t max_requests = 10'000;           // the first ones; the rest is not looked at
  size_t max_expensive = 10;
};

struct ProfileReport {
  struct Place {
    std::string file;
    uint32_t line = 0;  // from 1
    std::string text;   // of the line, or of an expression, in one line
  };
  // A line of source that code was run of. Code counts for the line on which its expression begins.
  struct Line {
    Place place;
    uint64_t runs = 0;  // of the instruction on it that has run most often
    uint64_t fuel = 0;
    uint64_t samples = 0;
  };
  // An expression whose fast code was left for its slow path.
  struct Exit {
    Place place;
    uint64_t count = 0;
    std::vector<std::pair<std::string, uint64_t>> causes;  // the most frequent first
  };
  struct Request {
    uint64_t line = 0;
    std::string id;  // of a log
    std::string entry;
    uint64_t fuel = 0;
    uint64_t exits = 0;
    double ns = 0;  // of one evaluation that nothing observes
    bool failed = false;
  };
  // A part of the text, with what stands in it: for flame graphs.
  struct Frame {
    std::string name;
    uint64_t own_fuel = 0;
    uint64_t fuel = 0;  // with that of `frames`
    std::vector<Frame> frames;
  };

  uint64_t evaluations = 0;
  uint64_t failed = 0;
  uint64_t limited = 0;  // those of the failed ones that have reached a limit
  uint64_t fuel = 0;
  uint64_t samples = 0;          // all, in code or not
  uint64_t samples_outside = 0;  // between runs: values of variables are bound and converted
  std::vector<Line> lines;       // those with the most fuel first
  std::vector<Exit> exits;       // the most frequent first
  // Locals that no request has read: their code has not run.
  std::vector<Place> unread_locals;
  std::vector<Request> expensive;  // the one with the most fuel first
  std::vector<Frame> roots;        // entries and locals
};

// Belongs to one thread; Finish() has another one for some time.
class RequestProfile {
 public:
  // Requires a program with CompileOptions::keep_origins.
  RequestProfile(std::shared_ptr<const Program> program, std::vector<const Entry*> entries,
                 const ProfileOptions& options);

  // Evaluates a request, as ForEachLine() gives it.
  void Add(std::string_view line, uint64_t number, bool is_cut);
  bool full() const { return scopes_.size() >= options_.max_requests; }
  // The lines so far that were no requests.
  const BrokenLines& broken() const { return broken_; }

  ProfileReport Finish();

 private:
  struct Scope {
    Value value;
    const Entry* entry;  // of a log; null: all
  };

  void Evaluate(const Value& scope, const Entry& entry, uint64_t number, std::string_view id);
  void Keep(ProfileReport::Request request);
  std::vector<uint64_t> Sample(ProfileReport* report);
  void AddLines(const std::vector<uint64_t>& samples, ProfileReport* report) const;
  void AddExits(ProfileReport* report) const;
  void AddLocals(ProfileReport* report) const;
  void AddFrames(ProfileReport* report) const;

  const std::shared_ptr<const Program> program_;
  const std::vector<const Entry*> entries_;
  const ProfileOptions options_;
  RequestReader reader_;
  Heap heap_;  // of the scopes
  RunCounter counter_;
  Evaluator observed_;
  Evaluator plain_;
  std::vector<Scope> scopes_;
  ProfileReport report_;
  BrokenLines broken_;
};

// For people; for programs, one object in one line; a page with a flame graph that needs nothing else.
std::string ProfileText(const ProfileReport& report, size_t max_lines);
std::string ProfileJson(const ProfileReport& report);
std::string ProfileHtml(const ProfileReport& report, const std::string& title);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_REQUEST_PROFILE_H_
