// DiffValues. Tested by workbench/value_diff_test.cc.

#include "hclvm/workbench/value_diff.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/path_text.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {
namespace {

using Kind = ValueDifference::Kind;

constexpr size_t kMaxTextBytes = 200;

class Differ {
 public:
  // `only_decides`: whether there is a difference, whatever it is. The first one is the last thing that is looked at,
  // so that lists in lists are not compared anew on each level.
  Differ(const DiffOptions& options, Heap* heap, bool only_decides = false)
      : options_(options), heap_(heap), only_decides_(only_decides) {}

  // What is sensitive is one part: its own parts are not told.
  void Compare(const Value& wanted, const Value& got, std::string* path) {
    if (only_decides_ && found_.count > 0) return;
    if (!got.is_marked()) return CompareUnmarked(wanted, got, path);
    if (only_decides_ || options_.show_sensitive || (got.marks() & kHiddenMarks) == 0) {
      return CompareUnmarked(wanted, got.unmarked(), path);
    }
    if (!IsSame(wanted, got.unmarked())) {
      Add(Kind::kDifferent, *path, ShortText(wanted, heap_), std::string(kSensitiveText));
    }
  }

  ValueDifferences Take() { return std::move(found_); }

 private:
  void CompareUnmarked(const Value& wanted, const Value& got, std::string* path) {
    if (wanted.is_mapping() && got.is_mapping()) return CompareMappings(wanted, got, path);
    if (wanted.is_sequence() && got.is_sequence()) {
      return got.is_set() || wanted.is_set() ? CompareSets(wanted, got, path) : CompareSequences(wanted, got, path);
    }
    if (AreEqual(wanted, got)) return;
    if (only_decides_) return Count();
    std::string wanted_text = ShortText(wanted, heap_);
    std::string got_text = ShortText(got, heap_, options_.show_sensitive);
    if (wanted_text == got_text) {
      AppendType(wanted, &wanted_text);
      AppendType(got, &got_text);
    }
    Add(Kind::kDifferent, *path, std::move(wanted_text), std::move(got_text));
  }

  // Of values that have no parts to compare.
  static bool AreEqual(const Value& wanted, const Value& got) {
    if (wanted.is_null() || got.is_null()) return wanted.is_null() && got.is_null();
    return EqualsTri(wanted, got) == Tri::kTrue;
  }

  // Both have their keys in order.
  void CompareMappings(const Value& wanted, const Value& got, std::string* path) {
    const Shape& wanted_keys = wanted.shape();
    const Shape& got_keys = got.shape();
    const size_t size = path->size();
    uint32_t w = 0;
    uint32_t g = 0;
    while (w < wanted_keys.size || g < got_keys.size) {
      const int order = w == wanted_keys.size ? 1
                        : g == got_keys.size  ? -1
                                              : wanted_keys.keys[w].AsString().compare(got_keys.keys[g].AsString());
      AppendNameStep(order > 0 ? got_keys.keys[g].AsString() : wanted_keys.keys[w].AsString(), path);
      if (order == 0) {
        Compare(wanted.values()[w], got.values()[g], path);
      } else if (order < 0) {
        AddMissing(wanted.values()[w], *path);
      } else if (!options_.in_part) {
        AddUnexpected(got.values()[g], *path);
      }
      path->resize(size);
      if (order <= 0) ++w;
      if (order >= 0) ++g;
    }
  }

  // What both begin with and what both end with is left out, so that an element more is one difference.
  void CompareSequences(const Value& wanted, const Value& got, std::string* path) {
    const absl::Span<const Value> w = wanted.elements();
    const absl::Span<const Value> g = got.elements();
    size_t begin = 0;
    size_t end = 0;  // elements from the end
    const size_t common = std::min(w.size(), g.size());
    if (w.size() != g.size()) {
      if (only_decides_) return Count();
      while (begin < common && IsSame(w[begin], g[begin])) ++begin;
      while (begin + end < common && IsSame(w[w.size() - 1 - end], g[g.size() - 1 - end])) ++end;
    }
    const size_t size = path->size();
    for (size_t n = begin; n < std::max(w.size(), g.size()) - end; ++n) {
      AppendIndexStep(n, path);
      if (n >= w.size() - end) {
        AddUnexpected(g[n], *path);
      } else if (n >= g.size() - end) {
        AddMissing(w[n], *path);
      } else {
        Compare(w[n], g[n], path);
      }
      path->resize(size);
    }
  }

  // Elements of a set have no order: each that is wanted is looked for by its text.
  void CompareSets(const Value& wanted, const Value& got, std::string* path) {
    HashMap<std::string, size_t> left;
    for (const Value& element : got.elements()) ++left[TextOf(element)];
    for (const Value& element : wanted.elements()) {
      const auto found = left.find(TextOf(element));
      if (found == left.end() || found->second == 0) {
        AddMissing(element, *path);
      } else {
        --found->second;
      }
    }
    for (const Value& element : got.elements()) {
      const auto found = left.find(TextOf(element));
      if (found->second == 0) continue;
      --found->second;
      AddUnexpected(element, *path);
    }
  }

  bool IsSame(const Value& wanted, const Value& got) {
    Differ inner(options_, heap_, /*only_decides=*/true);
    std::string path;
    inner.Compare(wanted, got, &path);
    return inner.found_.empty();
  }

  std::string TextOf(const Value& value) {
    std::string text;
    AppendTypedValueJson(value, heap_->types(), &text);
    return text;
  }

  void AppendType(const Value& value, std::string* text) {
    absl::StrAppend(text, " (", ToTypeSyntax(TypeOf(value, heap_->types())), ")");
  }

  void AddMissing(const Value& wanted, const std::string& path) {
    Add(Kind::kMissing, path, ShortText(wanted, heap_), "");
  }
  void AddUnexpected(const Value& got, const std::string& path) {
    Add(Kind::kUnexpected, path, "", ShortText(got, heap_, options_.show_sensitive));
  }
  void Count() { ++found_.count; }
  void Add(Kind kind, const std::string& path, std::string wanted, std::string got) {
    Count();
    if (found_.kept.size() < options_.max_differences) {
      found_.kept.push_back({kind, Excerpt(path), std::move(wanted), std::move(got)});
    }
  }

  const DiffOptions& options_;
  Heap* heap_;
  const bool only_decides_;
  ValueDifferences found_;
};

}  // namespace

std::string ShortText(const Value& value, Heap* heap, bool show_sensitive) {
  MarkSet ignored = 0;
  std::vector<std::string> erased;
  const Value shown = UnmarkDeep(show_sensitive ? value : HideSensitive(value, SensitiveForm::kText, heap, &erased),
                                 &ignored, heap->arena());
  if (!erased.empty() && erased[0].empty()) return std::string(kSensitiveText);
  if (shown.is_unknown()) return absl::StrCat("unknown (", ToTypeSyntax(shown.null_or_unknown_type()), ")");
  std::string text, reason;
  if (!AppendJson(shown, &text, &reason)) AppendTypedValueJson(shown, heap->types(), &text);
  return Excerpt(text, kMaxTextBytes);
}

ValueDifferences DiffValues(const Value& wanted, const Value& got, const DiffOptions& options, Heap* heap) {
  Differ differ(options, heap);
  std::string path;
  differ.Compare(wanted, got, &path);
  return differ.Take();
}

}  // namespace hcl::internal
