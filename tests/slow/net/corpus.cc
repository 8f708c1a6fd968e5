#include "hclvm/tests/slow/net/corpus.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/breadth/scopes.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/print.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"

namespace hcl::testing_support {
namespace {

constexpr int kScopesOfBreadth = 8;
constexpr size_t kMostScopes = 8;
constexpr size_t kLongestExpression = 4000;
constexpr size_t kLongestFragment = 400;
constexpr size_t kLongestString = 24;
constexpr int kDeepestLocal = 4;

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) Die(absl::StrCat("there is no ", path));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(ReadFile(path));
  for (std::string line; std::getline(text, line) && lines.size() < kMostScopes;) lines.push_back(line);
  return lines;
}

std::vector<std::string> SortedFolders(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) names.push_back(entry.path().string());
  if (error || names.empty()) Die(absl::StrCat("there is nothing in ", path));
  std::sort(names.begin(), names.end());
  return names;
}

// What an evaluation gives for each node.
class Kinds : public TreeEvaluator::Observer {
 public:
  void Enter(const Expr&) override {}
  void Leave(const Expr& expr, const Outcome& outcome) override {
    if (!outcome.ok() || outcome.value->is_null()) return;
    const Want want = WantOf(*outcome.value);
    auto [at, is_new] = wants_.try_emplace(&expr, want);
    if (is_new) return;
    if (at->second.kind != want.kind) at->second = {};
    if (at->second.element == Kind::kAny) at->second.element = want.element;
  }
  Want Of(const Expr& expr) const {
    const auto at = wants_.find(&expr);
    return at == wants_.end() ? Want() : at->second;
  }

 private:
  std::unordered_map<const Expr*, Want> wants_;
};

}  // namespace

// Adds one policy.
class Corpus::Reader {
 public:
  Reader(Corpus* corpus, World* world)
      : corpus_(corpus), world_(world), functions_(StandardFunctions()), evaluator_(*functions_, &heap_) {}

  void AddScope(const std::string& line) {
    JsonReader reader;
    Value scope;
    JsonError error;
    if (!reader.Read(line, &corpus_->heap_, &scope, &error) || !scope.is_object()) Die(world_->name + ": no scope");
    AddScope(scope);
  }
  void AddScope(const Value& scope) {
    world_->scopes.push_back(scope);
    shape_ = corpus_->shapes_.Merge(shape_, corpus_->shapes_.Of(scope));
    AddStrings(scope);
  }

  // After all scopes.
  void TakeVariables() {
    for (const Shapes::Field& field : corpus_->shapes_.at(shape_).fields) {
      world_->variables.push_back({field.name, field.shape});
    }
  }

  void AddConfig(const std::string& text) {
    const Source source("policy", text);
    Diagnostics diagnostics;
    const std::unique_ptr<ParsedFile> file = ParseConfig(source, {}, &diagnostics);
    if (!diagnostics.empty()) Die(world_->name + ": " + ToText(diagnostics, &source));
    TakeLocals(*file->body);
    AddBody(*file->body);
  }

  void AddExpression(std::string text) {
    for (int depth = 0; depth < kDeepestLocal; ++depth) text = WithoutLocals(text);
    const Source source("policy", text);
    Diagnostics diagnostics;
    const std::unique_ptr<ParsedFile> file = ParseExpression(source, {}, &diagnostics);
    if (!diagnostics.empty() || text.size() > kLongestExpression || CallsOthers(*file->expr)) return;
    Kinds kinds;
    evaluator_.set_observer(&kinds);
    for (const Value& scope : world_->scopes) {
      heap_.Reset();
      evaluator_.Evaluate(*file->expr, scope);
    }
    evaluator_.set_observer(nullptr);
    kinds_ = &kinds;
    Walk(*file->expr);
  }

 private:
  struct LoopAround {
    std::vector<std::string> names;
    std::string head;  // empty: the collection reads names of loops
  };

  void TakeLocals(const Body& body) {
    for (const Block& block : body.blocks) {
      if (block.type != "locals") continue;
      for (const Attribute& attribute : block.body->attributes) {
        locals_[std::string(attribute.name)] = PrintExpr(*attribute.expr);
      }
    }
  }

  void AddBody(const Body& body) {
    for (const Attribute& attribute : body.attributes) AddExpression(PrintExpr(*attribute.expr));
    for (const Block& block : body.blocks) {
      if (block.type != "function" && block.type != "variable") AddBody(*block.body);
    }
  }

  std::string WithoutLocals(const std::string& text) const {
    std::string result = text;
    for (const auto& [name, value] : locals_) {
      const std::string path = "local." + name;
      for (size_t at = result.find(path); at != std::string::npos; at = result.find(path, at + 1)) {
        const size_t end = at + path.size();
        if (end < result.size() && (std::isalnum(static_cast<unsigned char>(result[end])) || result[end] == '_')) {
          continue;
        }
        if (result.size() > kLongestExpression) return result;
        result.replace(at, path.size(), "(" + value + ")");
      }
    }
    return result;
  }

  bool CallsOthers(const Expr& expr) const {
    if (expr.kind == ExprKind::kCall && functions_->Find(As<CallExpr>(expr).name) == nullptr) return true;
    bool calls = false;
    internal::ForEachChild(expr, [&](const Expr* child) { calls = calls || CallsOthers(*child); });
    return calls;
  }

  void AddStrings(const Value& value) {
    if (value.is_string()) AddString(std::string(value.AsString()));
    if (value.is_mapping()) {
      for (size_t n = 0; n < value.size(); ++n) AddString(std::string(value.shape().keys[n].AsString()));
    }
    if (!value.is_sequence() && !value.is_mapping()) return;
    for (const Value& part : value.is_sequence() ? value.elements() : value.values()) AddStrings(part);
  }

  void AddString(const std::string& text) {
    if (text.size() > kLongestString || text.find_first_of("\"\\\n$%") != std::string::npos) return;
    const std::string literal = absl::StrCat("\"", text, "\"");
    if (strings_.insert(literal).second) world_->strings.push_back(literal);
  }

  // Recursive: policies are shallow.
  void Walk(const Expr& expr) {
    Note(expr);
    AddFragment(expr);
    switch (expr.kind) {
      case ExprKind::kFor: {
        const auto& loop = As<ForExpr>(expr);
        Walk(*loop.collection);
        loops_.push_back(AroundOf(loop.key_name, loop.value_name, *loop.collection));
        for (const Expr* part : {loop.key, loop.value, loop.condition}) {
          if (part != nullptr) Walk(*part);
        }
        loops_.pop_back();
        return;
      }
      case ExprKind::kTemplateFor: {
        const auto& loop = As<TemplateForExpr>(expr);
        Walk(*loop.collection);
        loops_.push_back(AroundOf(loop.key_name, loop.value_name, *loop.collection));
        Walk(*loop.body);
        loops_.pop_back();
        return;
      }
      case ExprKind::kSplat:
        return Walk(*As<SplatExpr>(expr).source);
      default:
        internal::ForEachChild(expr, [this](const Expr* child) { Walk(*child); });
    }
  }

  void Note(const Expr& expr) {
    ++corpus_->kinds_[static_cast<size_t>(expr.kind)];
    if (expr.kind == ExprKind::kBinary) ++corpus_->operators_[static_cast<size_t>(As<BinaryExpr>(expr).op)];
    if (expr.kind == ExprKind::kCall) ++corpus_->calls_[std::string(As<CallExpr>(expr).name)];
    if (expr.kind == ExprKind::kLiteral && As<LiteralExpr>(expr).literal == LiteralKind::kNumber) {
      const std::string number(As<LiteralExpr>(expr).spelling);
      if (strings_.insert(number).second) world_->numbers.push_back(number);
    }
    const bool is_text = expr.kind == ExprKind::kTemplate && As<TemplateExpr>(expr).parts.size() == 1 &&
                         As<TemplateExpr>(expr).parts[0]->kind == ExprKind::kTemplateText;
    if (is_text) AddString(std::string(As<TemplateTextExpr>(*As<TemplateExpr>(expr).parts[0]).text));
  }

  LoopAround AroundOf(std::string_view key, std::string_view value, const Expr& collection) const {
    LoopAround around;
    if (!key.empty()) around.names.emplace_back(key);
    around.names.emplace_back(value);
    if (!NamesIn(collection).empty()) return around;
    around.head = absl::StrCat("for ", absl::StrJoin(around.names, ", "), " in ", PrintExpr(collection));
    return around;
  }

  // The names of loops around it that `expr` reads.
  std::vector<std::string> NamesIn(const Expr& expr) const {
    std::set<std::string> bound, read;
    for (const LoopAround& loop : loops_) bound.insert(loop.names.begin(), loop.names.end());
    const std::function<void(const Expr&)> walk = [&](const Expr& part) {
      if (part.kind == ExprKind::kVariable) {
        std::string name(As<VariableExpr>(part).name);
        if (bound.count(name) > 0) read.insert(std::move(name));
      }
      internal::ForEachChild(part, [&](const Expr* child) { walk(*child); });
    };
    walk(expr);
    return {read.begin(), read.end()};
  }

  void AddFragment(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kTemplateText:
      case ExprKind::kTemplateIf:
      case ExprKind::kTemplateFor:
      case ExprKind::kLiteral:
      case ExprKind::kParen:
        return;
      default:
        break;
    }
    Fragment fragment = {PrintExpr(expr), kinds_->Of(expr), NamesIn(expr), ""};
    if (fragment.text.size() > kLongestFragment && !world_->fragments.empty()) return;
    if (!loops_.empty()) fragment.loop_head = loops_.back().head;
    world_->fragments.push_back(std::move(fragment));
  }

  Corpus* corpus_;
  World* world_;
  std::shared_ptr<const FunctionRegistry> functions_;
  Heap heap_;
  TreeEvaluator evaluator_;
  uint32_t shape_ = Shapes::kAnyShape;
  std::map<std::string, std::string> locals_;
  std::set<std::string> strings_;
  const Kinds* kinds_ = nullptr;
  std::vector<LoopAround> loops_;
};

Corpus::Corpus() {
  for (size_t n = 0; n < std::size(bench::kBreadthScopes); ++n) {
    World world;
    world.name = absl::StrCat(n + 1 < 10 ? "B0" : "B", n + 1);
    Reader reader(this, &world);
    for (int scope = 0; scope < kScopesOfBreadth; ++scope) reader.AddScope(bench::kBreadthScopes[n](scope));
    reader.TakeVariables();
    const std::string config = absl::StrCat("bench/breadth/", world.name, ".config.hcl");
    if (std::filesystem::exists(config)) {
      reader.AddConfig(ReadFile(config));
    } else {
      reader.AddExpression(ReadFile(absl::StrCat("bench/breadth/", world.name, ".hcl")));
    }
    worlds_.push_back(std::move(world));
  }
  std::vector<std::string> folders = SortedFolders("examples/policies");
  folders.emplace_back("examples/access");
  for (const std::string& folder : folders) {
    const std::string policy = folder + "/policy.hcl";
    if (!std::filesystem::exists(policy)) continue;
    World world;
    world.name = folder;
    Reader reader(this, &world);
    for (const std::string& line : ReadLines(folder + "/requests.ndjson")) reader.AddScope(line);
    reader.TakeVariables();
    reader.AddConfig(ReadFile(policy));
    worlds_.push_back(std::move(world));
  }
}

World Corpus::WorldOf(const std::vector<Value>& scopes) {
  World world;
  Reader reader(this, &world);
  for (const Value& scope : scopes) reader.AddScope(scope);
  reader.TakeVariables();
  return world;
}

uint32_t Corpus::CountCalls(const std::string& function) const {
  const auto at = calls_.find(function);
  return at == calls_.end() ? 0 : at->second;
}

}  // namespace hcl::testing_support
