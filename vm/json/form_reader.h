// FormReader: reads texts that are objects of known properties, each of them by its form (vm/json/json_form.h).
//
// Internal to the machine. Tested by vm/json/form_reader_test.cc.

#ifndef HCLVM_VM_JSON_FORM_READER_H_
#define HCLVM_VM_JSON_FORM_READER_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Keeps its buffers between texts, as JsonReader does. Not thread-safe.
class FormReader {
 public:
  // What a text has brought of a property.
  enum class State : uint8_t { kMissing, kGiven, kDeclared };

  FormReader();
  ~FormReader();

  // Adds the next property, whose name is in NFC. Of its value, what is `needed` is read; where a text has it as
  // `plan`, which may be null and has to outlive the reader, makes something of it (BindingPlan::Apply), it is read as
  // that.
  void Add(std::string_view name, const JsonProjection& needed, const BindingPlan* plan);

  // Reads `text` to values in `heap`, which live as long as the heap and the reader. Other properties are skipped, as
  // are those inside that are not needed (JsonReader::Read says what is checked of these). False where something is
  // wrong, or a limit was reached, or memory was refused: JsonReader finds out what it is.
  bool Read(std::string_view text, Heap* heap);

  struct Given {
    Value value;  // nothing where it is missing
    State state;
  };
  // Of each property, after Read() was true, and behind them one that is missing.
  const std::vector<Given>& given() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return given_; }
  // Whether all of these are declared.
  bool are_all_declared() const { return are_all_declared_; }
  // Whether an attribute that is declared, and may be missing, is, or one is missing of a value that is read as it is
  // given; and whether anything was skipped.
  bool stands_in() const { return stands_in_; }
  bool skips() const { return skips_; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::vector<Given> given_{{InternalValue(nullptr), State::kMissing}};
  bool are_all_declared_ = false;
  bool stands_in_ = false;
  bool skips_ = false;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_FORM_READER_H_
