// TextReads: a walk with an explicit stack, on which the names that a loop defines come and go. Tested by
// tests/reads_test.cc.

#include "hclvm/module/text_reads.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "hclvm/base/unicode.h"
#include "hclvm/hcl/walk.h"

namespace hcl::internal {
namespace {

std::string NameOf(std::string_view text) { return IsKnownNfc(text) ? std::string(text) : ToNfc(text); }

const Expr& Unwrap(const Expr& expr) {
  const Expr* inner = &expr;
  while (inner->kind == ExprKind::kParen || inner->kind == ExprKind::kTemplateWrap) {
    inner = inner->kind == ExprKind::kParen ? As<ParenExpr>(*inner).inner : As<TemplateWrapExpr>(*inner).inner;
  }
  return *inner;
}

// The text of a key without interpolations.
std::optional<std::string> TextOf(const Expr& key) {
  const Expr& inner = Unwrap(key);
  if (inner.kind != ExprKind::kTemplate) return std::nullopt;
  std::string text;
  for (const Expr* part : As<TemplateExpr>(inner).parts) {
    if (part->kind != ExprKind::kTemplateText) return std::nullopt;
    text.append(As<TemplateTextExpr>(*part).text);
  }
  return NameOf(text);
}

}  // namespace

// Goes over one expression. `names` are what it may read by their names, as paths in `paths`.
class TextReads::Walk {
 public:
  Walk(TextReads* reads, ReadPaths* paths, const HashMap<std::string, uint32_t>* names, bool has_locals)
      : reads_(*reads), paths_(*paths), names_(*names), has_locals_(has_locals) {}

  // Entering and leaving a scope are tasks among the others, in the order of the text: so the names that are hidden at
  // a node are those on the stack when its turn comes.
  Set Run(const Expr& expr) {
    Push(&expr);
    while (!tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.pop_back();
      if (task.expr != nullptr) {
        Visit(*task.expr);
      } else if (task.enters) {
        hidden_.insert(hidden_.end(), {task.key_name, task.value_name});
      } else {
        hidden_.resize(hidden_.size() - 2);
      }
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

  // What the expression stands for, if it is a path and nothing else.
  std::optional<Target> Resolve(const Expr& expr) {
    Chain chain;
    const std::optional<Target> target = Follow(expr, &chain);
    return chain.keys.empty() ? target : std::nullopt;
  }

 private:
  struct Task {
    const Expr* expr = nullptr;  // null: a scope begins or ends
    bool enters = false;
    std::string_view key_name;
    std::string_view value_name;
  };
  // The steps of a chain of attributes and indexes from its root on.
  struct Chain {
    const Expr* root = nullptr;
    std::vector<std::optional<std::string>> steps;  // none: a key that is no text
    std::vector<const Expr*> keys;                  // that are calculated
  };

  void Push(const Expr* expr) {
    if (expr == nullptr) return;
    Task task;
    task.expr = expr;
    tasks_.push_back(task);
  }

  void Visit(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kVariable:
      case ExprKind::kTraversal:
      case ExprKind::kIndex:
      case ExprKind::kParen:
      case ExprKind::kTemplateWrap:
        return VisitChain(expr);
      case ExprKind::kCall:
        return VisitCall(As<CallExpr>(expr));
      case ExprKind::kFor: {
        const auto& node = As<ForExpr>(expr);
        return VisitLoop(node.key_name, node.value_name, node.collection, {node.key, node.value, node.condition});
      }
      case ExprKind::kTemplateFor: {
        const auto& node = As<TemplateForExpr>(expr);
        return VisitLoop(node.key_name, node.value_name, node.collection, {node.body});
      }
      default:
        return ForEachChild(expr, [this](const Expr* child) { Push(child); });
    }
  }

  // The collection stands outside of the scope of the loop.
  void VisitLoop(std::string_view key_name, std::string_view value_name, const Expr* collection,
                 std::initializer_list<const Expr*> inside) {
    Task task;
    task.key_name = key_name;
    task.value_name = value_name;
    tasks_.push_back(task);
    for (const Expr* expr : inside) Push(expr);
    task.enters = true;
    tasks_.push_back(task);
    Push(collection);
  }

  void VisitChain(const Expr& expr) {
    Chain chain;
    if (const std::optional<Target> target = Follow(expr, &chain)) {
      found_.push_back(target->path);
    } else if (chain.root->kind != ExprKind::kVariable) {
      Push(chain.root);
    }
    for (const Expr* key : chain.keys) Push(key);
  }

  // Goes down to what the chain begins with, and back up from there.
  std::optional<Target> Follow(const Expr& expr, Chain* chain) {
    const Expr* at = &Unwrap(expr);
    while (at->kind == ExprKind::kTraversal || at->kind == ExprKind::kIndex) {
      at->kind == ExprKind::kTraversal ? AddSteps(As<TraversalExpr>(*at), chain)
                                       : AddKey(*As<IndexExpr>(*at).key, chain);
      at = &Unwrap(at->kind == ExprKind::kTraversal ? *As<TraversalExpr>(*at).source : *As<IndexExpr>(*at).collection);
    }
    std::reverse(chain->steps.begin(), chain->steps.end());
    chain->root = at;
    if (at->kind != ExprKind::kVariable) return std::nullopt;
    const std::string_view root = As<VariableExpr>(*at).name;
    if (std::find(hidden_.begin(), hidden_.end(), root) != hidden_.end()) return std::nullopt;
    size_t done = 0;
    std::optional<Target> target = FindRoot(root, *chain, &done);
    for (size_t n = done; target && n < chain->steps.size(); ++n) Step(chain->steps[n], &*target);
    return target;
  }

  void AddSteps(const TraversalExpr& traversal, Chain* chain) {
    for (size_t n = traversal.steps.size(); n-- > 0;) {
      const TraversalStep& step = traversal.steps[n];
      const bool is_text =
          step.kind == TraversalStep::Kind::kAttribute || step.kind == TraversalStep::Kind::kIndexString;
      chain->steps.push_back(is_text ? std::make_optional(NameOf(step.text)) : std::nullopt);
    }
  }

  void AddKey(const Expr& key, Chain* chain) {
    chain->steps.push_back(TextOf(key));
    if (!chain->steps.back()) chain->keys.push_back(&key);
  }

  // A local whose value is no path is read here, and leads nowhere. Sets *done to the number of steps that belong to
  // the name.
  std::optional<Target> FindRoot(std::string_view root, const Chain& chain, size_t* done) {
    const bool has_prefix = has_locals_ && (root == "local" || root == "var");
    if (has_prefix && (chain.steps.empty() || !chain.steps[0])) return std::nullopt;
    const std::string name = has_prefix ? *chain.steps[0] : NameOf(root);
    *done = has_prefix ? 1 : 0;
    if (!has_prefix || root == "var") {
      const auto found = names_.find(name);
      if (found == names_.end()) return std::nullopt;
      return Target{found->second, false};
    }
    const auto found = reads_.locals_.find(name);
    if (found == reads_.locals_.end()) return std::nullopt;
    const Local& local = found->second;
    if (local.path) return local.path;
    if (!reads_.is_full() && seen_.insert(&local).second) {
      found_.insert(found_.end(), local.reads.begin(), local.reads.end());
      reads_.total_ += local.reads.size();
    }
    return std::nullopt;
  }

  void Step(const std::optional<std::string>& name, Target* target) {
    if (target->has_ended) return;
    const std::optional<uint32_t> next = name ? paths_.Step(target->path, *name) : std::nullopt;
    next ? void(target->path = *next) : void(target->has_ended = true);
  }

  // The second argument of convert() is a type, whose words are no variables.
  void VisitCall(const CallExpr& call) {
    const auto found = reads_.called_.find(std::string(call.name));
    size_t count = call.arguments.size();
    if (found != reads_.called_.end()) {
      const Called& called = found->second;
      for (size_t n = 0; n < count; ++n) {
        const bool is_spread = call.expand_last && n + 1 == count;
        const bool is_path =
            n < called.parameters.size() && !is_spread && PassPath(*call.arguments[n], called.parameters[n]);
        if (!is_path) Push(call.arguments[n]);
      }
      return;
    }
    const Function* const host =
        reads_.functions_of_host_ == nullptr ? nullptr : reads_.functions_of_host_->Find(call.name);
    if (host != nullptr && host->special == Function::Special::kConvert) count = std::min<size_t>(count, 1);
    for (size_t n = 0; n < count; ++n) Push(call.arguments[n]);
  }

  // An argument that is a path is read as far as the parameter is. False where it is none.
  bool PassPath(const Expr& argument, const std::vector<ReadPaths::Steps>& reads) {
    Chain chain;
    const std::optional<Target> target = Follow(argument, &chain);
    if (!target || target->has_ended) return false;
    if (reads.empty()) found_.push_back(paths_.WithoutParts(target->path));
    for (const ReadPaths::Steps& steps : reads) {
      Target part = *target;
      for (const std::string_view name : steps.names) Step(std::string(name), &part);
      const bool has_parts = part.has_ended || !steps.is_without_parts;
      found_.push_back(has_parts ? part.path : paths_.WithoutParts(part.path));
    }
    reads_.total_ += reads.size();
    return true;
  }

  TextReads& reads_;
  ReadPaths& paths_;
  const HashMap<std::string, uint32_t>& names_;
  const bool has_locals_;
  std::vector<Task> tasks_;
  std::vector<std::string_view> hidden_;
  HashSet<const Local*> seen_;
  Set found_;
};

void TextReads::AddVariable(const std::string& name, Type type) { variables_.emplace(name, paths_.AddVariable(type)); }

void TextReads::AddFunction(const Function& function, const Expr& result) {
  auto paths = std::make_unique<ReadPaths>();
  HashMap<std::string, uint32_t> names;
  for (const Parameter& parameter : function.parameters) {
    names.emplace(parameter.name, paths->AddVariable(Type::Dynamic()));
  }
  if (function.variadic) names.emplace(function.variadic->name, paths->AddVariable(Type::Dynamic()));
  const Set found = Walk(this, paths.get(), &names, /*has_locals=*/false).Run(result);
  Called called;
  called.parameters.resize(function.parameters.size());
  if (found.size() > kMaxPaths) {
    for (auto& parameter : called.parameters) parameter.emplace_back();
  } else {
    for (const uint32_t path : found) {
      const uint32_t parameter = paths->VariableOf(path);
      if (parameter < called.parameters.size()) called.parameters[parameter].push_back(paths->StepsOf(path));
    }
  }
  called.paths = std::move(paths);
  called_.emplace(function.name, std::move(called));
}

TextReads::Set TextReads::AddLocal(const std::string& name, const Expr& value) {
  Local local;
  Walk walk(this, &paths_, &variables_, /*has_locals=*/true);
  local.path = walk.Resolve(value);
  local.reads = Of(value);
  return locals_.emplace(name, std::move(local)).first->second.reads;
}

TextReads::Set TextReads::Of(const Expr& expr) {
  Set found = Walk(this, &paths_, &variables_, /*has_locals=*/true).Run(expr);
  total_ += found.size();
  return found;
}

}  // namespace hcl::internal
