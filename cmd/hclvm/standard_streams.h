// What programs do with their standard streams when they begin and when they end.
//
// Tested by tests/output_test.sh.

#ifndef HCLVM_CMD_HCLVM_STANDARD_STREAMS_H_
#define HCLVM_CMD_HCLVM_STANDARD_STREAMS_H_

#include <functional>
#include <string_view>

namespace hcl::cmd {

// Takes the place of those standard streams that the caller has closed; to use them fails as before. Call this before
// any file is opened.
void OccupyClosedStreams();

// Makes a write beyond the largest file that the system allows one that fails; otherwise the process ends without a
// word. Call this before anything is written.
void NoteLargeFiles();

// The exit status that `command` returns; kLimitReached, and a line on stderr, when the system refuses memory. The
// process ends the same way where a library cannot go on for want of memory, in any thread. Call this once, before
// threads start.
int GuardMemory(std::string_view name, const std::function<int()>& command);

// Writes out what was printed, and closes standard output. Returns the exit status of the program `name`: `status`, but
// kInputError instead of kSuccess when not everything could be written, which is then told on stderr. A command that
// has failed has said why. Call this last.
int FinishOutput(std::string_view name, int status);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_STANDARD_STREAMS_H_
