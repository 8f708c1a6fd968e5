// Diagnostics: what is told to a user about their input, and how it is written as text and as JSON.
//
// Tested by base/diagnostic_test.cc.

#ifndef HCLVM_BASE_DIAGNOSTIC_H_
#define HCLVM_BASE_DIAGNOSTIC_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"

namespace hcl {

// A variable, or a part of one, and what it held: {"user.age", "\"abc\""}. Both are short texts for people.
struct NamedValue {
  std::string name;
  std::string text;
};

// One message. Plain data; the ranges refer to `source`, or, when that is null, to the source that the producing phase
// was given.
struct Diagnostic {
  // With the severity and the summary of the code. `names` stand in the summary for each "..." of the table.
  explicit Diagnostic(DiagnosticCode c, std::initializer_list<std::string_view> names = {});

  DiagnosticCode code;
  Severity severity;
  bool is_limit;                       // a limit was reached (programs exit with status 3)
  std::string summary;                 // a short phrase without final punctuation: "Unsupported attribute"
  std::string detail;                  // full sentences: what was expected, what was found, what to do
  std::optional<SourceRange> subject;  // what the message is about; none when it is about no place in the source
  std::optional<SourceRange> context;  // a wider range that helps to read the subject; holds the subject
  const Source* source = nullptr;      // set by phases that read several texts; must outlive the uses of the entry
  std::vector<NamedValue> values;      // of the variables that the subject reads; evaluations fill it

  // The same message about the same place, whatever the values were.
  friend bool operator==(const Diagnostic& a, const Diagnostic& b) {
    return a.code == b.code && a.severity == b.severity && a.summary == b.summary && a.detail == b.detail &&
           a.subject == b.subject && a.context == b.context && a.is_limit == b.is_limit && a.source == b.source;
  }
};

// An ordered, bounded list of diagnostics. Not thread-safe.
//
// The bound holds for errors and for warnings apart, so that neither crowd out the others. Past it, errors are counted
// but not kept, except for the first one that says that a limit was crossed; warnings are only counted as left out.
// Identical neighbors (the same message about the same place, as a loop produces them) are kept once.
class Diagnostics {
 public:
  explicit Diagnostics(uint32_t max_kept = 100) : max_kept_(max_kept) {}

  // Appends an entry. Its summary and detail are cut after kMaxMessageBytes.
  void Add(Diagnostic diagnostic);

  // Counts an entry, as if it had been added past the bound.
  void AddUnkept() { ++count_; }
  // Counts so many errors and warnings, as if they had been added past the bound.
  void AddUnkept(size_t errors, size_t warnings) {
    count_ += errors;
    left_out_warnings_ += warnings;
  }

  // Appends an error about `subject`. The code is that of an error.
  void AddError(SourceRange subject, DiagnosticCode code, std::string detail,
                std::optional<SourceRange> context = std::nullopt);

  // Appends a warning about `subject`. The code is that of a warning.
  void AddWarning(SourceRange subject, DiagnosticCode code, std::string detail,
                  std::optional<SourceRange> context = std::nullopt);

  // Appends an error that says that a limit was crossed. The code is that of a limit.
  void AddLimit(std::optional<SourceRange> subject, DiagnosticCode code, std::string detail);

  // How many were added and not removed, including repeated neighbors and errors past the bound.
  size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }

  // How many of them are errors.
  size_t error_count() const { return count_ - warnings_; }

  // True when there is an error, kept or not. Warnings alone are no errors.
  bool has_errors() const { return error_count() > 0; }

  // How many have no entry of their own: repeated neighbors, and what was past the bound.
  size_t left_out() const { return count_ - kept_.size() + left_out_warnings_; }
  // How many errors and how many warnings were past the bound.
  size_t unkept_errors() const;
  size_t unkept_warnings() const { return left_out_warnings_; }

  // True when no further error is kept, so that its texts need not be made.
  bool full() const { return kept_.size() - kept_warnings_ >= max_kept_; }

  // True when an entry says that a limit was crossed.
  bool has_limit() const;

  // The kept entries, in the order in which they were added.
  const std::vector<Diagnostic>& kept() const { return kept_; }

  // Those of the kept entries that were added since count() was `begin`. Valid until the next change.
  std::vector<const Diagnostic*> KeptFrom(size_t begin) const;

  // Removes the entries added since count() was `begin` and until it was `end` (defaults: to the last).
  void Remove(size_t begin, size_t end = SIZE_MAX);

  // Moves the entry that was added last to where count() was `begin`, so that those from there on come behind it.
  // Entries past the bound have no order: no effect when it was not kept.
  void MoveLast(size_t begin);

  // Removes kept entries that say the same of the same place as an earlier one. Time: linear in what is kept.
  void DropRepeated();

  void Clear();

 private:
  // The entries that a kept one stands for: itself and the identical ones right after it.
  struct Run {
    size_t begin;  // count() before the first was added
    size_t length;
  };

  size_t FirstFrom(size_t begin) const;
  void CountWarnings();

  uint32_t max_kept_;
  size_t count_ = 0;
  size_t warnings_ = 0;           // of count_
  size_t kept_warnings_ = 0;      // of kept_
  size_t left_out_warnings_ = 0;  // past the bound; they have no positions
  std::vector<Diagnostic> kept_;
  std::vector<Run> runs_;  // for each kept entry
};

struct TextOptions {
  bool color = false;       // ANSI colors, for a terminal
  bool hides_text = false;  // of the source, of which only the place is told: it may hold secrets
};

// Text for people, ending in a newline:
//
//   Error[HCL4301]: Unsupported attribute
//
//     on policy.hcl line 3, column 10:
//     3 |   allow = user.nmae
//       |               ^^^^^
//
//   where user is {name = "ann"}
//
//   This object has no attribute named "nmae". Did you mean "name"?
//
// The marker's columns follow the display width of what stands before it. A subject of several lines shows its first
// line. When the context starts on an earlier line, as where a bracket was opened, that line comes first, without a
// mark. Long lines are cut around the subject. `source` is for entries that name none; it may be null (no place is
// shown).
std::string ToText(const Diagnostic& diagnostic, const Source* source, const TextOptions& options = {});

// All kept entries as text, and a line that says how many were left out.
std::string ToText(const Diagnostics& diagnostics, const Source* source, const TextOptions& options = {});

// One JSON object on one line, in the shape that the reference's hcldec writes: {"severity":"error","code":"HCL4301",
// "summary":...,"detail":...,"subject":{"filename":...,"start":{"line":1,"column":2,"byte":1},"end":{...}},
// "context":{...},"values":[{"name":...,"value":...}]}. The code and the values are ours. Of the last three, those are
// left out that there are none of.
// `source` as for ToText.
std::string ToJson(const Diagnostic& diagnostic, const Source* source);

// Appends `text` to `out` as a JSON string with quotes. Control characters, also those beyond ASCII, and characters
// that turn the direction of writing around are escaped; invalid UTF-8 is replaced by U+FFFD.
void AppendJsonString(std::string_view text, std::string* out);

// The candidate nearest to `given` by edit distance (a swap of neighbors costs one), for "did you mean"; empty when
// none is near (distance over a third of the length, at least 1, at most 3; nothing is near a single letter). Of
// equally near ones, the first in the order of bytes. At most the first 1,000 candidates are compared.
std::string_view NearestName(std::string_view given, const std::vector<std::string_view>& candidates);

}  // namespace hcl

#endif  // HCLVM_BASE_DIAGNOSTIC_H_
