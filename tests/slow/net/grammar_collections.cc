// The forms of the grammar that make collections and texts, and take parts of them. Tested by
// tests/slow/net/generators_test.cc.

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/tests/slow/net/grammar.h"

namespace hcl::testing_support {

// A path mostly, since its elements have attributes; or what makes a collection of others, of which the elements are
// the same, or anything.
std::string Grammar::Collection(int depth, uint32_t* element) {
  *element = Shapes::kAnyShape;
  const bool is_path = depth <= 0 || Chance(55);
  if (is_path || Chance(60)) {
    std::vector<std::pair<std::string, uint32_t>> found;
    const auto add = [&](const std::string& root, uint32_t shape) {
      for (const Shapes::Place& place : shapes_->PlacesIn(shape)) {
        const Shapes::Shape& own = shapes_->at(place.shape);
        const bool fits = own.kind == Kind::kSequence || (own.kind == Kind::kMapping && Chance(40));
        if (fits) found.emplace_back(root + place.steps, own.element);
      }
    };
    for (const Local& local : locals_) add(local.name, local.shape);
    // A loop in a loop is mostly over something of the outer one.
    if (found.empty() || Chance(50)) {
      for (const WorldVariable& variable : world_->variables) add(variable.name, variable.shape);
    }
    if (!found.empty()) {
      const auto& [path, shape] = dice_->Pick(found);
      *element = shape;
      if (is_path) return path;
      // What keeps the elements as they are.
      std::string made = Pick({"reverse(X)", "distinct(X)", "tolist(X)", "toset(X)", "values(X)", "concat(X, X)",
                               "concat(X, [])", "slice(X, 0, 1)", "flatten([X, X])", "try(X, [])", "coalescelist(X, X)",
                               "X[*]", "[for q in X : q]", "[for q in X : q if Y]", "(Y ? X : [])", "[X[0], X[0]]",
                               "{for k, q in X : k => q}", "merge(X, X)", "flatten([for q in [X] : q])"});
      const std::string condition = Operand({Kind::kBool}, depth - 2);
      return absl::StrReplaceAll(made, {{"X", path}, {"Y", condition}});
    }
  }
  const Kind kind = Chance(75) ? Kind::kSequence : Kind::kMapping;
  return Expr({kind, AnyWant().kind}, depth);
}

// A part of an element, or the element, or what no element has.
std::string Grammar::PartOfElement(const std::string& name, uint32_t element) {
  if (Chance(5)) return absl::StrCat(name, ".nosuch");
  const std::vector<Shapes::Field>& fields = shapes_->at(element).fields;
  return fields.empty() || Chance(10) ? name : name + StepTo(dice_->Pick(fields).name);
}

// A loop, each element of which looks for something in another list, as people write joins.
std::string Grammar::Join(int depth) {
  uint32_t one, other;
  const std::string outer = Collection(Chance(80) ? 0 : depth, &one);
  const std::string inner = Chance(20) ? outer : Collection(Chance(80) ? 0 : depth, &other);
  if (inner == outer) other = one;
  Push("p", one, Kind::kAny);
  const std::string sought = PartOfElement("p", one);
  Push("q", other, Kind::kAny);
  const std::string key = PartOfElement("q", other);
  std::string test = absl::StrCat(Chance(80) ? absl::StrCat(key, " == ", sought) : absl::StrCat(sought, " == ", key),
                                  Pick({"", "", " && $", " && !$", " && $ == @"}));
  test = absl::StrReplaceAll(test, {{"$", PartOfElement("q", other)}, {"@", Expr(AnyWant(), depth - 2)}});
  const std::string value = Pick({"q", "1", "p", "{a = p, b = q}"});
  Pop(2);
  const std::string found = absl::StrCat("[for q in ", inner, " : ", Chance(50) ? value : key, " if ", test, "]");
  return absl::StrReplaceAll(
      Pick({"[for p in A : F]", "[for p in A : F[0]]", "flatten([for p in A : F])", "[for p in A : length(F)]",
            "[for p in A : try(F[0], 0)]", "[for p in A : p if length(F) > 0]", "[for p in A : p if F == []]",
            "[for p in A : anytrue([for q in B : T])]", "[for p in A : p if alltrue([for q in B : !(T)])]",
            "[for p in A : p if contains([for q in B : K], S)]", "[for p in A : p if !contains(B[*].id, S)]",
            "[for p in A : one(F)]", "[for p in A : sum(concat([0], [for q in B : 1 if T]))]",
            "{for i, p in A : i => F}", "[for p in A : [for q in F : q]]", "[for p in A : [for r in A : F]]"}),
      {{"A", outer}, {"B", inner}, {"F", found}, {"T", test}, {"K", key}, {"S", sought}});
}

std::string Grammar::For(Want want, int depth) {
  if (want.kind == Kind::kSequence && Chance(8)) {
    return absl::StrReplaceAll(Pick({"J", "J", "try(J, [])", "[can(J)]", "try(J[0], J)"}), {{"J", Join(depth)}});
  }
  const bool is_object = want.kind == Kind::kMapping;
  uint32_t element;
  const std::string collection = Collection(depth, &element);
  const std::string key = Pick({"k", "i", "key", "x"});
  const std::string value = Pick({"v", "x", "item", "r"});
  const bool with_key = Chance(is_object ? 60 : 25);
  std::string text = absl::StrCat(is_object ? "{" : "[", "for ");
  if (with_key) absl::StrAppend(&text, key, ", ");
  absl::StrAppend(&text, value, " in ", collection, " : ");
  if (with_key) Push(key, Shapes::kAnyShape, Kind::kAny);
  Push(value, element, Kind::kAny);
  bool grouped = false;
  if (is_object) {
    absl::StrAppend(&text, with_key && Chance(50) ? key : Expr({Kind::kString}, depth - 1), " => ");
    grouped = Chance(25);
  }
  text += Chance(25) ? value : Expr({want.element}, depth);
  if (grouped) text += "...";
  if (Chance(45)) absl::StrAppend(&text, " if ", Expr({Kind::kBool}, depth));
  Pop(with_key ? 2 : 1);
  return text + (is_object ? "}" : "]");
}

std::string Grammar::Splat(int depth) {
  uint32_t element;
  const std::string source = Bracketed(Collection(depth, &element));
  std::string text = source + (Chance(70) ? "[*]" : ".*");
  const std::vector<Shapes::Field>& fields = shapes_->at(element).fields;
  if (!fields.empty() && Chance(75)) text += StepTo(dice_->Pick(fields).name);
  return text;
}

std::string Grammar::Tuple(Want want, int depth) {
  std::string text = "[";
  for (uint32_t n = 0, count = dice_->Roll(4); n < count; ++n) {
    absl::StrAppend(&text, n == 0 ? "" : ", ", Expr({want.element}, depth));
  }
  return text + "]";
}

std::string Grammar::Object(Want want, int depth) {
  std::string text = "{";
  for (uint32_t n = 0, count = dice_->Roll(4); n < count; ++n) {
    if (n > 0) text += ", ";
    text += Chance(80) ? Pick({"a", "b", "c", "id", "name", "\"a\"", "\"x-y\"", "\"\"", "\"a.b\"", "\"e\\u0301\"",
                               "\"\\u00e9\"", "0", "true", "null"})
                       : absl::StrCat("(", Expr({Kind::kString}, depth - 1), ")");
    absl::StrAppend(&text, " = ", Expr({want.element}, depth));
  }
  return text + "}";
}

// A part of what is just made, or of what is there.
std::string Grammar::Part(Want want, int depth) {
  switch (dice_->Roll(8)) {
    case 0: {
      const std::string first = Expr(want, depth);
      const std::string second = Expr(AnyWant(), depth - 1);
      return absl::StrCat("[", first, ", ", second, "]", Pick({"[0]", "[0]", "[1]", "[2]"}));
    }
    case 1: {
      const std::string first = Expr(want, depth);
      const std::string second = Expr(AnyWant(), depth - 1);
      return absl::StrCat("{a = ", first, ", b = ", second, "}", Pick({".a", ".a", "[\"a\"]", ".b", ".c"}));
    }
    case 2: {
      const std::string key = Expr({Kind::kString}, depth - 1);
      if (Chance(50)) {
        // What a table has for it.
        const std::string table = Literal(Kind::kMapping);
        return absl::StrReplaceAll(Pick({"$[#]", "lookup($, #, @)", "try($[#], @)", "contains(keys($), #) ? $[#] : @",
                                         "merge($, {\"x\" = @})[#]", "can($[#])", "lookup($, #, null)",
                                         "[for k, v in $ : v if k == #][0]", "[for k in keys($) : $[k] if k == #]"}),
                                   {{"$", table}, {"#", key}, {"@", Expr(want, depth - 1)}});
      }
      const std::string object = absl::StrCat("{", "(", Expr({Kind::kString}, depth - 1), ") = ");
      return absl::StrCat(object, Expr(want, depth), "}[", key, "]");
    }
    case 3: {
      uint32_t element;
      const std::string collection = Bracketed(Collection(depth, &element));
      std::string text = absl::StrCat(collection, "[", Expr({Chance(70) ? Kind::kNumber : Kind::kString}, depth - 1));
      const std::vector<Shapes::Field>& fields = shapes_->at(element).fields;
      return absl::StrCat(text, "]", !fields.empty() && Chance(60) ? StepTo(dice_->Pick(fields).name) : "");
    }
    case 4:
    case 5:
      return absl::StrCat(For({Kind::kSequence, want.kind}, depth), Pick({"[0]", "[0]", "[0]", "[1]", "[*]"}));
    case 6:
      if (Chance(25)) {
        const std::string text = Expr({Kind::kString}, depth - 1),
                          between = Pick({"\"/\"", "\",\"", "\" \"", "\"-\"", "\"\""});
        return absl::StrReplaceAll(
            Pick({"length(split(B, T)) > 1", "length(split(B, T))", "contains(split(B, T), X)",
                  "split(B, T)[length(split(B, T)) - 1]", "element(split(B, T), length(split(B, T)) - 1)",
                  "length(regexall(\"[a-c]+\", T)) > 0", "length(regexall(\"^a\", T)) == 0",
                  "anytrue([for p in split(B, T) : p == X])"}),
            {{"B", between}, {"T", text}, {"X", Expr({Chance(80) ? Kind::kString : Kind::kAny}, depth - 1)}});
      }
      return absl::StrCat(Bracketed(Conditional({Kind::kMapping, want.kind}, depth)), Pick({".a", ".b", "[\"id\"]"}));
    default:
      return absl::StrCat(Bracketed(Call({Kind::kSequence, want.kind}, depth)), Pick({"[0]", "[0]", "[1]"}));
  }
}

std::string Grammar::TemplateParts(int depth, bool quoted) {
  std::string text;
  for (uint32_t n = 0, count = 1 + dice_->Roll(3); n < count; ++n) {
    const char* open = Chance(8) ? "{~ " : "{";
    const char* close = Chance(8) ? " ~}" : "}";
    switch (dice_->Roll(10)) {
      case 0:
      case 1:
        text += Pick({"-", " ", "a", "/", ": ", "$${x}", "%%{y}", "\xc3\xa9"});
        break;
      case 2:
        absl::StrAppend(&text, "%", open, "if ", Expr({Kind::kBool}, depth), close, TemplateParts(depth - 2, quoted));
        if (Chance(50)) absl::StrAppend(&text, "%", open, "else", close, TemplateParts(depth - 2, quoted));
        absl::StrAppend(&text, "%", open, "endif", close);
        break;
      case 3: {
        uint32_t element;
        absl::StrAppend(&text, "%", open, "for x in ", Collection(depth, &element), close);
        Push("x", element, Kind::kAny);
        absl::StrAppend(&text, "${", Chance(50) ? "x" : Expr({Kind::kString}, depth - 1), "}", Pick({",", "", " "}));
        Pop(1);
        absl::StrAppend(&text, "%", open, "endfor", close);
        break;
      }
      case 4:
        absl::StrAppend(&text, "$", open, Expr({Kind::kNumber}, depth), close);
        break;
      default:
        absl::StrAppend(&text, "$", open, Expr({Kind::kString}, depth), close);
    }
    if (!quoted && Chance(30)) text += "\n";
  }
  return text;
}

std::string Grammar::Template(int depth) {
  if (!Chance(10)) return absl::StrCat("\"", TemplateParts(depth, /*quoted=*/true), "\"");
  // In brackets: the line of the mark must have nothing else.
  return absl::StrCat(Pick({"(<<EOT\n", "(<<-EOT\n  "}), TemplateParts(depth, /*quoted=*/false), "\nEOT\n)");
}

}  // namespace hcl::testing_support
