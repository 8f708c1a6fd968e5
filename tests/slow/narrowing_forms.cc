// Tested by its users.
//
// A form is a condition with places for what it tests, and for what is done where it holds and where it does not. What
// stands there is mostly of the tested value, and sometimes of another one: a checker that takes the one for the other
// lets something through that fails.

#include "hclvm/tests/slow/narrowing_forms.h"

#include <cstddef>
#include <iterator>
#include <string_view>

#include "absl/strings/str_replace.h"

namespace hcl::testing_support {
namespace {

// Ways to values that may not be there, with `kind` as generator.h has it: n, s, b, or a for what is of any type.
struct Tested {
  const char* way;
  char kind;
};

constexpr Tested kTested[] = {
    {"acc.plan", 's'},       {"acc.owner.age", 'n'},
    {"acc.owner.mail", 's'}, {"mayn", 'n'},
    {"mays", 's'},           {"mayb", 'b'},
    {"may.v", 'n'},          {"may.w", 's'},
    {"reg[\"a\"].w", 's'},   {"acc.seats[0].of", 's'},
    {"free", 'a'},           {"free.a", 'a'},
    {"free.name", 'a'},      {"free[0]", 'a'},
    {"local.open.b", 'a'},   {"local.open[\"b\"]", 'a'},
    {"local.opened.a", 'n'}, {"acc.labels.a", 's'},
    {"acc.owner.name", 's'},
};

// In these, $w is what is tested, $u what is done with a value, $v what is done with it by a bool, $o something else of
// the kind of what is done, and $l a literal of the value's kind.
constexpr const char* kForms[] = {
    "$w != null ? $u : $o",
    "$w == null ? $o : $u",
    "$w != null && $v",
    "$w == null || $v",
    "!($w == null) && $v",
    "!($w == null || @b) && $v",
    "!($w != null && @b) || $v",
    "$w != null && @b ? $u : $o",
    "@b && $w != null ? $u : $o",
    "@b || $w != null ? $u : $o",
    "null != $w ? $u : $o",
    "$w == $l ? $u : $o",
    "$w != $l ? $o : $u",
    "$l == $w && $v",
    "contains([$l, $l], $w) && $v",
    "contains([$l, $l], $w) ? $u : $o",
    "can($w) ? $u : $o",
    "can($w) && $v",
    "can($u) ? $u : $o",
    "can($u) && $v",
    "can([$u]) && $v",
    "!can($u) || $v",
    "try($w, null) != null ? $u : $o",
    "try($w, null) == null || $v",
    "try($w, $l) != null ? $u : $o",
    "try($w, null) == $l && $v",
    "try($w, $l) == $l ? $u : $o",
    "try($v, false) ? $u : $o",
    "try($v, true) || $v",
    "try($u, $o)",
    "try($w, null) > 1 ? $u : $o",
    "$w > 1 && $v",
    "coalesce($w, $l) == $l || $v",
    "[for x in [1, 2] : $u if $w != null]",
    "[for x in [1, 2] : $u if can($w)]",
    "[for x in [1, 2] : $w == null ? $o : $u]",
    "\"%{ if $w != null }${$u}%{ else }${$o}%{ endif }\"",
    "\"%{ if can($u) }${$u}%{ endif }\"",
    "\"%{ for x in acc.seats ~}${x.n}%{ if x.of != null }${upper(x.of)}%{ endif }%{ endfor }\"",
    "[for x in acc.seats : upper(x.of) if x.of != null]",
    "[for x in acc.seats : upper(x.of) if try(x.of, null) != null]",
    "[for x in acc.seats : { for y in acc.seats : \"${x.n}-${y.n}\" => upper(y.of)... if x.of != null }]",
    "[for x in acc.seats : { for y in acc.seats : \"${x.n}-${y.n}\" => upper(x.of)... if x.of != null }]",
    "acc.seats[*].n",
    "acc.seats[*].of",
    "acc.owner[*].name",
    "may[*].v",
    "[for k, v in reg : upper(v.w) if v.w != null]",
    "contains(keys(acc.labels), \"a\") ? upper(acc.labels.a) : $o",
    "contains(keys(reg), mays) ? reg[mays].v + 1 : $o",
    "contains(keys(local.open), \"b\") ? $u : $o",
    "contains(keys(local.open), \"b\") && $v",
    "can(keys(free)) && contains(keys(free), \"a\") && $v",
    "can(keys(free)) && contains(keys(free), \"a\") ? $u : $o",
    "can(keys(free)) && contains(keys(free), acc.id) && free[acc.id] == $l",
    "can(free[acc.id]) ? free[acc.id] == $l : $b",
    "can(length(free)) && length(free) > 0",
    "can(length(free)) ? length(free) + 1 : $o",
    "can(max(free, 1)) && max(free, 1) + 1 > 0",
    "lookup(acc.labels, acc.id, \"\") == $l",
    "may != null ? $u : $o",
    "may != null && may.v != null ? may.v + 1 : $o",
    "acc.owner != null ? $u : $o",
    "acc.owner != null && $w != null ? $u : $o",
    "acc.owner == null || $w == null ? $o : $u",
    "acc.quota + 1",
};

constexpr const char* kOfNumbers[] = {"$w + 1",  "-$w",           "max($w, 2)", "\"${$w}\"",
                                      "$w * $w", "[1, 2, 3][$w]", "abs($w)"};
constexpr const char* kOfStrings[] = {"upper($w)",          "\"${$w}!\"",   "length(split(\",\", $w))",
                                      "\"x-${lower($w)}\"", "{ ($w) = 1 }", "acc.labels[$w]"};
constexpr const char* kOfBools[] = {"!$w", "$w && true", "$w ? 1 : 2", "\"${$w}\""};
constexpr const char* kOfAny[] = {"jsonencode($w)", "length($w)", "$w.a",     "$w[0]",
                                  "upper($w)",      "$w + 1",     "keys($w)", "[for e in $w : e]",
                                  "\"${$w}\"",      "$w == 1",    "!$w",      "max($w, 1)"};
constexpr const char* kTests[] = {"$w == $l", "$w != $l", "[$w] == [$l]", "contains([$l], $w)"};
constexpr const char* kTestsOfNumbers[] = {"$w > 1", "$w + 1 == 2", "$w < $w + 1", "max($w, 1) > 0"};
constexpr const char* kTestsOfStrings[] = {"upper($w) == \"A\"", "startswith($w, \"a\")", "\"${$w}\" == \"a\"",
                                           "length(split(\",\", $w)) > 1"};
constexpr const char* kTestsOfBools[] = {"$w", "!$w", "$w || false"};
constexpr const char* kTestsOfAny[] = {"$w.a == 1", "length($w) > 0",     "$w > 1",
                                       "!$w",       "upper($w) == \"A\"", "$w[0] == 1"};
constexpr const char* kLiterals[] = {"1", "2", "\"a\"", "\"5\"", "true", "false", "\"hello\""};
constexpr const char* kNumberLiterals[] = {"1", "2", "17"};
constexpr const char* kStringLiterals[] = {"\"a\"", "\"b\"", "\"hello\""};

const Tested& Choose(Generator* generator) { return kTested[generator->Below(std::size(kTested))]; }

std::string Literal(char kind, Generator* generator) {
  if (kind == 'n') return generator->Pick(kNumberLiterals);
  if (kind == 's') return generator->Pick(kStringLiterals);
  return generator->Pick(kLiterals);
}

std::string Use(char kind, Generator* generator) {
  if (kind == 'n') return generator->Pick(kOfNumbers);
  if (kind == 's') return generator->Pick(kOfStrings);
  return kind == 'b' ? generator->Pick(kOfBools) : generator->Pick(kOfAny);
}

std::string Test(char kind, Generator* generator) {
  if (generator->Chance(40)) return generator->Pick(kTests);
  if (kind == 'n') return generator->Pick(kTestsOfNumbers);
  if (kind == 's') return generator->Pick(kTestsOfStrings);
  return kind == 'b' ? generator->Pick(kTestsOfBools) : generator->Pick(kTestsOfAny);
}

}  // namespace

std::string NarrowedVariables() {
  return R"(variable "acc" {
  type = object({
    id     = string
    plan   = optional(string)
    quota  = optional(number, 5)
    owner  = optional(object({ name = string, mail = optional(string), age = optional(number) }))
    seats  = optional(list(object({ n = number, of = optional(string) })), [])
    labels = map(string)
  })
  validation {
    condition     = strlen(acc.id) >= 0 && can(acc.quota + 1)
    error_message = "no"
  }
  validation {
    condition     = acc.plan == null || can(upper(acc.plan))
    error_message = "The plan is ${acc.plan == null ? "none" : acc.plan}."
  }
}
variable "mayn" {
  type     = number
  default  = null
  nullable = true
}
variable "mays" {
  type     = string
  nullable = true
}
variable "free" {}
)";
}

std::string NarrowedVariablesInJson() {
  return R"j({"variable": {
  "mayb": {"type": "bool", "nullable": true, "default": true},
  "may": {"type": "object({ v = optional(number), w = optional(string) })", "nullable": true},
  "reg": {"type": "map(object({ v = number, w = optional(string) }))",
          "validation": {"condition": "${length(reg) >= 0}", "error_message": "no"}}
},
"locals": {"open": "${merge({ a = 1 }, { for k, v in acc.labels : k => v })}",
           "opened": "${acc.owner == null ? { a = 1 } : { a = 2 }}"}})j";
}

std::string NarrowingForm(Generator* generator) {
  const Tested& tested = Choose(generator);
  const Tested& used = generator->Chance(85) ? tested : Choose(generator);
  const std::string use = absl::StrReplaceAll(Use(used.kind, generator), {{"$w", used.way}});
  const std::string test = absl::StrReplaceAll(Test(used.kind, generator), {{"$w", used.way}});
  // Branches of one type are what people write, and others become texts.
  const std::string otherwise = generator->Chance(70) ? "\"\"" : "@a";
  const std::string form = absl::StrReplaceAll(generator->Pick(kForms), {{"$u", use}, {"$v", test}});
  return absl::StrReplaceAll(generator->FillAlone(absl::StrReplaceAll(form, {{"$o", otherwise}}), 1),
                             {{"$w", tested.way}, {"$l", Literal(tested.kind, generator)}, {"$b", "false"}});
}

}  // namespace hcl::testing_support
