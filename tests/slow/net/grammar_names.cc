// Names for expressions. HCL has no word for that within an expression, so people write a loop over one element. Tested
// by tests/slow/net/generators_test.cc.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/tests/slow/net/grammar.h"

namespace hcl::testing_support {
namespace {

constexpr uint32_t kSeveral = 45;  // percent of the bodies that are made of several expressions over the name

}  // namespace

// In a form, @ is the loop as far as its colon, and # is the body.
std::string Grammar::WithName(const std::string& name, const std::string& bound, Kind kind, const std::string& body) {
  std::string elements = "[$]";
  if (Chance(30)) {
    elements = Pick({"[$, $]", "tolist([$])", "toset([$])", "{x = $}", "[for n in [$] : n]", "$[*]", "compact([$])",
                     "($ == null ? [] : [$])", "[for n in [$] : n if n != null]", "try([$], [])", "concat([$], [])",
                     "flatten([$])", "(# ? [$] : [])"});
  }
  const std::string condition = absl::StrContains(elements, "#") ? Operand({Kind::kBool}, 0) : "";
  elements = absl::StrReplaceAll(elements, {{"$", Bracketed(bound)}, {"#", condition}});
  const std::string filter = Chance(12) ? " if " + Expr({Kind::kBool}, 0) : "";
  std::string form = Pick({"[@#][0]", "[@#][0]", "one([@#])", "element([@#], 0)", "values({@\"a\" => #})[0]",
                           "{@\"a\" => #}.a", "{@\"a\" => #}[\"a\"]", "try([@#][0], null)", "coalesce([@#]...)", "[@#]",
                           "{@\"${length(\"a\")}\" => #}", "{@\"a\" => #...}"});
  if (Chance(50)) {
    switch (kind) {
      case Kind::kBool:
        form = Pick({"alltrue([@#])", "anytrue([@#])", "contains([@#], true)", "length([@1 if #]) > 0"});
        break;
      case Kind::kString:
        form = Pick({"join(\"\", [@#])", "\"${[@#][0]}\"", "format(\"%s\", [@#]...)"});
        break;
      case Kind::kNumber:
        form = Pick({"sum([@#])", "max([@#]...)", "min([@#]...)"});
        break;
      case Kind::kSequence:
        form = Pick({"flatten([@#])", "concat([@#]...)", "[@#][*][0]", "setunion([@#]...)"});
        break;
      case Kind::kMapping:
        form = Pick({"merge([@#]...)", "merge({}, [@#]...)", "[@#][*].a"});
        break;
      case Kind::kAny:
        break;
    }
  }
  const std::string head = absl::StrCat("for ", Chance(12) ? "k, " : "", name, " in ", elements, " : ");
  const std::string one = Bracketed(body);
  return absl::StrReplaceAll(
      form, {{"@", head}, {"#", one + filter}, {"#...", absl::StrCat(one, "...", filter)}, {"if #", "if " + one}});
}

// What gets a name: mostly what is read more than once. Pushes the name.
std::string Grammar::Subject(const std::string& name, int depth, size_t* names) {
  *names = 1;
  if (Chance(40)) {
    std::vector<std::pair<std::string, uint32_t>> found;
    const auto add = [&](const std::string& root, uint32_t shape) {
      for (const Shapes::Place& place : shapes_->PlacesIn(shape)) found.emplace_back(root + place.steps, place.shape);
    };
    for (const Local& local : locals_) add(local.name, local.shape);
    for (const WorldVariable& variable : world_->variables) add(variable.name, variable.shape);
    if (!found.empty()) {
      const auto& [path, shape] = dice_->Pick(found);
      Push(name, shape, shapes_->at(shape).kind);
      return path;
    }
  }
  if (Chance(50)) {
    uint32_t element;
    std::string text = Collection(depth, &element);
    Push(name, shapes_->SequenceOf(element), Kind::kSequence);
    return text;
  }
  const Want first = AnyWant();
  if (Chance(50)) {
    std::string text = Expr(first, depth);
    Push(name, Shapes::kAnyShape, first.kind);
    return text;
  }
  // Several names at once.
  uint32_t element;
  std::string text = Collection(depth, &element);
  text = absl::StrCat("{all = ", text, ", own = ", Expr(first, depth), "}");
  Push(name + ".all", shapes_->SequenceOf(element), Kind::kSequence);
  Push(name + ".own", Shapes::kAnyShape, first.kind);
  *names = 2;
  return text;
}

std::string Grammar::Named(Want want, int depth) {
  const std::string name = Pick({"t", "it", "x", "v", "self"});
  size_t names;
  const std::string bound = Subject(name, depth, &names);
  std::string body;
  if (Chance(kSeveral)) {
    body = Over(want, depth);
  } else {
    body = Expr(want, depth);
  }
  Pop(names);
  return WithName(name, bound, want.kind, body);
}

// Several expressions of the names that are there, as something of that kind.
std::string Grammar::Over(Want want, int depth) {
  const auto one = [&](Kind kind) { return Operand({kind, want.element}, depth); };
  switch (want.kind) {
    case Kind::kBool: {
      const char* op = Pick({" && ", " || ", " == ", " != "});
      return absl::StrCat(one(Kind::kBool), op, one(Kind::kBool));
    }
    case Kind::kNumber: {
      const char* op = Pick({" + ", " - ", " * "});
      return absl::StrCat(one(Kind::kNumber), op, one(Kind::kNumber));
    }
    case Kind::kString: {
      const std::string first = one(Kind::kString);
      return absl::StrCat("\"${", first, "}-${", one(Kind::kString), "}\"");
    }
    case Kind::kMapping: {
      const std::string first = one(want.element);
      return absl::StrCat("{a = ", first, ", b = ", one(want.element), "}");
    }
    case Kind::kSequence:
    case Kind::kAny:
      break;
  }
  const std::string first = one(want.element);
  return absl::StrCat("[", first, ", ", one(want.element), "]");
}

}  // namespace hcl::testing_support
