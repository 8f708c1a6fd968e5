// Random expressions: how forms become texts.
//
// All that is random is drawn in an order that the language fixes: one draw to a statement, and never two among the
// arguments of a call, which compilers evaluate in any order.

#include "hclvm/tests/slow/generator.h"

namespace hcl::testing_support {

uint32_t Generator::Below(uint32_t n) {
  // SplitMix64.
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<uint32_t>((z >> 32) * n >> 32);
}

// Forgets the program before.
void Generator::Begin() {
  locals_.clear();
  said_.clear();
  path_ = "u";
  budget_ = 120;
  errors_ = options_.errors && Chance(60);
}

std::string Generator::Next() {
  Begin();
  if (Chance(1)) return Wide();
  if (Chance(1)) return Chain();
  const auto levels = static_cast<uint32_t>(options_.max_depth);
  return Any(options_.max_depth - static_cast<int>(Below(levels)));
}

Generator::Kind Generator::ElementKind() {
  static constexpr Kind kKinds[] = {Kind::kNumber, Kind::kString, Kind::kString, Kind::kBool, Kind::kAny};
  return kKinds[Below(5)];
}

std::string Generator::Any(int depth) {
  const Kind kind = static_cast<Kind>(Below(5));
  const Kind element = ElementKind();
  return Expr({kind, element}, depth);
}

std::string Generator::LocalOf(Kind kind) {
  for (int attempt = 0; attempt < 2 && !locals_.empty(); ++attempt) {
    const Local& local = locals_[Below(static_cast<uint32_t>(locals_.size()))];
    if (local.kind == kind || local.kind == Kind::kAny || Chance(10)) return local.name;
  }
  return "";
}

// Templates are full of blanks but need no brackets.
std::string Generator::Bracketed(const std::string& text) {
  const bool has_operator = text.find(' ') != std::string::npos || text[0] == '-' || text[0] == '!';
  return has_operator ? "(" + text + ")" : text;
}

std::string Generator::Fill(std::string_view form, Want want, int depth) {
  const size_t outer = locals_.size();
  const size_t outer_loops = loops_.size();
  std::string text;
  for (size_t n = 0; n < form.size(); ++n) {
    if (form[n] == '@') {
      text += Placeholder(form[++n], want, depth);
    } else {
      text += form[n];
    }
  }
  locals_.resize(outer);
  loops_.resize(outer_loops);
  return text;
}

Generator::Want Generator::WantFor(char letter, Want want) {
  const bool has_elements = want.kind == Kind::kSequence || want.kind == Kind::kMapping;
  const Kind element = has_elements ? want.element : want.kind;
  switch (letter) {
    case 'n':
      return {Kind::kNumber};
    case 's':
      return {Kind::kString};
    case 'b':
      return {Kind::kBool};
    case 'l':
      return {Kind::kSequence, Kind::kNumber};
    case 't':
      return {Kind::kSequence, Kind::kString};
    case 'p':
      return {Kind::kSequence, Kind::kBool};
    case 'q':
      return {Kind::kSequence, element};
    case 'm':
      return {Kind::kMapping, element};
    case 'w':
      return want;
    case 'e':
      return {element, ElementKind()};
    default:
      return {Kind::kAny};
  }
}

std::string Generator::Placeholder(char letter, Want want, int depth) {
  switch (letter) {
    case 'f':
      return ForIntro(depth);
    case 'F':
      locals_.insert(locals_.end(), std::begin(loops_.back().variables), std::end(loops_.back().variables));
      return loops_.back().intro;
    case 'x':
      return locals_.back().name;
    case 'i':
      if (!Chance(40)) return "";
      return " if " + Expr({Kind::kBool}, depth);
    case '.':
      locals_.resize(locals_.size() - 2);
      return "";
    case 'v':
      path_ = Pick({"u",  "o",   "o",  "us[1]",  "ms",    "nullo", "nullo", "nul", "nulls", "nulll",
                    "ls", "tup", "mn", "u.tags", "us[0]", "nulln", "s",     "i",   "d",     "nosuch"});
      if (options_.unknowns && Chance(15)) path_ = Pick({"uo", "ou", "dyn", "um", "ul", "lu"});
      if (!locals_.empty() && Chance(40)) path_ = locals_.back().name;
      return path_;
    case 'V':
      return path_;
    case 'c':
    case 'C':
      return Bracketed(Leaf({static_cast<Kind>(Below(5)), Kind::kAny}));
    case 'd':
      return Pick({"0", "1", "2", "3"});
    case 'k':
      return Pick({"a", "a", "b", "one", "name", "age", "c"});
    case 'z':
      return Pick({"\"2024-05-01T12:00:00Z\"", "\"2024-05-01T12:00:00+02:00\"", "\"1999-12-31T23:59:59Z\"", "s"});
    case 'g':
      return Pick({"\"a\"", "\"h\"", "\"he\"", "\"\"", "\"hello\"", "\"two\"", "\"tr\"", "\"12\""});
    default:
      break;
  }
  const bool bracketed = letter >= 'A' && letter <= 'Z';
  const std::string text = Expr(WantFor(bracketed ? static_cast<char>(letter - 'A' + 'a') : letter, want), depth);
  return bracketed ? Bracketed(text) : text;
}

// "for k, v in c : ", and the names in scope, two of them always; "@." takes them away.
std::string Generator::ForIntro(int depth) {
  const Kind element = ElementKind();
  const bool mapping = Chance(35);
  const bool with_key = Chance(50);
  const std::string collection = Expr({mapping ? Kind::kMapping : Kind::kSequence, element}, depth);
  const std::string key = Pick({"k", "key", "x", "i"});
  const std::string value = Pick({"v", "v", "x", "s"});
  const Kind kind = with_key ? (mapping ? Kind::kString : Kind::kNumber) : element;
  loops_.push_back({"for " + (with_key ? key + ", " : "") + value + " in " + collection + " : ",
                    {{with_key ? key : value, kind}, {value, element}}});
  locals_.insert(locals_.end(), std::begin(loops_.back().variables), std::end(loops_.back().variables));
  return loops_.back().intro;
}

// Policies say things again, and a compiler makes them once.
std::string Generator::Expr(Want want, int depth) {
  if (Chance(7)) {
    std::string again = SaidBefore(want.kind);
    if (!again.empty()) return again;
  }
  std::string text = NewExpr(want, depth);
  Remember(text, want.kind);
  return text;
}

std::string Generator::SaidBefore(Kind kind) {
  if (said_.empty()) return "";
  const Said& said = said_[Below(static_cast<uint32_t>(said_.size()))];
  return said.kind == kind || Chance(10) ? said.text : "";
}

void Generator::Remember(const std::string& text, Kind kind) {
  constexpr size_t kMost = 12, kMostBytes = 200;
  const bool is_worthwhile = text.find('(') != std::string::npos || text.find("[for ") != std::string::npos;
  if (is_worthwhile && text.size() <= kMostBytes && said_.size() < kMost) said_.push_back({text, kind});
}

std::string Generator::NewExpr(Want want, int depth) {
  --budget_;
  if (errors_) {
    if (Chance(2)) return Pick({"nosuch", "u.nosuch", "nosuch()", "ls[9]", "o[\"zz\"]", "nosuch.a", "ms.zz", "5[0]"});
    if (Chance(4)) {
      want.kind = static_cast<Kind>(Below(5));
      want.element = ElementKind();
    }
  }
  if (want.kind == Kind::kAny) return Any(depth);
  if (depth <= 0 || budget_ < 0 || Chance(15)) return Leaf(want);
  if (Chance(20)) return Generic(want, depth - 1);
  return Form(want, depth - 1);
}

}  // namespace hcl::testing_support
