// KnownBreach. Tested by tests/slow/unknown_law_test.cc.

#include "hclvm/tests/slow/known_breaches.h"

namespace hcl::testing_support {
namespace {

bool IsReference(const Breach& breach) { return breach.dialect == Dialect::kHashiCorp; }

// Each predicate is about a program that Shrink() has made small, so that what it asks for is what matters.
struct Class {
  const char* name;
  bool (*has)(const Breach& breach);
};

// All of these are as the reference has them; docs/language.md, "Answers about unknown values that may turn out
// otherwise", has them with the reasons.
constexpr Class kClasses[] = {
    // The left side of `&&` or `||` has failed, and its error counts or not as the other side has it: `[] > 1 && ub` is
    // an error, and false once `ub` is false.
    {"an operand that failed, beside one that decides",
     [](const Breach& b) {
       return IsReference(b) && b.was_error && (b.earlier_doubts.failed_side || b.real_doubts.failed_side);
     }},
    // A side that fails is not asked whether it is a bool: `false && abs(ust)` is an error since no number is one, and
    // false where `ust` is a text that is no number.
    {"an operand that turns out to fail", [](const Breach& b) { return b.was_error && b.real_doubts.failed_side; }},
    // The real value is a null, which is allowed where no other value of its type is: `un.*.a` is an error since
    // numbers have no attributes, and [] once `un` is null.
    {"a null where no other value of its type would do", [](const Breach& b) { return b.real_doubts.tolerated_null; }},
    // A branch failed, or something in its type is not known, and the other branch is not converted to the type that
    // both have together: `true ? 1 : dyn` is the number 1, and "1" once `dyn` is a string.
    {"a branch without a type",
     [](const Breach& b) { return b.earlier_doubts.untyped_branch || b.real_doubts.untyped_branch; }},
    // The same for functions that bring their arguments to one type: `coalesce(1, dyn)`.
    {"an argument without a type",
     [](const Breach& b) { return b.earlier_doubts.untyped_argument || b.real_doubts.untyped_argument; }},
    // try() and can() take an argument with a known value for one that cannot fail, though it reads unknown values:
    // `can(true || ust)` is true, and false once `ust` is a string that is no bool.
    {"an attempt that assumes valid values",
     [](const Breach& b) { return !b.was_error && b.earlier_doubts.optimistic_attempt; }},
    // The elements of a set stand in the order of their values, so nobody knows the place of an unknown one, and
    // whether it is one of the others: `toset([un, 1])[*]` has two elements, and one once `un` is 1.
    {"the order of a set with unknown elements",
     [](const Breach& b) { return IsReference(b) && b.earlier_doubts.unordered_set; }},
    // A set with unknown elements, converted to a list, is an unknown list of the set's elements and not of the
    // elements that were asked for.
    {"a set with unknown elements as a list",
     [](const Breach& b) {
       return IsReference(b) && b.text.find("toset(") != std::string::npos &&
              b.earlier.find("{\"$unknown\":[\"list\"") != std::string::npos;
     }},
    // `us[*][*]` is a list of tuples as long as nothing is null, and an error where something is.
    {"a splat whose results differ in type",
     [](const Breach& b) { return IsReference(b) && (b.earlier_doubts.mixed_splat || b.real_doubts.mixed_splat); }},
};

}  // namespace

const char* KnownBreach(const Breach& breach) {
  for (const Class& known : kClasses) {
    if (known.has(breach)) return known.name;
  }
  return nullptr;
}

}  // namespace hcl::testing_support
