// Where a heap keeps its recorder. Tested by compiler/record_points_test.cc.

#include "hclvm/vm/run_recorder.h"

#include <memory>

#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/value/kept_states.h"

namespace hcl::internal {
namespace {

// What is kept for a heap is kept once, so that the recorder has a place that can be written anew.
struct Place {
  RunRecorder* recorder = nullptr;
};

constexpr char kOwner = 0;

}  // namespace

void AttachRecorder(Heap* heap, RunRecorder* recorder) {
  auto* place = static_cast<Place*>(heap->kept_states()->FindOf(&kOwner));
  if (place == nullptr) {
    auto made = std::make_shared<Place>();
    place = made.get();
    if (!heap->kept_states()->KeepOf(&kOwner, std::move(made), sizeof(Place))) return;
  }
  place->recorder = recorder;
}

RunRecorder* RecorderOf(Heap* heap) {
  const auto* const place = static_cast<const Place*>(heap->kept_states()->FindOf(&kOwner));
  return place == nullptr ? nullptr : place->recorder;
}

void RestartRecorder(Heap* heap) {
  RunRecorder* const recorder = RecorderOf(heap);
  if (recorder != nullptr) recorder->Restart();
}

void Interpreter::Record(uint32_t point, const Value* value) {
  RunRecorder* const recorder = RecorderOf(context_.heap);
  if (recorder == nullptr) return;
  const RecordTable& table = *program_.records();
  value == nullptr ? recorder->Enter(table, point) : recorder->Leave(table, point, *value);
}

}  // namespace hcl::internal
