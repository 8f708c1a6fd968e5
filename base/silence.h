// Silence: whether the text of a failure would be read by nobody.
//
// Policies ask `try` and `can` about what is often not there, so that a failure must cost no more than an answer: most
// are dropped, and no text is made for them. Internal. Tested by tests/quiet_failures_test.cc.

#ifndef HCLVM_BASE_SILENCE_H_
#define HCLVM_BASE_SILENCE_H_

namespace hcl::internal {

// Asked when something fails, and not before: most calls and conversions succeed.
struct Silence {
  // Whether the text of the next failure is not needed. Null: none is.
  bool (*ask)(void* of);
  void* of;
};

// Of what is tried: nobody reads what it fails with.
inline constexpr Silence kNeverRead{nullptr, nullptr};

// Without anybody to ask, each text is needed.
inline bool IsSilent(const Silence* silence) {
  return silence != nullptr && (silence->ask == nullptr || silence->ask(silence->of));
}

}  // namespace hcl::internal

#endif  // HCLVM_BASE_SILENCE_H_
