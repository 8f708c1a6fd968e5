// HideSensitive. Tested by vm/value/sensitive_test.cc.

#include "hclvm/vm/value/sensitive.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"

namespace hcl {
namespace {

bool IsSensitive(const Value& value) { return (value.marks() & kHiddenMarks) != 0; }

class Hider {
 public:
  Hider(SensitiveForm form, Heap* heap, std::vector<std::string>* erased) : form_(form), heap_(heap), erased_(erased) {}

  // A list, set or map of which an element gives way to a text is a tuple or object from then on: nobody computes with
  // what is shown.
  Value Hide(const Value& value) {
    if (is_full_ || !value.has_marks()) return value;
    if (IsSensitive(value)) return Erase(value);
    const Value& inner = value.unmarked();
    if (!inner.has_marks()) return inner;
    std::vector<Value> parts;
    parts.reserve(inner.size());
    for (size_t n = 0; n < inner.size(); ++n) {
      const size_t end = place_.size();
      inner.is_mapping() ? AppendPointerStep(inner.shape().keys[n].AsString(), &place_)
                         : absl::StrAppend(&place_, "/", n);
      parts.push_back(Hide(inner.is_mapping() ? inner.values()[n] : inner.elements()[n]));
      place_.resize(end);
    }
    Arena* const arena = heap_->arena();
    const bool has_type = form_ == SensitiveForm::kNull;
    if (inner.is_map() && has_type) return MakeMap(inner.element_type(), &inner.shape(), parts, arena);
    if (inner.is_mapping()) return MakeObject(&inner.shape(), parts, arena);
    return inner.is_list() && has_type ? MakeList(inner.element_type(), parts, arena) : MakeTuple(parts, arena);
  }

  bool is_full() const { return is_full_; }

  Value Erase(const Value& value) {
    bytes_ += place_.size() + 1;
    is_full_ = bytes_ > kMaxErasedBytes;
    erased_->push_back(place_);
    return form_ == SensitiveForm::kText ? Value::String(kSensitiveText, heap_->arena())
                                         : Value::Null(TypeOf(value.unmarked(), heap_->types()));
  }

 private:
  const SensitiveForm form_;
  Heap* const heap_;
  std::vector<std::string>* const erased_;
  std::string place_;
  size_t bytes_ = 0;
  bool is_full_ = false;
};

}  // namespace

void AppendPointerStep(std::string_view name, std::string* pointer) {
  pointer->push_back('/');
  for (const char c : name) {
    if (c == '~' || c == '/') {
      pointer->append(c == '~' ? "~0" : "~1");
    } else {
      pointer->push_back(c);
    }
  }
}

Value HideSensitive(const Value& value, SensitiveForm form, Heap* heap, std::vector<std::string>* erased) {
  if ((MarksIn(value) & kHiddenMarks) == 0) return value;
  const size_t before = erased->size();
  Hider hider(form, heap, erased);
  const Value shown = hider.Hide(value);
  if (!hider.is_full()) return shown;
  erased->resize(before);
  return Hider(form, heap, erased).Erase(value);
}

}  // namespace hcl
