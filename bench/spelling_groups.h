// Groups of expressions that differ in how they are spelled: what bench/spelling compares.
//
// Thread-safe. Tested by bench/spelling_test.cc, which checks that the forms of a group mean what its kind says.

#ifndef HCLVM_BENCH_SPELLING_GROUPS_H_
#define HCLVM_BENCH_SPELLING_GROUPS_H_

#include <string>
#include <vector>

#include "hclvm/bench/workload.h"

namespace hcl::bench {

// What the forms of a group are to each other.
enum class SpellingKind {
  kSame,         // they mean the same and fail alike: they should cost the same
  kMoreWork,     // those behind the first do more, or the same by other means: what they cost beyond it is shown
  kFewerChecks,  // the same value, but the first has to look at less than the others: it must not cost more
};

// Members that a table leaves out have values here: the compiler warns of others.
struct SpellingForm {
  std::string source;
  std::string name = {};  // for the table; empty: the source is short enough
  int parts = 1;          // the count is for one of so many terms, rules or keys
  SourceKind kind = SourceKind::kExpression;
  std::vector<std::string> scopes = {};  // in place of the group's
};

struct SpellingGroup {
  std::string name;
  SpellingKind kind = SpellingKind::kSame;
  std::vector<SpellingForm> forms = {};
  std::vector<std::string> scopes = {};   // JSON objects over which every form has a value
  std::vector<std::string> failing = {};  // kSame: JSON objects over which every form fails
  bool other_words = false;               // the messages of the failures need not be the same
  std::string view = {};                  // what of a form ($; $$ is a $) must be the same; empty: all of it
};

// The scopes over which `form` is evaluated.
const std::vector<std::string>& ScopesOf(const SpellingGroup& group, const SpellingForm& form);

// What the table calls `form`, in Markdown.
std::string LabelOf(const SpellingForm& form);

// All groups, in the order of the table.
std::vector<SpellingGroup> SpellingGroups();

// Its parts. Each appends groups.
void AddOperatorSpellings(std::vector<SpellingGroup>* groups);    // operators, conditionals and constants
void AddCollectionSpellings(std::vector<SpellingGroup>* groups);  // paths, objects, loops and templates
void AddRuleSpellings(std::vector<SpellingGroup>* groups);        // tables of rules
void AddLongSpellings(std::vector<SpellingGroup>* groups);        // forms around some size
void AddWorkSpellings(std::vector<SpellingGroup>* groups);        // kMoreWork
void AddCheckSpellings(std::vector<SpellingGroup>* groups);       // kFewerChecks

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_SPELLING_GROUPS_H_
