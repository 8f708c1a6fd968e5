// hclvm.Program: lines of JSON. Tested by bindings/python/tests/test_many.py.
//
// The answers of a partition of lines are megabytes, of which each page costs time when it is touched for the first
// time: they are written to where they stay.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/gil.h"
#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/program.h"

namespace hcl::python {
namespace {

// A bytes object under construction. Made, taken and destroyed with the GIL.
class ResultBytes {
 public:
  ResultBytes() = default;
  ResultBytes(const ResultBytes&) = delete;
  ResultBytes& operator=(const ResultBytes&) = delete;
  ~ResultBytes() { Py_XDECREF(bytes_); }

  // False where there is no memory. In one thread at a time, without the GIL.
  bool Append(std::string_view text) {
    if (text.empty()) return true;
    if (text.size() > room_ - size_ && !MakeRoom(text.size())) return false;
    std::memcpy(PyBytes_AS_STRING(bytes_) + size_, text.data(), text.size());
    size_ += text.size();
    return true;
  }

  // Raises MemoryError.
  py::bytes Take() && {
    if (bytes_ == nullptr) return py::bytes();
    if (_PyBytes_Resize(&bytes_, static_cast<Py_ssize_t>(size_)) != 0) throw py::error_already_set();
    return py::reinterpret_steal<py::bytes>(std::exchange(bytes_, nullptr));
  }

 private:
  // The system moves large objects without copying them, and gives no memory to what is not touched.
  bool MakeRoom(size_t more) {
    if (more > static_cast<size_t>(PY_SSIZE_T_MAX) / 2 - size_) return false;
    const GilHold hold;
    const size_t room = std::max(2 * room_, size_ + more);
    if (bytes_ == nullptr) {
      bytes_ = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(room));
    } else {
      _PyBytes_Resize(&bytes_, static_cast<Py_ssize_t>(room));
    }
    if (bytes_ == nullptr) {  // what there was is gone
      PyErr_Clear();
      room_ = size_ = 0;
      return false;
    }
    room_ = room;
    return true;
  }

  PyObject* bytes_ = nullptr;
  size_t size_ = 0;
  size_t room_ = 0;
};

}  // namespace

py::bytes Program::RunNdjson(const py::object& lines, const py::object& entry, uint32_t threads, bool typed,
                             bool show_sensitive, const ScopeOptions& scopes, const std::string& name,
                             const StopOptions& stop) {
  const Bytes bytes(lines, "the lines");
  // A timeout is for each line, and the rest for all of them.
  Call call({py::none(), stop.cancel});
  NdjsonOptions options;
  options.limits = limits_;
  options.limits.interrupt = call.interrupt();
  if (const auto timeout = TimeoutOf(stop.timeout)) {
    options.timeout = std::max(std::chrono::ceil<std::chrono::milliseconds>(*timeout), std::chrono::milliseconds(1));
  }
  if (const Entry* const found = FindEntry(entry.ptr())) options.entries = {found};
  options.threads = CountOfThreads(threads);
  options.typed = typed;
  options.show_sensitive = show_sensitive;
  options.check_all = scopes.check_all;
  options.unknown_input = scopes.unknown_input;
  options.base = base_;
  options.variables = given_;
  options.name = name;
  std::string_view rest = bytes.view();
  ResultBytes out;
  absl::Status status;
  call.WithoutGil([&] {
    const WorkingFor working(&call);
    const NdjsonInput input = [&rest](char* room, size_t size) -> absl::StatusOr<size_t> {
      const size_t taken = std::min(size, rest.size());
      std::memcpy(room, rest.data(), taken);
      rest.remove_prefix(taken);
      return taken;
    };
    const NdjsonOutput output = [&out](std::string_view answers) {
      return out.Append(answers) ? absl::OkStatus()
                                 : absl::ResourceExhaustedError("the system has refused memory, and lines are missing");
    };
    status = hcl::RunNdjson(program_, options, input, output);
  });
  call.RaisePending();
  if (absl::IsCancelled(status)) Raise(GetClasses().cancelled_error("the run was cancelled"));
  if (!status.ok()) Raise(status);
  return std::move(out).Take();
}

}  // namespace hcl::python
