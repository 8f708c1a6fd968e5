// CompileCache. Tested by compiler/compile_cache_test.cc.
//
// Entries are found by a hash and told apart by all of their key, so that two texts of one hash are two entries.

#include "hclvm/compiler/compile_cache.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/limits.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/json/json_expr.h"

namespace hcl {

using internal::ToAbsl;
namespace {

// How often a call that waits looks at its interrupt.
constexpr std::chrono::milliseconds kLookEvery{1};

// All that a program depends on. The views are those of the caller, or of an entry's source.
struct Key {
  Key(SourceKind k, std::string_view n, std::string_view t, const CompileOptions& o)
      : kind(k),
        name(n),
        text(t),
        options(o),
        hash(absl::HashOf(kind, ToAbsl(name), ToAbsl(text), o.dialect, o.functions.get(), o.optimize)) {}

  SourceKind kind;
  std::string_view name;
  std::string_view text;
  const CompileOptions& options;
  size_t hash;  // made once, and not under the cache's lock
};

bool SameLimits(const Limits& a, const Limits& b) {
  static_assert(sizeof(void*) != 8 || sizeof(Limits) == 96, "a new limit has to be compared here");
  return a.max_source_bytes == b.max_source_bytes && a.max_nesting_depth == b.max_nesting_depth &&
         a.max_diagnostics == b.max_diagnostics && a.max_fuel == b.max_fuel &&
         a.max_result_bytes == b.max_result_bytes && a.max_number_digits == b.max_number_digits &&
         a.max_compile_fuel == b.max_compile_fuel && a.max_prepared_bytes == b.max_prepared_bytes &&
         a.max_output_bytes == b.max_output_bytes;
}

bool SameKey(const Key& a, const Key& b) {
  return a.hash == b.hash && a.kind == b.kind && a.options.dialect == b.options.dialect &&
         a.options.functions == b.options.functions && a.options.optimize == b.options.optimize &&
         a.options.fast_code == b.options.fast_code && a.options.record == b.options.record &&
         a.options.record_decisions_only == b.options.record_decisions_only &&
         a.options.keep_origins == b.options.keep_origins && SameLimits(a.options.limits, b.options.limits) &&
         a.name == b.name && a.text == b.text;
}

std::shared_ptr<const Program> CompileAs(SourceKind kind, std::shared_ptr<const Source> source,
                                         const CompileOptions& options, Diagnostics* diagnostics) {
  switch (kind) {
    case SourceKind::kConfig:
      return CompileConfig(std::move(source), options, diagnostics);
    case SourceKind::kExpression:
      return CompileExpression(std::move(source), options, diagnostics);
    case SourceKind::kTemplate:
      return CompileTemplate(std::move(source), options, diagnostics);
    case SourceKind::kJsonConfig:
      return CompileJsonConfig(std::move(source), options, diagnostics);
    case SourceKind::kJsonExpression:
      return CompileJsonExpression(std::move(source), EvaluationMode::kFull, options, diagnostics);
  }
  return nullptr;
}

// Another compilation of the same would give the same. Other limits than these depend on the text alone.
bool IsRepeatable(const Compiled& compiled, const Interrupt& interrupt) {
  if (interrupt.Reached()) return false;
  const auto& kept = compiled.diagnostics.kept();
  return std::none_of(kept.begin(), kept.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.code == DiagnosticCode::kParsingInterrupted ||
           diagnostic.code == DiagnosticCode::kCompilationInterrupted ||
           diagnostic.code == DiagnosticCode::kOutOfMemory;
  });
}

uint64_t BytesOf(const Compiled& compiled) {
  uint64_t bytes = compiled.source->text().size() + compiled.source->name().size();
  if (compiled.program != nullptr) bytes += compiled.program->MemoryBytes();
  for (const Diagnostic& diagnostic : compiled.diagnostics.kept()) {
    bytes += sizeof(diagnostic) + diagnostic.summary.size() + diagnostic.detail.size();
  }
  return bytes;
}

}  // namespace

struct CompileCache::State {
  struct Entry;
  using Entries = std::list<std::shared_ptr<Entry>>;

  // What is under way, or finished.
  struct Entry {
    Entry(SourceKind kind, std::shared_ptr<Compiled> c, const CompileOptions& o)
        : options(o), compiled(std::move(c)), key(kind, compiled->source->name(), compiled->source->text(), options) {
      options.limits.interrupt = Interrupt();  // what it points to may go
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    CompileOptions options;  // keeps the registry, so that its address is not that of another one
    const std::shared_ptr<Compiled> compiled;
    const Key key;  // views of the two above
    std::condition_variable finished;
    // Under the cache's mutex.
    bool is_finished = false;
    bool is_repeatable = false;
    uint64_t bytes = 0;
    Entries::iterator at;  // in `recent`, once it is finished and kept
  };

  struct Hash {
    using is_transparent = void;
    size_t operator()(const Key& key) const { return key.hash; }
    size_t operator()(const std::shared_ptr<Entry>& entry) const { return entry->key.hash; }
  };
  struct Eq {
    using is_transparent = void;
    bool operator()(const std::shared_ptr<Entry>& a, const std::shared_ptr<Entry>& b) const { return a == b; }
    bool operator()(const std::shared_ptr<Entry>& a, const Key& b) const { return SameKey(a->key, b); }
    bool operator()(const Key& a, const std::shared_ptr<Entry>& b) const { return SameKey(a, b->key); }
  };

  State(size_t entries, uint64_t bytes) : max_entries(entries), max_bytes(bytes) {}

  std::shared_ptr<const Compiled> Find(const Key& key, std::unique_lock<std::mutex>* lock);
  void Finish(Entries* single, bool is_repeatable, uint64_t bytes);
  void DropOldest();

  const size_t max_entries;
  const uint64_t max_bytes;
  mutable std::mutex mutex;  // for all that follows
  internal::HashSet<std::shared_ptr<Entry>, Hash, Eq> entries;
  Entries recent;  // those that are finished, the one that was asked for last at the front
  Counts counts;
};

CompileCache::CompileCache(size_t max_entries, uint64_t max_bytes)
    : state_(std::make_unique<State>(max_entries, max_bytes)) {}

CompileCache::~CompileCache() = default;

// What there is for the key, after waiting for it if it is under way. Null where there is nothing, or nothing that
// serves the caller: then it is the caller's turn, still under the lock.
std::shared_ptr<const Compiled> CompileCache::State::Find(const Key& key, std::unique_lock<std::mutex>* lock) {
  const Interrupt& interrupt = key.options.limits.interrupt;
  for (;;) {
    const auto found = entries.find(key);
    if (found == entries.end()) return nullptr;
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): it may leave the set while this call waits
    const std::shared_ptr<Entry> entry = *found;
    if (entry->is_finished) {
      ++counts.hits;
      recent.splice(recent.begin(), recent, entry->at);
      return entry->compiled;
    }
    ++counts.waits;
    const auto is_finished = [&] { return entry->is_finished; };
    if (!interrupt.is_set()) {
      entry->finished.wait(*lock, is_finished);
    } else {
      while (!entry->finished.wait_for(*lock, kLookEvery, is_finished)) {
        if (!interrupt.Reached()) continue;
        auto stopped = std::make_shared<Compiled>();
        stopped->source = entry->compiled->source;
        stopped->diagnostics.AddLimit(std::nullopt, DiagnosticCode::kCompilationInterrupted,
                                      "Another thread compiles the same text, and the host does not want to wait any "
                                      "longer.");
        return stopped;
      }
    }
    if (entry->is_repeatable) return entry->compiled;  // also where it was too large to be kept
  }
}

// The oldest go first. One that alone is larger than the cache may be goes as well.
void CompileCache::State::DropOldest() {
  while (!recent.empty() && (recent.size() > max_entries || counts.bytes > max_bytes)) {
    counts.bytes -= recent.back()->bytes;
    entries.erase(recent.back());
    recent.pop_back();
  }
}

// `single` holds the entry: there is nothing to allocate here, where a failure would leave others waiting.
void CompileCache::State::Finish(Entries* single, bool is_repeatable, uint64_t bytes) {
  const std::shared_ptr<Entry> entry = single->front();
  const std::lock_guard<std::mutex> lock(mutex);
  entry->is_finished = true;
  entry->is_repeatable = is_repeatable;
  entry->bytes = bytes;
  if (is_repeatable) {
    recent.splice(recent.begin(), *single);
    entry->at = recent.begin();
    counts.bytes += bytes;
    DropOldest();
  } else {
    entries.erase(entry);
  }
  entry->finished.notify_all();
}

// The text is copied outside of the lock, and the key looked up once more behind that. The compilation itself throws
// nothing, so that those who wait are always told.
std::shared_ptr<const Compiled> CompileCache::Compile(SourceKind kind, std::string_view name, std::string_view text,
                                                      const CompileOptions& options) {
  const Key key{kind, name, text, options};
  std::unique_lock<std::mutex> lock(state_->mutex);
  if (std::shared_ptr<const Compiled> found = state_->Find(key, &lock)) return found;
  lock.unlock();
  auto compiled = std::make_shared<Compiled>();
  compiled->source = std::make_shared<const Source>(std::string(name), std::string(text));
  compiled->diagnostics = Diagnostics(options.limits.max_diagnostics);
  State::Entries single(1, std::make_shared<State::Entry>(kind, compiled, options));
  lock.lock();
  if (std::shared_ptr<const Compiled> found = state_->Find(key, &lock)) return found;
  state_->entries.insert(single.front());
  ++state_->counts.compilations;
  lock.unlock();
  compiled->program = CompileAs(kind, compiled->source, options, &compiled->diagnostics);
  state_->Finish(&single, IsRepeatable(*compiled, options.limits.interrupt), BytesOf(*compiled));
  return compiled;
}

void CompileCache::Clear() {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  for (const std::shared_ptr<State::Entry>& entry : state_->recent) state_->entries.erase(entry);
  state_->recent.clear();
  state_->counts.bytes = 0;
}

CompileCache::Counts CompileCache::counts() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  Counts counts = state_->counts;
  counts.entries = state_->recent.size();
  return counts;
}

}  // namespace hcl
