// JsonProjection: what is needed of JSON texts; JsonReader::Read() leaves out the rest.
//
//   hcl::JsonProjection needed;
//   needed.Need("user")->Need("name")->NeedAll();  // user.name, and no other attribute of user
//   reader.Read(text, needed, &heap, &scope, &error);
//
// hclvm/vm/reads.h makes one of what a program reads. Tested by vm/json/json_projection_test.cc.

#ifndef HCLVM_VM_JSON_JSON_PROJECTION_H_
#define HCLVM_VM_JSON_JSON_PROJECTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/internal/name_table.h"

namespace hcl {

// What is needed at one place of a text: everything; or of an object, some properties; or of the items of an array or
// object, some parts of each. What is there and is neither an object nor an array is always read. One that needs
// nothing leaves objects empty, and reads arrays whole. Thread-safe once made. Finding a name takes
// constant time, but where many needed names are of one size and differ only in bytes that are neither among the first
// nor the last eight. Recursion follows how deep it is nested, which is the caller's to bound.
class JsonProjection {
 public:
  JsonProjection() = default;
  JsonProjection(JsonProjection&&) = default;
  JsonProjection& operator=(JsonProjection&&) = default;

  // Adds the property `name`, which is in NFC, and returns what is needed of it: nothing, if it is new. Valid until
  // this is destroyed; no effect where everything is needed already.
  JsonProjection* Need(std::string_view name) ABSL_ATTRIBUTE_LIFETIME_BOUND;
  // Adds all items, and returns what is needed of each. Properties that Need() has named do not count beside it.
  JsonProjection* NeedItems() ABSL_ATTRIBUTE_LIFETIME_BOUND;
  // Everything is needed.
  void NeedAll() { needs_all_ = true; }
  // Adds what `other` needs.
  void Add(const JsonProjection& other);

  bool needs_all() const { return needs_all_; }
  // What is needed of each item; null where NeedItems() has not been called.
  const JsonProjection* items() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return items_.get(); }
  // What is needed of the property `name`; null where that is nothing. Requires !needs_all() and !items().
  const JsonProjection* Find(std::string_view name) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    const uint32_t at = names_.Find(name);
    return at == internal::NameTable::kNone ? nullptr : properties_[at].get();
  }

  // The names of the properties that are needed. For readers.
  const internal::NameTable& names() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return names_; }

  // Calls `visit` with the name of each property that is needed, and what is needed of it.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (uint32_t n = 0; n < names_.size(); ++n) visit(names_.name(n), *properties_[n]);
  }

  // As people read it: "{limit, user{name, tags[*]{id}}}".
  std::string ToText() const;

 private:
  bool needs_all_ = false;
  std::unique_ptr<JsonProjection> items_;
  internal::NameTable names_;
  std::vector<std::unique_ptr<JsonProjection>> properties_;  // by the positions of their names
};

}  // namespace hcl

#endif  // HCLVM_VM_JSON_JSON_PROJECTION_H_
