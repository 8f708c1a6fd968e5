#include "hclvm/tests/slow/net/grammar.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/operators.h"
#include "hclvm/hcl/ast.h"

namespace hcl::testing_support {
namespace {

constexpr int kBudget = 40;         // expressions of a program
constexpr uint32_t kErrors = 30;    // percent of programs with mistakes on purpose
constexpr uint32_t kAgain = 6;      // percent of the expressions
constexpr uint32_t kSamePath = 30;  // and of the paths
constexpr size_t kLongestSaid = 60;
constexpr uint32_t kMistake = 5;  // percent of the expressions of such a program

}  // namespace

// All in one pair of brackets, a name, a path, a call or a literal: operators around it cannot reach into it.
std::string Bracketed(const std::string& text) {
  bool is_tight = !text.empty() && text[0] != '-' && text[0] != '!';
  int depth = 0;
  bool quoted = false;
  for (size_t n = 0; n < text.size() && is_tight; ++n) {
    const char c = text[n];
    if (quoted) {
      if (c == '\\') ++n;
      if (c == '"') quoted = false;
      // An interpolation may have quotes of its own.
      if (c == '$' || c == '%') is_tight = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && c == ' ') is_tight = false;
  }
  return is_tight ? text : absl::StrCat("(", text, ")");
}

void Grammar::Begin(const World& world) {
  world_ = &world;
  locals_.clear();
  said_.clear();
  errors_ = Chance(kErrors);
  budget_ = kBudget;
  focus_.clear();
  if (world.variables.empty()) return;
  const WorldVariable& variable = dice_->Pick(world.variables);
  focus_ = variable.name + dice_->Pick(shapes_->PlacesIn(variable.shape)).steps;
}

Want Grammar::AnyWant() {
  static constexpr Kind kWanted[] = {Kind::kBool,   Kind::kBool,     Kind::kBool,     Kind::kString, Kind::kString,
                                     Kind::kNumber, Kind::kSequence, Kind::kSequence, Kind::kMapping};
  static constexpr Kind kElements[] = {Kind::kAny, Kind::kNumber, Kind::kString, Kind::kString, Kind::kBool};
  const Kind kind = kWanted[dice_->Roll(9)];
  return {kind, kElements[dice_->Roll(5)]};
}

std::string Grammar::Operand(Want want, int depth) { return Bracketed(Expr(want, depth)); }

uint32_t Grammar::Weight(ExprKind kind) const {
  uint32_t all = 0;
  for (uint32_t n = 0; n <= static_cast<uint32_t>(ExprKind::kError); ++n) {
    all += corpus_->Count(static_cast<ExprKind>(n));
  }
  return 15 + 1000 * corpus_->Count(kind) / std::max(all, 1u);
}

std::vector<Grammar::Weighted> Grammar::FormsOf(Kind kind) const {
  std::vector<Weighted> forms = {
      {Form::kPath, Weight(ExprKind::kTraversal) + Weight(ExprKind::kVariable)},
      {Form::kConditional, Weight(ExprKind::kConditional)},
      {Form::kCall, Weight(ExprKind::kCall)},
      {Form::kAttempt, Weight(ExprKind::kCall) / 2},
      {Form::kPart, Weight(ExprKind::kIndex)},
      {Form::kNamed, Weight(ExprKind::kFor) / 2},
  };
  // Texts and numbers are what paths are compared with; other literals are rare.
  const bool is_compared = kind == Kind::kNumber || kind == Kind::kString;
  forms.push_back(
      {Form::kLiteral, (Weight(ExprKind::kLiteral) + Weight(ExprKind::kTemplateText)) / (is_compared ? 2 : 10)});
  const uint32_t binary = Weight(ExprKind::kBinary);
  if (kind == Kind::kNumber) {
    forms.push_back({Form::kArithmetic, binary});
    forms.push_back({Form::kUnary, Weight(ExprKind::kUnary) / 2});
  } else if (kind == Kind::kBool) {
    forms.push_back({Form::kComparison, binary});
    forms.push_back({Form::kLogic, binary});
    forms.push_back({Form::kUnary, Weight(ExprKind::kUnary)});
  } else if (kind == Kind::kString) {
    forms.push_back({Form::kTemplate, Weight(ExprKind::kTemplate)});
  } else if (kind == Kind::kSequence) {
    forms.push_back({Form::kTuple, Weight(ExprKind::kTuple)});
    forms.push_back({Form::kFor, 3 * Weight(ExprKind::kFor)});
    forms.push_back({Form::kSplat, Weight(ExprKind::kSplat)});
  } else if (kind == Kind::kMapping) {
    forms.push_back({Form::kObject, Weight(ExprKind::kObject)});
    forms.push_back({Form::kFor, Weight(ExprKind::kFor)});
  }
  return forms;
}

std::string Grammar::Program(int depth) {
  const Want want = AnyWant();
  std::vector<Weighted> forms = FormsOf(want.kind);
  const bool is_leaf = Chance(4);
  for (Weighted& form : forms) {
    if ((form.form == Form::kPath || form.form == Form::kLiteral) && !is_leaf) form.weight = 0;
  }
  return Make(Choose(forms), want, depth - 1);
}

Grammar::Form Grammar::Choose(const std::vector<Weighted>& forms) {
  uint32_t all = 0;
  for (const Weighted& form : forms) all += form.weight;
  if (all == 0) return Form::kPath;
  uint32_t at = dice_->Roll(all);
  for (const Weighted& form : forms) {
    if (at < form.weight) return form.form;
    at -= form.weight;
  }
  return Form::kPath;
}

std::string Grammar::Expr(Want want, int depth) {
  --budget_;
  if (errors_ && Chance(kMistake)) want = AnyWant();
  if (errors_ && Chance(1)) return Pick({"nosuch", "nosuch.a", "nosuch()", "null", "[][0]", "{}.a"});
  if (want.kind == Kind::kAny) want = AnyWant();
  if (depth <= 0 || budget_ < 0) return Chance(88) ? Path(want.kind) : Literal(want.kind);
  if (Chance(kAgain)) {
    std::string again = SaidBefore(want.kind);
    if (!again.empty()) return again;
  }
  std::string text = Make(Choose(FormsOf(want.kind)), want, depth - 1);
  Remember(want.kind, text);
  return text;
}

std::string Grammar::SaidBefore(Kind kind) {
  std::vector<const std::string*> fitting;
  for (const auto& [own, text] : said_) {
    if (own == kind || kind == Kind::kAny) fitting.push_back(&text);
  }
  return fitting.empty() ? "" : *dice_->Pick(fitting);
}

void Grammar::Remember(Kind kind, const std::string& text) {
  if (text.size() <= kLongestSaid) said_.emplace_back(kind, text);
}

std::string Grammar::Make(Form form, Want want, int depth) {
  switch (form) {
    case Form::kPath:
      return Path(want.kind);
    case Form::kLiteral:
      return Literal(want.kind);
    case Form::kUnary:
      return (want.kind == Kind::kBool ? "!" : "-") + Operand({want.kind}, depth);
    case Form::kArithmetic:
    case Form::kComparison:
    case Form::kLogic:
      return Binary(form, depth);
    case Form::kConditional:
      return Conditional(want, depth);
    case Form::kCall:
      return Call(want, depth);
    case Form::kAttempt: {
      if (want.kind == Kind::kBool && Chance(50)) return absl::StrCat("can(", Expr(AnyWant(), depth), ")");
      const std::string first = Expr(want, depth);
      return absl::StrCat("try(", first, ", ", Expr(want, depth - 1), ")");
    }
    case Form::kPart:
      return Part(want, depth);
    case Form::kTemplate:
      return Template(depth);
    case Form::kTuple:
      return Tuple(want, depth);
    case Form::kObject:
      return Object(want, depth);
    case Form::kFor:
      return For(want, depth);
    case Form::kSplat:
      return Splat(depth);
    case Form::kNamed:
      return Named(want, depth);
  }
  return Path(want.kind);
}

// One of these operators, as often as policies have it.
std::string Grammar::Operator(bool (*is)(BinaryOp)) const {
  uint32_t all = 0;
  for (const BinaryOp op : kBinaryOps) all += is(op) ? corpus_->Count(op) + 8 : 0;
  uint32_t at = dice_->Roll(all);
  for (const BinaryOp op : kBinaryOps) {
    if (!is(op)) continue;
    if (at < corpus_->Count(op) + 8) return std::string(SpellingOf(op));
    at -= corpus_->Count(op) + 8;
  }
  return "+";
}

// A condition behind a test that what it reads is there, or within bounds.
std::string Grammar::Guarded(int depth) {
  const Want want = AnyWant();
  const std::string path = Path(want.kind);
  Remember(want.kind, path);  // mostly read by the condition
  return absl::StrReplaceAll(
      Pick({"$ != null && #", "$ == null || #", "can($) && #", "!can($) || #", "$ == null ? false : #",
            "$ != null ? # : true", "try($, null) != null && #", "try($ != null && #, false)",
            "try(#, false) && $ != null", "length($) > 0 && #", "try(length($), 0) == 0 || #", "$ >= 1 && $ < 10 && #",
            "$ == null || $ == \"\" || #", "contains([true, false], $ == null) && #", "!($ != null) || #"}),
      {{"$", Bracketed(path)}, {"#", Operand({Kind::kBool}, depth)}});
}

std::string Grammar::Binary(Form form, int depth) {
  Want operand = {Kind::kNumber};
  std::string op;
  if (form == Form::kLogic && Chance(20)) return Guarded(depth);
  if (form == Form::kArithmetic) {
    op = Operator(IsArithmetic);
  } else if (form == Form::kLogic) {
    op = Operator(IsLogical);
    operand = {Kind::kBool};
  } else if (Chance(65)) {
    op = Operator(IsEquality);
    operand = Chance(40) ? Want{Kind::kString} : AnyWant();
    if (Chance(12)) {
      const std::string left = Operand(operand, depth);
      return Chance(50) ? absl::StrCat(left, " ", op, " null") : absl::StrCat("null ", op, " ", left);
    }
  } else {
    op = Operator(IsComparison);
  }
  std::string text = Operand(operand, depth);
  const int more = Chance(25) ? 2 : 1;
  const bool is_chain = form != Form::kComparison;
  for (int n = 0; n < (is_chain ? more : 1); ++n) {
    absl::StrAppend(&text, " ", op, " ", Operand(operand, depth - n));
  }
  return text;
}

// Often a row of cases.
std::string Grammar::Conditional(Want want, int depth) {
  const std::string condition = Operand({Kind::kBool}, depth);
  const std::string if_true = Operand(want, depth);
  const bool goes_on = depth > 0 && budget_ > 0 && Chance(35);
  return absl::StrCat(condition, " ? ", if_true, " : ", goes_on ? Conditional(want, depth - 1) : Operand(want, depth));
}

std::string Grammar::Argument(const Signature::Argument& argument, int depth) {
  if (errors_ && Chance(8)) return Expr(AnyWant(), depth);
  if (argument.is_special && argument.want.kind == Kind::kString && Chance(25)) return Respelled(argument.text);
  if (Chance(argument.is_special ? 70 : 15)) return argument.text;
  return Expr(argument.want, depth);
}

std::string Grammar::Respelled(std::string text) {
  static constexpr char kSigns[] = "abcdefghijklmnopqrstuvwxyzAEHMTYZ0123456789.,:;-+*^|[]()/%_ ";
  if (text.size() < 3 || text[0] != '"' || text.find('\\') != std::string::npos) return text;
  const size_t at = 1 + dice_->Roll(static_cast<uint32_t>(text.size() - 2));
  const char sign = kSigns[dice_->Roll(sizeof(kSigns) - 1)];
  // Not within a letter of several bytes.
  if (static_cast<unsigned char>(text[at]) < 0x80) text[at] = sign;
  return text;
}

std::string Grammar::Call(Want want, int depth) {
  const std::vector<uint32_t>& giving = signatures_.Giving(want.kind);
  if (giving.empty()) return Path(want.kind);
  const KnownFunction& function = signatures_.functions()[dice_->Pick(giving)];
  std::vector<const Signature*> fitting;
  for (const Signature& signature : function.signatures) {
    if (signature.result.kind == want.kind) fitting.push_back(&signature);
  }
  std::string text = function.name + "(";
  if (fitting.empty() || (errors_ && Chance(10))) {
    const auto count = function.least + dice_->Roll(static_cast<uint32_t>(function.most - function.least + 1));
    for (size_t n = 0; n < count; ++n) absl::StrAppend(&text, n == 0 ? "" : ", ", Expr(AnyWant(), depth));
    return text + ")";
  }
  const Signature& signature = *dice_->Pick(fitting);
  for (size_t n = 0; n < signature.arguments.size(); ++n) {
    absl::StrAppend(&text, n == 0 ? "" : ", ", Argument(signature.arguments[n], depth));
  }
  if (!signature.arguments.empty() && Chance(3)) text += "...";
  return text + ")";
}

// Other spellings of the same steps, and now and then other steps.
std::string Grammar::Spelled(std::string steps) {
  if (Chance(6)) {
    if (const size_t dot = steps.rfind('.'); dot != std::string::npos && steps.find('[', dot) == std::string::npos) {
      steps = absl::StrCat(steps.substr(0, dot), "[\"", steps.substr(dot + 1), "\"]");
    }
  }
  if (absl::StrContains(steps, "[0]") && Chance(30)) {
    steps = absl::StrReplaceAll(steps, {{"[0]", Pick({"[1]", "[2]", "[7]", ".0", "[\"0\"]", "[0 + 1]"})}});
  }
  if (errors_ && Chance(4)) steps += Pick({".nosuch", "[9]", "[\"x\"]", ".a", "[null]"});
  return steps;
}

std::string Grammar::PathOf(const std::string& root, uint32_t shape, Kind kind) {
  std::vector<const Shapes::Place*> places, near;
  for (const Shapes::Place& place : shapes_->PlacesIn(shape)) {
    const Kind own = shapes_->at(place.shape).kind;
    if (kind != Kind::kAny && own != kind && own != Kind::kAny) continue;
    places.push_back(&place);
    if (absl::StartsWith(root + place.steps, focus_)) near.push_back(&place);
  }
  if (places.empty()) return "";
  const Shapes::Place& place = !near.empty() && Chance(60) ? *dice_->Pick(near) : *dice_->Pick(places);
  return root + Spelled(place.steps);
}

std::string Grammar::Path(Kind kind) {
  if (Chance(kSamePath)) {
    std::string again = SaidBefore(kind);
    if (!again.empty()) return Bracketed(again);
  }
  std::string path = NewPath(kind);
  Remember(kind, path);
  return path;
}

std::string Grammar::NewPath(Kind kind) {
  if (!locals_.empty() && Chance(60)) {
    const Local& local = dice_->Pick(locals_);
    if (local.shape == Shapes::kAnyShape) {
      if (local.kind == kind || local.kind == Kind::kAny || Chance(10)) return local.name;
    } else {
      std::string path = PathOf(local.name, local.shape, kind);
      if (!path.empty()) return path;
    }
  }
  for (int n = 0; n < 6 && !world_->variables.empty(); ++n) {
    const WorldVariable& variable = dice_->Pick(world_->variables);
    const bool is_near = absl::StartsWith(focus_, variable.name);
    if (n < 3 && !is_near && Chance(50)) continue;
    std::string path = PathOf(variable.name, variable.shape, kind);
    if (!path.empty()) return path;
  }
  if (kind != Kind::kBool || world_->strings.empty()) return Literal(kind);
  // A policy without bools compares.
  const std::string left = Path(Kind::kString);
  return absl::StrCat(left, Chance(80) ? " == " : " != ", Literal(Kind::kString));
}

std::string Grammar::Literal(Kind kind) {
  switch (kind) {
    case Kind::kNumber:
      if (!world_->numbers.empty() && Chance(50)) return dice_->Pick(world_->numbers);
      return Pick({"0", "1", "1", "2", "3", "10", "0.5", "2.50", "1e3", "-1", "100000000000000000000", "0.1", "-0.5",
                   "9007199254740993", "1e-30", "1e300", "0.30000000000000004"});
    case Kind::kString:
      if (!world_->strings.empty() && Chance(80)) return dice_->Pick(world_->strings);
      return Pick({"\"\"", "\"a\"", "\"12\"", "\"true\"", "\"a/b-c.d\"", "\"\\u00e9\"", "\"x y\"", "\"^a\"",
                   "\"[a-z]+\"", "\"e\\u0301\"", "\"a.b\"", "\"null\"", "\" a\"", "\"1.0\"",
                   "\"2024-02-29T12:00:00Z\""});
    case Kind::kBool:
      return Pick({"true", "false"});
    case Kind::kSequence:
      if (world_->strings.size() > 1 && Chance(50)) {
        // What something is one of.
        std::string text = absl::StrCat("[", dice_->Pick(world_->strings));
        for (uint32_t n = dice_->Roll(5); n > 0; --n) absl::StrAppend(&text, ", ", dice_->Pick(world_->strings));
        return text + "]";
      }
      return Pick({"[]", "[1, 2]", "[\"a\", \"b\"]", "[true]", "[null, 1]", "[{a = 1}]"});
    case Kind::kMapping:
      if (world_->strings.size() > 1 && Chance(40)) {
        // A table by what something is.
        const Kind kind = Chance(50) ? Kind::kNumber : Kind::kString;
        std::string text = absl::StrCat("{", dice_->Pick(world_->strings), " = ", Literal(kind));
        for (uint32_t n = dice_->Roll(5); n > 0; --n) {
          absl::StrAppend(&text, ", ", dice_->Pick(world_->strings), " = ", Literal(kind));
        }
        return text + "}";
      }
      return Pick({"{}", "{a = 1}", "{a = \"x\", b = \"y\"}", "{a = null}"});
    case Kind::kAny:
      break;
  }
  return Pick({"null", "1", "\"a\"", "true", "[]"});
}

}  // namespace hcl::testing_support
