// FileBatch, by Linux's io_uring. Tested by cmd/hclvm/file_batch_test.cc.
//
// A call of the system costs more than what it does for a small file: where the kernel is kept apart from processes,
// five calls take some microseconds, and leave caches cold. With a ring, one call does for many files what is in a
// queue. Four calls do all: open them into slots, see which are pipes, read, and read again, which finds the end. A
// file stays open until another one takes its slot, or the ring ends; so nobody who writes to a pipe loses the only
// reader meanwhile.

#include "hclvm/cmd/hclvm/file_batch.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#if defined(__linux__) && __has_include(<linux/io_uring.h>)
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#endif

namespace hcl::cmd {

// Headers of older systems lack some of the names.
#if defined(IORING_FILE_INDEX_ALLOC) && defined(__NR_io_uring_setup)

namespace {

// The order in which a file's requests are done, each after the one before.
enum Step : uint32_t { kOpen, kAskWhetherPipe, kRead, kReadEnd, kSteps };

constexpr uint32_t kRequests = FileBatch::kFiles;

// A terminal, say, gives what it has only once, and is no pipe.
bool IsDevice(std::string_view path) { return path.substr(0, 5) == "/dev/"; }

// Memory that is shared with the kernel.
class Mapping {
 public:
  Mapping(int ring, size_t bytes, off_t what)
      : bytes_(bytes), data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, what)) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (is_there()) munmap(data_, bytes_);
  }
  bool is_there() const { return data_ != MAP_FAILED; }
  template <typename T>
  T* at(size_t offset) const {
    return reinterpret_cast<T*>(static_cast<char*>(data_) + offset);
  }

 private:
  const size_t bytes_;
  void* const data_;
};

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  const int number_;
};

// What is read of a file. Pieces that were a page apart would all begin in the same few lines of a cache, which holds
// fewer of them.
constexpr size_t kApart = 256;
using Piece = std::array<char, FileBatch::kBytes + kApart>;

class RingBatch final : public FileBatch {
 public:
  RingBatch(int ring, const io_uring_params& params)
      : ring_(ring),
        queues_(ring,
                std::max<size_t>(params.sq_off.array + params.sq_entries * sizeof(uint32_t),
                                 params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe)),
                IORING_OFF_SQ_RING),
        requests_(ring, params.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES),
        params_(params) {}

  // Whether all is there that Read() needs.
  bool Begin() {
    std::array<int, kFiles> slots;
    slots.fill(-1);
    return queues_.is_there() && requests_.is_there() &&
           syscall(__NR_io_uring_register, ring_.number(), IORING_REGISTER_FILES, slots.data(), slots.size()) >= 0;
  }

  // Each step of all files, and then the next one of those for which it was done: a kernel that links the steps of a
  // file to each other does each behind the call that asks for it, one by one.
  Texts Read(absl::Span<const std::string_view> paths) override {
    std::fill_n(texts_.begin(), paths.size(), std::nullopt);
    for (std::array<int32_t, kSteps>& results : results_) results.fill(-1);
    for (uint32_t step = kOpen; step < kSteps; ++step) {
      for (uint32_t n = 0; n < paths.size(); ++n) {
        if (step == kOpen ? !IsDevice(paths[n]) : IsDone(n, static_cast<Step>(step - 1))) {
          Add(n, static_cast<Step>(step), paths[n]);
        }
      }
      if (!Submit()) return Texts(texts_.data(), paths.size());
    }
    for (size_t n = 0; n < paths.size(); ++n) {
      if (results_[n][kReadEnd] == 0) texts_[n].emplace(pieces_[n].data(), static_cast<size_t>(results_[n][kRead]));
    }
    return Texts(texts_.data(), paths.size());
  }

  bool is_broken() const override { return is_broken_; }

 private:
  // What cannot be opened is not read, and neither is a pipe, of which alone the kernel refuses advice.
  bool IsDone(uint32_t n, Step step) const {
    return results_[n][step] >= 0 && (step != kRead || results_[n][step] < static_cast<int32_t>(kBytes));
  }

  void Add(uint32_t n, Step step, std::string_view path) {
    switch (step) {
      case kOpen: {
        names_[n].assign(path.begin(), path.end());
        io_uring_sqe* const request = Next(n, step, IORING_OP_OPENAT, 0);
        request->fd = AT_FDCWD;
        request->addr = reinterpret_cast<uintptr_t>(names_[n].c_str());
        request->open_flags = O_RDONLY;
        request->file_index = n + 1;
        break;
      }
      case kAskWhetherPipe: {
        io_uring_sqe* const request = Next(n, step, IORING_OP_FADVISE, IOSQE_FIXED_FILE);
        request->fd = static_cast<int32_t>(n);
        request->fadvise_advice = POSIX_FADV_NORMAL;
        break;
      }
      case kRead:
        return AddRead(n, step, pieces_[n].data(), kBytes);
      case kReadEnd:
        return AddRead(n, step, &beyond_[n], 1);
      case kSteps:
        break;
    }
  }

  void AddRead(uint32_t n, Step step, char* to, uint32_t bytes) {
    io_uring_sqe* const request = Next(n, step, IORING_OP_READ, IOSQE_FIXED_FILE);
    request->fd = static_cast<int32_t>(n);
    request->addr = reinterpret_cast<uintptr_t>(to);
    request->len = bytes;
    request->off = static_cast<uint64_t>(-1);  // where the last one has ended
  }

  // The next place of the queue, which has room for all files.
  io_uring_sqe* Next(uint32_t n, Step step, uint8_t opcode, uint8_t flags) {
    const uint32_t at = (tail() + added_++) & *queues_.at<uint32_t>(params_.sq_off.ring_mask);
    queues_.at<uint32_t>(params_.sq_off.array)[at] = at;
    io_uring_sqe* const request = requests_.at<io_uring_sqe>(0) + at;
    *request = {};
    request->opcode = opcode;
    request->flags = flags;
    request->user_data = n * kSteps + step;
    return request;
  }

  uint32_t tail() const { return *queues_.at<uint32_t>(params_.sq_off.tail); }

  // Has all requests done. False where the kernel does not do so. What it has begun it may still write to memory of
  // this object then.
  bool Submit() {
    const uint32_t count = std::exchange(added_, 0);
    __atomic_store_n(queues_.at<uint32_t>(params_.sq_off.tail), tail() + count, __ATOMIC_RELEASE);
    uint32_t left = count;
    for (uint32_t done = 0; done < count;) {
      const int64_t taken =
          syscall(__NR_io_uring_enter, ring_.number(), left, count - done, IORING_ENTER_GETEVENTS, nullptr, 0);
      if (taken < 0 && errno != EINTR) return is_broken_ = true, false;
      if (taken > 0) left -= static_cast<uint32_t>(taken);
      done += TakeResults();
    }
    return true;
  }

  uint32_t TakeResults() {
    const uint32_t mask = *queues_.at<uint32_t>(params_.cq_off.ring_mask);
    auto* const head = queues_.at<uint32_t>(params_.cq_off.head);
    const uint32_t end = __atomic_load_n(queues_.at<uint32_t>(params_.cq_off.tail), __ATOMIC_ACQUIRE);
    uint32_t at = *head;
    const uint32_t count = end - at;
    for (; at != end; ++at) {
      const io_uring_cqe& result = queues_.at<io_uring_cqe>(params_.cq_off.cqes)[at & mask];
      results_[result.user_data / kSteps][result.user_data % kSteps] = result.res;
    }
    __atomic_store_n(head, end, __ATOMIC_RELEASE);
    return count;
  }

  FileDescriptor ring_;
  Mapping queues_;
  Mapping requests_;
  const io_uring_params params_;
  uint32_t added_ = 0;  // requests that are not submitted
  bool is_broken_ = false;
  std::array<std::string, kFiles> names_;
  std::array<std::array<int32_t, kSteps>, kFiles> results_;
  std::array<Piece, kFiles> pieces_;
  std::array<char, kFiles> beyond_;
  std::array<std::optional<std::string_view>, kFiles> texts_;
};

}  // namespace

std::unique_ptr<FileBatch> FileBatch::Make() {
  constexpr uint32_t kNeeded = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_RW_CUR_POS | IORING_FEAT_LINKED_FILE;
  io_uring_params params = {};
  const auto ring = static_cast<int>(syscall(__NR_io_uring_setup, kRequests, &params));
  if (ring < 0) return nullptr;
  auto batch = std::make_unique<RingBatch>(ring, params);
  return (params.features & kNeeded) == kNeeded && batch->Begin() ? std::move(batch) : nullptr;
}

#else

std::unique_ptr<FileBatch> FileBatch::Make() { return nullptr; }

#endif

// The kernel may still write to a batch that is broken.
FileBatchReader::~FileBatchReader() {
  if (batch_ != nullptr && batch_->is_broken()) static_cast<void>(batch_.release());
}

FileBatch::Texts FileBatchReader::Read(absl::Span<const std::string_view> paths) {
  static constexpr std::array<std::optional<std::string_view>, FileBatch::kFiles> kNone = {};
  if (!is_begun_) batch_ = FileBatch::Make();
  is_begun_ = true;
  if (batch_ == nullptr || batch_->is_broken()) return FileBatch::Texts(kNone.data(), paths.size());
  return batch_->Read(paths);
}

}  // namespace hcl::cmd
