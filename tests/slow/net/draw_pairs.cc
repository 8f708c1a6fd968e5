// Draws pairs of programs that mean the same and should cost the same, for bench/spelling:
// draw_pairs [--seed=N] [--pairs=N | --each=N]. With --each, so many of each row of the table alone.
//
// Each line is a JSON object: `left`, `right`, `rows` (what the table of equivalences says, the inmost first), and
// `scopes`, over all of which both have the same known value. The seed, which is that of the clock unless one is given,
// goes to stderr. Used by bench/spelling.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/pairs.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/slow/rewrites.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPairs = 1'000;
constexpr int kTries = 500;  // for a row
constexpr size_t kScopes = 2;
constexpr size_t kLongest = 400;

class Drawer {
 public:
  // Two scopes in which both have the same value; nothing where there are none, and where they read no variables: a
  // constant costs nothing however it is spelled.
  std::vector<std::string> ScopesOf(const Pair& pair, const Sides& sides) {
    std::vector<std::string> scopes;
    const Parsed left(sides.left), right(sides.right);
    if (!left.ok() || !right.ok() || sides.left.size() + sides.right.size() > kLongest) return {};
    if (!Reads(*left.expr()) || !Reads(*right.expr())) return {};
    left_.Compile(left);
    right_.Compile(right);
    for (const Value& scope : pair.world->scopes) {
      const Outcome a = left_.Run(scope), b = right_.Run(scope);
      if (!a.ok() || !b.ok() || !Same(a, b)) continue;
      std::string json, reason;
      if (AppendJson(scope, &json, &reason)) scopes.push_back(std::move(json));
      if (scopes.size() == kScopes) return scopes;
    }
    return {};
  }

 private:
  static bool Reads(const Expr& expr) {
    if (expr.kind == ExprKind::kVariable) return true;
    bool reads = false;
    internal::ForEachChild(expr, [&](const Expr* child) { reads = reads || Reads(*child); });
    return reads;
  }

  FastSide left_{Dialect::kSpec, Code::kOptimized};
  FastSide right_{Dialect::kSpec, Code::kOptimized};
};

// A program that is no more than a path has a way of its own, which no expression in another has.
Sides Measured(const Pair& pair) {
  const Parsed left(pair.left()), right(pair.right());
  bool is_path = false;
  for (const Parsed* side : {&left, &right}) {
    if (!side->ok()) continue;
    const Expr* expr = side->expr();
    while (expr->kind == ExprKind::kParen) expr = As<ParenExpr>(*expr).inner;
    is_path = is_path || expr->kind == ExprKind::kVariable || expr->kind == ExprKind::kTraversal;
  }
  return is_path ? Sides{"[" + pair.left() + "]", "[" + pair.right() + "]"} : pair.levels.back();
}

std::string Quoted(const std::string& text) {
  std::string json, reason;
  AppendJson(Value::StringView(text), &json, &reason);
  return json;
}

class Writer {
 public:
  // False where it is no pair to measure.
  bool Write(const Pair& pair) {
    const Sides sides = Measured(pair);
    const std::vector<std::string> scopes = drawer_.ScopesOf(pair, sides);
    if (scopes.empty() || sides.left == sides.right) return false;
    const std::string rows = absl::StrJoin(pair.rows, ", then ", [](std::string* out, const Rewrite* row) {
      absl::StrAppend(out, row->left, " <-> ", row->right);
    });
    std::printf("{\"left\":%s,\"right\":%s,\"rows\":%s,\"scopes\":[%s]}\n", Quoted(sides.left).c_str(),
                Quoted(sides.right).c_str(), Quoted(rows).c_str(), absl::StrJoin(scopes, ",").c_str());
    return true;
  }

 private:
  Drawer drawer_;
};

void Draw(uint64_t seed, uint64_t count, uint64_t each) {
  Corpus corpus;
  const Signatures signatures(corpus);
  Pairs pairs(&corpus, signatures, /*same_cost=*/true, seed);
  Writer writer;
  if (each == 0) {
    while (count > 0) count -= writer.Write(pairs.Next()) ? 1 : 0;
    return;
  }
  for (size_t row = 0; row < pairs.row_count(); ++row) {
    uint64_t written = 0;
    for (int tries = 0; tries < kTries && written < each; ++tries) written += writer.Write(pairs.Alone(row)) ? 1 : 0;
  }
}

}  // namespace
}  // namespace hcl::testing_support

int main(int argc, char** argv) {
  using hcl::testing_support::ParseSeed;
  auto seed = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  uint64_t count = hcl::testing_support::kPairs;
  uint64_t each = 0;
  for (int n = 1; n < argc; ++n) {
    const std::string_view argument = argv[n];
    const size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const std::optional<uint64_t> number =
        equals == std::string_view::npos ? std::nullopt : ParseSeed(argument.substr(equals + 1));
    if (!number || (name != "--seed" && name != "--pairs" && name != "--each")) {
      std::fprintf(stderr, "usage: draw_pairs [--seed=N] [--pairs=N | --each=N]\n");
      return 2;
    }
    (name == "--seed" ? seed : name == "--each" ? each : count) = *number;
  }
  std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed));
  hcl::testing_support::Draw(seed, count, each);
}
