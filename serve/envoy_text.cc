// Tested by serve/envoy_text_test.cc.

#include "hclvm/serve/envoy_text.h"

#include "google/protobuf/descriptor.h"
#include "google/protobuf/unknown_field_set.h"
#include "hclvm/base/unicode.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"

namespace hcl::serve {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;
namespace {

constexpr int kMaxLevels = 100;

// False where the bytes are no such message; *path is that of the first wrong text, if there is any.
bool Look(const std::string& bytes, const Descriptor& message, int levels, std::string* path) {
  UnknownFieldSet fields;
  if (levels == 0 || !fields.ParseFromString(bytes)) return false;
  for (int n = 0; n < fields.field_count(); ++n) {
    const UnknownField& field = fields.field(n);
    const FieldDescriptor* const known = message.FindFieldByNumber(field.number());
    if (known == nullptr || field.type() != UnknownField::TYPE_LENGTH_DELIMITED) continue;
    const std::string& inside = field.length_delimited();
    std::string below;
    if (known->type() == FieldDescriptor::TYPE_MESSAGE) {
      if (!Look(inside, *known->message_type(), levels - 1, &below)) return false;
    } else if (known->type() == FieldDescriptor::TYPE_STRING &&
               internal::FindInvalidUtf8(inside) != std::string_view::npos) {
      below = " ";
    }
    if (below.empty() || !path->empty()) continue;
    *path = known->name();
    if (below != " ") path->append(".").append(below);
  }
  return true;
}

}  // namespace

std::string FindWrongText(std::string_view bytes) {
  std::string path;
  const Descriptor& request = *envoy::service::auth::v3::CheckRequest::descriptor();
  return Look(std::string(bytes), request, kMaxLevels, &path) ? path : std::string();
}

}  // namespace hcl::serve
