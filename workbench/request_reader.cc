// RequestReader. Tested by workbench/request_reader_test.cc.

#include "hclvm/workbench/request_reader.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

using Lack = RecordedRequest::Lack;

JsonProjection All() {
  JsonProjection all;
  all.NeedAll();
  return all;
}

JsonProjection LineProjection(RequestForm form, const JsonProjection& needed) {
  JsonProjection line;
  if (form != RequestForm::kScopes) {
    line.Need("input")->Add(needed);
    for (const std::string_view name : {"path", "decision_id", "erased", "masked"}) line.Need(name)->NeedAll();
  }
  if (form != RequestForm::kLog) line.Add(needed);
  return line;
}

const Value* Member(const Value& object, std::string_view name) {
  const int64_t at = object.shape().Find(name);
  return at < 0 ? nullptr : &object.values()[static_cast<size_t>(at)];
}

bool IsText(const Value* value) { return value != nullptr && value->is_string() && !value->AsString().empty(); }

// Places of the input begin with "/", or are empty; those of the result begin with "result", and matter to nobody here.
Lack LackOf(const Value* places, bool is_masked) {
  if (places == nullptr) return Lack::kNothing;
  if (!places->is_tuple()) return Lack::kParts;
  Lack lack = Lack::kNothing;
  for (const Value& place : places->elements()) {
    if (!place.is_string()) return Lack::kParts;
    const std::string_view text = place.AsString();
    if (text.substr(0, 6) == "result") continue;
    if (is_masked || std::count(text.begin(), text.end(), '/') != 1) return Lack::kParts;
    lack = Lack::kVariables;
  }
  return lack;
}

}  // namespace

JsonProjection NeededBy(const std::shared_ptr<const Program>& program, absl::Span<const Entry* const> entries,
                        const BaseLayer* base) {
  std::vector<uint32_t> chunks;
  for (const Entry* entry : entries) chunks.push_back(entry->chunk);
  JsonProjection needed;
  needed.Add(Reads(program, chunks).needed());
  if (base != nullptr) base->AddNames(&needed);
  return needed;
}

RequestReader::RequestReader(RequestForm form, const JsonProjection& needed, Dialect dialect, const Limits& limits)
    : form_(form),
      limits_(limits),
      needed_(LineProjection(form, needed)),
      whole_(LineProjection(form, All())),
      heap_(nullptr, dialect, limits) {}

bool RequestReader::Read(std::string_view line, const JsonProjection& needed, RecordedRequest* request,
                         std::string* fault) {
  *request = RecordedRequest();
  heap_.Reset();
  if (line.size() > limits_.max_source_bytes) {
    return *fault = absl::StrCat("the line is longer than ", limits_.max_source_bytes, " bytes"), false;
  }
  Value value;
  JsonError error;
  if (!reader_.Read(line, needed, &heap_, &value, &error)) {
    return *fault = absl::StrCat(error.summary, ": ", error.detail), false;
  }
  if (!value.is_object()) return *fault = "a request is a JSON object", false;
  if (form_ == RequestForm::kScopes) return request->scope = value, true;
  const Value* const path = Member(value, "path");
  const Value* const input = Member(value, "input");
  const Value* const id = Member(value, "decision_id");
  if (form_ == RequestForm::kEither && (input == nullptr || !IsText(path) || !IsText(id))) {
    return request->scope = value, true;
  }
  if (path == nullptr || !path->is_string() || input == nullptr) {
    return *fault = "a decision has \"path\" and \"input\"", false;
  }
  request->path = path->AsString();
  if (id != nullptr && id->is_string()) request->id = id->AsString();
  request->lack = std::max(LackOf(Member(value, "erased"), /*is_masked=*/false),
                           LackOf(Member(value, "masked"), /*is_masked=*/true));
  if (input->is_object()) {
    request->scope = *input;
  } else if (request->lack == Lack::kParts && input->is_null()) {
    request->scope = Value::Null();
  } else {
    return *fault = "\"input\" is an object of variables", false;
  }
  return true;
}

bool RequestReader::ReadOrNote(std::string_view line, uint64_t number, bool is_cut, RecordedRequest* request,
                               BrokenLines* broken) {
  std::string fault = "the line is too long";
  const bool is_long = is_cut || line.size() > limits_.max_source_bytes;
  if (!is_long && Read(line, request, &fault)) return true;
  broken->has_long = broken->has_long || is_long;
  if (++broken->count == 1) broken->fault = absl::StrCat("line ", number, ": ", fault);
  return false;
}

// A path such as "a/b/policy.x/y.z" is tried as a whole, then behind each slash.
const Entry* FindLoggedEntry(const Program& program, std::string_view path, std::string_view module) {
  if (!module.empty()) {
    const bool is_of_it =
        path.size() > module.size() && path.substr(0, module.size()) == module && path[module.size()] == '/';
    return is_of_it ? program.FindEntry(path.substr(module.size() + 1)) : nullptr;
  }
  for (;;) {
    const Entry* const entry = program.FindEntry(path);
    if (entry != nullptr) return entry;
    const size_t slash = path.find('/');
    if (slash == std::string_view::npos) return nullptr;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace hcl::internal
