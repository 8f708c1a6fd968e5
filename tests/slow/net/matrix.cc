#include "hclvm/tests/slow/net/matrix.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/tests/slow/net/shapes.h"

namespace hcl::testing_support {
namespace {

constexpr uint32_t kNamed = 20;  // percent

// Elements of others: the same elements, some of them, or in another order.
constexpr const char* kSame[] = {
    "reverse($)",
    "concat($, $)",
    "concat([], $)",
    "concat($, [#])",
    "slice($, 0, 1)",
    "slice($, 1, length($))",
    "flatten([$])",
    "flatten([$, [#]])",
    "flatten([for y in $ : [y]])",
    "flatten([for y in $ : [y, y] if ~])",
    "tolist($)",
    "toset($)",
    "distinct($)",
    "sort($)",
    "compact($)",
    "values($)",
    "values({for i, y in $ : i => y})",
    "values({for y in $ : \"${y}\" => y})",
    "[for y in $ : y]",
    "[for y in $ : y if y != null]",
    "[for i, y in $ : y if i > 0]",
    "[for y in [$, $] : y][0]",
    "$[*]",
    "(~ ? $ : [])",
    "(~ ? [#] : $)",
    "try($, [])",
    "try(@, $)",
    "coalescelist($, [#])",
    "coalesce($, [])",
    "[$[0], #]",
    "[for y in [0, 1] : $[y]]",
    "[for y in range(length($)) : $[y]]",
    "[for y in range(length($)) : y]",
    "[for y in keys($) : $[y]]",
    "{a = $}.a",
    "[$][0]",
    "setunion($, [#])",
    "setsubtract($, [#])",
    "setintersection($, [#, #])",
    "chunklist($, 2)[0]",
    "element([$, []], 0)",
    "merge($, {})",
    "{for k, y in $ : k => y}",
    "{for k, y in $ : \"${k}x\" => y if ~}",
    "tomap($)",
    "concat([for y in [$] : y]...)",
    "[for y in setproduct($, [#, #]) : y[0]]",
    "[for y in setproduct($, $) : \"${y[0]}-${y[1]}\"]",
    "flatten([for y in $ : [for u in $ : {id = y, own = u}]])",
    "[for y in flatten([for u in $ : [{id = u, own = #}]]) : y.id]",
    "[for y in flatten([for u in $ : [for w in [#, #] : {id = u, own = w}]]) : y.own if y.id != null]",
    "values(merge([for y in $ : {(\"${y}\") = y}]...))",
    "merge([for k, y in $ : {\"${k}\" = y}]...)",
    "keys({for y in $ : y => true})",
    "toset([for y in $ : y])",
    "[for k in sort(keys($)) : $[k]]",
    "[for k in keys($) : $[k] if k != \"a\"]",
    "matchkeys($, $, [#])",
    "zipmap(keys($), values($))",
    "[for g in values({for y in $ : \"${y}\" => y...}) : g[0]]",
    "{for k, g in {for y in $ : \"${y}\" => y...} : k => length(g)}",
    "[for i, y in $ : y if index($, y) == i]",
    "[for i in range(length($)) : {id = i, own = $[i]}]",
    "[for y in $ : y if contains($, y)]",
    "[for y in $ : y if !contains([#, #], y)]",
    "[for y in $ : y if alltrue([for u in $ : u == y || u != #])]",
    "[for y in $ : [for u in $ : u if u == y][0]]",
    "[for y in $ : merge(y, {tag = #})]",
    "[for y in $ : try(y.id, y.name, #)]",
    "[for y in $ : y if try(y.id, y) == #]",
    "flatten(chunklist($, 2))",
    "jsondecode(jsonencode($))",
    "compact([for y in $ : try(y.name, y, \"\")])",
    "split(\",\", join(\",\", $))",
    "lookup({a = $}, \"a\", [])",
    "lookup({a = $}, #, $)",
    "try($.items, $)",
    "try(tolist($), [$])",
    "try([for y in $ : y.id], $)",
    "coalescelist([for y in $ : y if ~], [#])",
    "concat([for y in $ : y if ~], [for y in $ : y if !(~)])",
    "concat(~ ? [#] : [], $)",
    "flatten([~ ? [] : [#], $])",
    "[for y in [{all = $, own = #}] : y.all][0]",
    "[for y in [for u in [$] : reverse(u)] : y][0]",
    "reverse(sort($))",
    "setunion([for y in $ : [y]]...)",
    "[for i, y in $ : i]",
    "{for i, y in $ : y => i}",
};

// What asks a sequence for something.
constexpr const char* kConsumers[] = {
    "alltrue($)",
    "anytrue($)",
    "alltrue([for z in $ : z == #])",
    "anytrue([for z in $ : z == #])",
    "anytrue([for z in $ : z != null])",
    "alltrue([for z in $ : can(z.id)])",
    "sum($)",
    "sum([for z in $ : 1])",
    "sum([for z in $ : length(z)])",
    "min($...)",
    "max($...)",
    "length($)",
    "length($) == 1",
    "length($) > 0",
    "0 < length($)",
    "length($) != 0",
    "length([for z in $ : z if z == #]) > 0",
    "length([for z in $ : z if ~])",
    "$[0]",
    "$[1]",
    "$[length($) - 1]",
    "$[\"0\"]",
    "element($, 0)",
    "element($, 5)",
    "contains($, #)",
    "contains([for z in $ : z], #)",
    "!contains($, #)",
    "join(\"-\", $)",
    "join(\",\", [for z in $ : \"<${z}>\"])",
    "\"%{for z in $}${z},%{endfor}\"",
    "distinct($)",
    "one($)",
    "$ != []",
    "$ == []",
    "[] == $",
    "$ == null",
    "coalesce($...)",
    "coalesce(one($), #)",
    "try($[0], #)",
    "try(one($), @)",
    "can($[0])",
    "can(one($))",
    "try(element($, 0).id, #)",
    "index($, #)",
    "keys($)",
    "lookup($, \"a\", #)",
    "hasindex($, 0)",
    "jsonencode($)",
    "sort($)",
    "$",
    "[for z in $ : z]",
    "{for i, z in $ : i => z}",
    "{for z in $ : \"${z}\" => z...}",
    "$[*]",
    "$.*.id",
    "[for z in $ : z][0]",
    "toset($) == toset([#])",
    "length(setintersection($, [#])) > 0",
    "length(distinct($)) == length($)",
    "min(length($), 2)",
    "zipmap($, $)",
    "anytrue([for z in $ : anytrue([for u in $ : u == z])])",
    "anytrue([for z in $ : alltrue([for u in $ : u == z || ~])])",
    "alltrue([for z in $ : contains($, z)])",
    "alltrue([for z in [#, #] : contains($, z)])",
    "alltrue([for z in $ : z != null && z != \"\"])",
    "length([for z in $ : z if z != #]) == length($)",
    "length([for z in $ : z if try(z.id, z) == #]) == 1",
    "length(toset($)) == length($)",
    "length($) == 0 || contains($, #)",
    "$ == null || length($) == 0",
    "$ == null ? [] : $",
    "try(length($), 0) > 0",
    "length($) > 0 ? $[0] : null",
    "length($) > 0 ? $[length($) - 1] : #",
    "lookup({for z in $ : z => true}, #, false)",
    "lookup({for z in $ : \"${z}\" => z}, #, @)",
    "try({for z in $ : z => z}[#], @)",
    "contains(keys({for z in $ : \"${z}\" => z}), #)",
    "{for z in $ : z => length([for u in $ : u if u == z])}",
    "[for z in $ : z if z == max($...)]",
    "[for z in $ : length(z) == max([for u in $ : length(u)]...)]",
    "$[index($, #)]",
    "zipmap([for i, z in $ : \"${i}\"], $)",
    "join(\", \", sort(distinct([for z in $ : \"${z}\"])))",
    "join(\",\", [for z in $ : \"${z}\" if z != #])",
    "try($[0].id, null)",
    "one($[*])",
    "one([for z in $ : z if z == #])",
    "[for z in $ : {key = z, of = length($)}]",
    "merge([for z in $ : {\"${z}\" = z}]...)",
    "format(\"%v of %d\", $, length($))",
    "formatlist(\"%s!\", $)",
    "sum([for z in $ : z == # ? 1 : 0])",
    "sum([for z in $ : try(tonumber(z), 0)])",
    "max([for z in $ : length(z)]...)",
    "max(0, $...)",
    "setsubtract([#, #], $)",
    "length(setsubtract([#], $)) == 0",
    "toset([#]) == setintersection([#], $)",
    "element($, length($) - 1)",
    "element([for z in $ : z if ~], 0)",
    "values({for z in $ : \"${z}\" => z})[0]",
    "[for i, z in $ : z if i == 0 || z != $[i - 1]]",
    "{all = $, first = try($[0], null), count = length($)}",
    "[length($), contains($, #), $[0]]",
};

constexpr const char* kSurroundings[] = {
    "$",
    "$",
    "$",
    "~ ? $ : @",
    "~ ? @ : $",
    "$ ? @ : @",
    "~ && $",
    "$ && ~",
    "~ || $",
    "$ || ~",
    "!$",
    "$ == $",
    "$ == @",
    "[$, @]",
    "[$, @][0]",
    "{a = $, b = @}",
    "{a = $}.a",
    "{(@) = $}",
    "\"${$}\"",
    "\"a-${$}-b\"",
    "\"%{if $}yes%{else}no%{endif}\"",
    "try($, @)",
    "try(@, $)",
    "can($)",
    "can($) ? $ : @",
    "tostring($)",
    "length([$])",
    "coalesce($, @)",
    "[for w in [1, 2] : $]",
    "[for w in [1, 2] : w if $]",
    "[for w in [] : $]",
    "{for w in [\"a\", \"b\"] : w => $}",
    "alltrue([$, ~])",
    "$ + 1",
    "$ > 0",
    "merge({a = $}, {b = @}).a",
    "jsonencode({a = $})",
    "lookup({a = $}, \"a\", @)",
    "~ ? 1 : $",
    "$ == null ? @ : $",
    "$ != null ? $ : @",
    "[for w in [$, @] : w if w != null]",
    "[for w in [{a = $, b = @}] : w.a if w.b != null]",
    "{for k, w in {a = $, b = @} : k => w if w != null}",
    "[for r in [{when = ~, then = $}, {when = true, then = @}] : r.then if r.when][0]",
    "[for r in [{when = $, then = @}, {when = ~, then = #}] : r.then if r.when]",
    "[for r in [{when = $, then = @}, {when = ~, then = #}] : r.then if try(r.when, false)]",
    "concat(~ ? [$] : [], ~ ? [@] : [])",
    "length(concat($ ? [1] : [], ~ ? [2] : [])) == 0",
    "flatten([$, @])",
    "coalesce(try($, null), @)",
    "merge({a = @}, ~ ? {a = $} : {})",
    "merge({a = @, b = @}, {a = $})",
    "try({a = $}[@], @)",
    "jsondecode(jsonencode({a = $})).a",
    "toset([$, @])",
    "contains([$, @], @)",
    "length([for w in [1] : w if $]) > 0",
    "try(tobool($), false)",
    "try(tostring($), jsonencode($))",
    "[for w in [1, 2, 3] : {id = w, own = $}]",
    "{for w in [\"b\", \"a\", \"b\"] : w => $...}",
    "(~ ? {a = $} : {a = @}).a",
    "(~ ? [$] : [])[0]",
    "(~ ? $ : null) == null",
    "{\"a.b\" = $, \"\" = @}[\"a.b\"]",
    "{\"\\u00e9\" = $}[\"e\\u0301\"]",
};

}  // namespace

std::string Matrix::Fill(const char* form, const std::string& text, Kind kind, const std::string& other) {
  std::string made;
  for (const char* c = form; *c != '\0'; ++c) {
    if (*c == '$' && c[1] == '{') {
      made += *c;
    } else if (*c == '$') {
      made += Bracketed(text);
    } else if (*c == '#') {
      made += grammar_->Operand({kind}, grammar_->Chance(70) ? 0 : 1);
    } else if (*c == '@') {
      made += !other.empty() && grammar_->Chance(60) ? Bracketed(other) : grammar_->Operand(grammar_->AnyWant(), 1);
    } else if (*c == '~') {
      made += grammar_->Operand({Kind::kBool}, grammar_->Chance(60) ? 0 : 2);
    } else {
      made += *c;
    }
  }
  return made;
}

// Collections of the policy, and others.
Matrix::Elements Matrix::Source(const World& world) {
  std::vector<Elements> found;
  for (const WorldVariable& variable : world.variables) {
    for (const Shapes::Place& place : shapes_->PlacesIn(variable.shape)) {
      const Shapes::Shape& own = shapes_->at(place.shape);
      if (own.kind != Kind::kSequence && own.kind != Kind::kMapping) continue;
      found.push_back({variable.name + place.steps, own.element, shapes_->at(own.element).kind});
      if (own.kind == Kind::kMapping && grammar_->Chance(40)) {
        found.push_back({absl::StrCat("keys(", variable.name, place.steps, ")"), Shapes::kAnyShape, Kind::kString});
        found.push_back(
            {absl::StrCat("values(", variable.name, place.steps, ")"), own.element, shapes_->at(own.element).kind});
      }
    }
  }
  if (!found.empty() && grammar_->Chance(70)) return dice_->Pick(found);
  const Kind kind = grammar_->AnyWant().element;
  switch (dice_->Roll(6)) {
    case 0:
      return {grammar_->Pick({"range(3)", "range(1, 4)", "range(0)", "range(length(\"abc\"))"}), Shapes::kAnyShape,
              Kind::kNumber};
    case 1:
      return {absl::StrCat("split(\"", grammar_->Pick({"/", ",", ".", "-", ""}), "\", ",
                           grammar_->Expr({Kind::kString}, 1), ")"),
              Shapes::kAnyShape, Kind::kString};
    default: {
      std::string text = "[";
      for (uint32_t n = 0, count = dice_->Roll(4); n < count; ++n) {
        absl::StrAppend(&text, n == 0 ? "" : ", ", grammar_->Expr({kind}, 1));
      }
      return {text + "]", Shapes::kAnyShape, kind};
    }
    case 2: {
      std::string text = "{";
      for (uint32_t n = 0, count = dice_->Roll(3); n < count; ++n) {
        absl::StrAppend(&text, n == 0 ? "" : ", ", n == 0 ? "a" : "b", " = ", grammar_->Expr({kind}, 1));
      }
      return {text + "}", Shapes::kAnyShape, kind};
    }
    case 3: {
      std::string text = "[";
      for (uint32_t n = 0, count = 1 + dice_->Roll(3); n < count; ++n) {
        const std::string condition = grammar_->Expr({Kind::kBool}, 1);
        absl::StrAppend(&text, n == 0 ? "" : ", ", "{id = \"", n, "\", when = ", condition,
                        ", then = ", grammar_->Expr({kind}, 1), "}");
      }
      return {text + "]", Shapes::kAnyShape, Kind::kMapping};
    }
  }
}

Matrix::Elements Matrix::Producer(const World& world, int depth) {
  if (depth == 0) return Source(world);
  const Elements inner = Producer(world, depth - 1);
  if (grammar_->Chance(55)) return {Fill(grammar_->Pick(kSame), inner.text, inner.kind), inner.shape, inner.kind};
  return Loop(inner);
}

// Something of the element x.
std::string Matrix::OfElement(const Elements& elements, Kind wanted) {
  if (elements.text.find("when = ") != std::string::npos && grammar_->Chance(60)) {
    return wanted == Kind::kBool ? "x.when" : grammar_->Pick({"x.then", "x.id"});
  }
  if (grammar_->Chance(30)) return "x";
  grammar_->Push("x", elements.shape, elements.kind);
  std::string text = grammar_->Chance(60) ? grammar_->Path(wanted) : grammar_->Expr({wanted}, 2);
  grammar_->Pop(1);
  return text;
}

Matrix::Elements Matrix::Loop(const Elements& elements) {
  const Kind kind = grammar_->Chance(60) ? elements.kind : grammar_->AnyWant().kind;
  const std::string value = OfElement(elements, kind);
  const std::string filter = grammar_->Chance(50) ? " if " + OfElement(elements, Kind::kBool) : "";
  const std::string head =
      absl::StrCat(grammar_->Pick({"for x in ", "for x in ", "for k, x in "}), elements.text, " : ");
  const Elements made = {"", value == "x" ? elements.shape : Shapes::kAnyShape, kind};
  const auto with = [&](std::string text) { return Elements{std::move(text), made.shape, made.kind}; };
  switch (dice_->Roll(8)) {
    case 0:
      return with(absl::StrCat("{", head, "\"${", OfElement(elements, Kind::kString), "}\" => ", value, filter, "}"));
    case 1:
      return with(absl::StrCat("{for k, x in ", elements.text, " : k => ", value, filter, "}"));
    case 2:
      return with(absl::StrCat("{for k, x in ", elements.text, " : \"${k}\" => ", value, "...", filter, "}"));
    case 3: {
      const std::vector<Shapes::Field>& fields = shapes_->at(elements.shape).fields;
      std::string text = Bracketed(elements.text) + grammar_->Pick({"[*]", ".*"});
      if (fields.empty()) return {text, elements.shape, elements.kind};
      const Shapes::Field& field = dice_->Pick(fields);
      return {text + StepTo(field.name), field.shape, shapes_->at(field.shape).kind};
    }
    default:
      return with(absl::StrCat("[", head, value, filter, "]"));
  }
}

std::string Matrix::Consumed(const Elements& elements) {
  return Fill(grammar_->Pick(kConsumers), elements.text, elements.kind);
}

std::string Matrix::Surrounded(const std::string& text, const std::string& other) {
  return Fill(grammar_->Pick(kSurroundings), text, Kind::kAny, other);
}

// Several programs over the same elements, which have a name.
std::string Matrix::OfNamed(const Elements& elements) {
  const char* const name = grammar_->Pick({"t", "x", "it"});
  const Elements named = {name, elements.shape, elements.kind};
  grammar_->Push(name, shapes_->SequenceOf(elements.shape), Kind::kSequence);
  std::string body = Surrounded(Consumed(named), Consumed(named));
  if (grammar_->Chance(30)) body = Surrounded(body, Consumed(named));
  grammar_->Pop(1);
  const std::string text = grammar_->WithName(name, elements.text, Kind::kAny, body);
  return grammar_->Chance(50) ? text : Surrounded(text, text);
}

std::string Matrix::Next(const World& world) {
  Elements elements = Producer(world, static_cast<int>(dice_->Roll(4)));
  if (grammar_->Chance(kNamed)) return OfNamed(elements);
  const std::string first = Consumed(elements);
  return Surrounded(first, Consumed(elements));
}

}  // namespace hcl::testing_support
