// Misspelled names. Tested by module/binding_test.cc.

#include "hclvm/vm/value/misspelled.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/path_text.h"
#include "hclvm/vm/value/string_order.h"

namespace hcl::internal {

std::string FindMisspelled(std::string_view wanted, const Shape& given,
                           const std::function<bool(std::string_view)>& is_known, size_t* comparisons) {
  std::vector<std::string_view> unknown;
  for (uint32_t n = 0; n<given.size&& * comparisons> 0; ++n, --*comparisons) {
    const std::string_view name = given.keys[n].AsString();
    if (!is_known(name)) unknown.push_back(name);
  }
  return std::string(NearestName(wanted, unknown));
}

std::string MisspelledText(std::string_view given, std::string_view wanted) {
  return absl::StrCat("\"", ToAbsl(Excerpt(given)), "\" is given: did you mean \"", ToAbsl(Excerpt(wanted)), "\"?");
}

namespace {

// Goes through the parts of a value for which both a type and a value are there.
class PartWalk {
 public:
  // Calls `on_object(object, type, plan, path)` for each. `plan` is null where none was given.
  using OnObject = std::function<void(const Value&, Type, const BindingPlan*, const std::string&)>;
  PartWalk(const OnObject& on_object, const std::vector<std::string>& sentences)
      : on_object_(on_object), sentences_(sentences) {}

  void Go(const Value& marked, Type type, const BindingPlan* plan, const std::string& path) {
    const Value& value = marked.unmarked();
    if (sentences_.size() >= kMaxSentences) return;
    if (type.kind() == TypeKind::kObject && value.is_mapping()) {
      on_object_(value, type, plan, path);
      const Shape& shape = plan == nullptr ? type.shape() : plan->type().shape();
      for (uint32_t n = 0; n < shape.size; ++n) {
        // Where nothing may be missing, nothing is.
        if (plan != nullptr && !plan->part(n).has_stand_ins()) continue;
        const std::string_view name = shape.keys[n].AsString();
        const int64_t at = value.shape().Find(shape.keys[n]);
        if (at < 0 || !MayHaveObjects(Type(type.FindAttribute(name)))) continue;
        std::string inner = path;
        AppendNameStep(name, &inner);
        Go(value.values()[static_cast<size_t>(at)], Type(type.FindAttribute(name)),
           plan == nullptr ? nullptr : &plan->part(n), inner);
      }
    } else if (type.is_collection() && MayHaveObjects(type.element())) {
      const bool has_plan = plan != nullptr && type.kind() != TypeKind::kSet;
      const BindingPlan* const part = has_plan ? &plan->part(0) : nullptr;
      if (plan != nullptr && part == nullptr) return;
      for (size_t n = 0; n < (value.is_sequence() || value.is_mapping() ? value.size() : 0); ++n) {
        std::string inner = path;
        value.is_mapping() ? AppendKeyStep(value.shape().keys[n].AsString(), &inner) : AppendIndexStep(n, &inner);
        Go((value.is_mapping() ? value.values() : value.elements())[n], type.element(), part, inner);
      }
    } else if (type.kind() == TypeKind::kTuple && value.is_sequence()) {
      for (size_t n = 0; n < type.size() && n < value.size(); ++n) {
        std::string inner = path;
        AppendIndexStep(n, &inner);
        Go(value.elements()[n], type.element(n), plan == nullptr ? nullptr : &plan->part(n), inner);
      }
    }
  }

 private:
  static bool MayHaveObjects(Type type) {
    return type.kind() == TypeKind::kObject || type.kind() == TypeKind::kTuple || type.is_collection();
  }

  const OnObject& on_object_;
  const std::vector<std::string>& sentences_;
};

}  // namespace

namespace {

// What FindMisspelled() compares, where the names that are known are those of a shape. Both have theirs in order.
std::vector<std::string_view> UnknownNames(const Shape& given, const Shape& known, size_t* comparisons) {
  std::vector<std::string_view> unknown;
  uint32_t at = 0;
  for (uint32_t n = 0; n<given.size&& * comparisons> 0; ++n, --*comparisons) {
    while (at < known.size && CompareStrings(known.keys[at], given.keys[n]) < 0) ++at;
    if (at == known.size || !known.keys[at].SameBits(given.keys[n])) {
      const std::string_view name = given.keys[n].AsString();
      if (at == known.size || known.keys[at].AsString() != name) unknown.push_back(name);
    }
  }
  return unknown;
}

}  // namespace

void FindUndeclared(const Value& given, Type declared, std::string_view name, std::vector<std::string>* sentences) {
  const PartWalk::OnObject look = [&](const Value& object, Type type, const BindingPlan*, const std::string& path) {
    for (uint32_t n = 0; n < object.shape().size && sentences->size() < kMaxSentences; ++n) {
      const std::string_view attribute = object.shape().keys[n].AsString();
      if (type.FindAttribute(attribute) != nullptr) continue;
      std::vector<std::string_view> missing;
      for (uint32_t m = 0; m < type.shape().size; ++m) {
        if (object.shape().Find(type.shape().keys[m]) < 0) missing.push_back(type.shape().keys[m].AsString());
      }
      std::string place = path;
      AppendNameStep(attribute, &place);
      const std::string_view nearest = NearestName(attribute, missing);
      sentences->push_back(absl::StrCat(ToAbsl(Excerpt(place)), " is given, and the module does not declare it.",
                                        nearest.empty() ? "" : " Did you mean \"", ToAbsl(Excerpt(nearest)),
                                        nearest.empty() ? "" : "\"?"));
    }
  };
  PartWalk(look, *sentences).Go(given, declared, nullptr, std::string(name));
}

void FindMisspellings(const Value& given, const BindingPlan& plan, Type declared, std::string_view name,
                      std::vector<std::string>* sentences) {
  size_t comparisons = kMaxComparisons;
  const PartWalk::OnObject look = [&](const Value& object, Type type, const BindingPlan* read,
                                      const std::string& path) {
    const Shape& shape = read->type().shape();
    for (uint32_t n = 0; n < shape.size && sentences->size() < kMaxSentences; ++n) {
      if (read->stand_in(n) == nullptr || object.shape().Find(shape.keys[n]) >= 0) continue;
      const std::string_view wanted = shape.keys[n].AsString();
      const std::string near(NearestName(wanted, UnknownNames(object.shape(), type.shape(), &comparisons)));
      if (near.empty()) continue;
      std::string place = path;
      AppendNameStep(wanted, &place);
      sentences->push_back(absl::StrCat(ToAbsl(Excerpt(place)), " is missing; ", ToAbsl(MisspelledText(near, wanted))));
    }
  };
  PartWalk(look, *sentences).Go(given, declared, &plan, std::string(name));
}

}  // namespace hcl::internal
