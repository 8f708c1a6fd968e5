// The peer in Lua: bench/peers/workloads.lua and bench/breadth/workloads*.lua, whose functions are called through the C
// API. Built once with the headers and library
// of Lua 5.4 and once with LuaJIT's, by bench/peers/run.
//
//   lua_peer FOLDER --scripts bench --workload W1 --min-time 0.2 [--variant jit-off]
//
// The variant jit-off is LuaJIT's interpreter alone. bench/peers/measure.h says the rest. The scopes are tables made
// beforehand; an evaluation pushes the function and a scope, calls, looks at the result and pops it. The collector runs
// as it does by default, also while allocations are counted: a string that is still there is not made again.

#include <cstdint>
#include <cstdio>
#include <lua.hpp>
#include <string>

#include "hclvm/bench/peers/measure.h"

#ifdef LUAJIT_VERSION
constexpr char kVersion[] = LUAJIT_VERSION;
#else
constexpr char kVersion[] = LUA_RELEASE;
#endif

namespace hcl::bench {
namespace {

// Counts what a state's own allocator hands out.
struct CountingAllocator {
  lua_Alloc allocate;
  void* data;
  uint64_t count = 0;
  uint64_t bytes = 0;

  static void* Allocate(void* self, void* block, size_t old_size, size_t new_size) {
    auto* counter = static_cast<CountingAllocator*>(self);
    if (block == nullptr) old_size = 0;  // Lua passes a kind of object here
    if (new_size > old_size) {
      ++counter->count;
      counter->bytes += new_size - old_size;
    }
    return counter->allocate(counter->data, block, old_size, new_size);
  }
};

// Ends the process with Lua's message if `status` is an error.
void CheckLua(lua_State* state, int status) {
  if (status != 0) Die(lua_tostring(state, -1));
}

// Leaves what the script returns on the stack.
void RunScript(lua_State* state, const std::string& path) {
  CheckLua(state, luaL_loadfile(state, path.c_str()));
  CheckLua(state, lua_pcall(state, 0, 1, 0));
}

// A call of a workload's function with scope `i`, and a look at the result.
class Evaluation {
 public:
  // The stack holds the function and, above it, the table of scopes; puts the scopes on the stack instead.
  explicit Evaluation(lua_State* state) : state_(state), function_(lua_gettop(state) - 1) {
    const int table = function_ + 1;
    while (true) {
      lua_rawgeti(state, table, ++scopes_);
      if (lua_isnil(state, -1)) break;
      luaL_checkstack(state, 4, "too many scopes");
    }
    lua_pop(state, 1);
    --scopes_;
    lua_remove(state, table);
  }

  void operator()(int i) const {
    lua_pushvalue(state_, function_);
    lua_pushvalue(state_, function_ + 1 + i);
    CheckLua(state_, lua_pcall(state_, 1, 1, 0));
    seen_ = seen_ + lua_toboolean(state_, -1);
    lua_pop(state_, 1);
  }

  int scopes() const { return scopes_; }

 private:
  lua_State* state_;
  int function_;
  int scopes_ = 0;
  mutable volatile int64_t seen_ = 0;  // how many results were true
};

// The counting allocator is there for these rounds only, so that it does not slow down the ones that are timed.
Allocations CountAllocations(lua_State* state, const Evaluation& evaluate) {
  const int64_t rounds = 1000 * evaluate.scopes();
  CountingAllocator counter;
  counter.allocate = lua_getallocf(state, &counter.data);
  lua_setallocf(state, CountingAllocator::Allocate, &counter);
  GoRound(rounds, evaluate.scopes(), evaluate);
  lua_setallocf(state, counter.allocate, counter.data);
  const auto mean = [rounds](uint64_t total) { return static_cast<double>(total) / static_cast<double>(rounds); };
  return {mean(counter.count), mean(counter.bytes)};
}

void SetJit(lua_State* state, const std::string& variant) {
  if (variant.empty()) return;
  if (variant != "jit-off") Die("--variant must be jit-off");
  CheckLua(state, luaL_loadstring(state, "jit.off()"));
  CheckLua(state, lua_pcall(state, 0, 0, 0));
}

// The files that may have a workload's function.
constexpr const char* kScripts[] = {"/peers/workloads.lua", "/breadth/workloads.lua", "/breadth/workloads_data.lua",
                                    "/breadth/workloads_services.lua"};

// Leaves the workload's function on the stack, or nil if there is none.
void PushFunction(lua_State* state, const PeerOptions& options) {
  lua_pushnil(state);
  for (const char* script : kScripts) {
    lua_pop(state, 1);
    RunScript(state, options.scripts + script);
    lua_getfield(state, -1, options.workload.c_str());
    lua_remove(state, -2);
    if (!lua_isnil(state, -1)) return;
  }
}

// The scopes are made by the script's own reader, `load` of support.lua, which gets the workload's function to check
// the answers with. Rounds before the clock runs let LuaJIT compile, and a full collection lets every run start from
// the same heap.
void Run(const PeerOptions& options) {
  lua_State* state = luaL_newstate();
  if (state == nullptr) Die("out of memory");
  luaL_openlibs(state);
  SetJit(state, options.variant);
  RunScript(state, options.scripts + "/peers/support.lua");
  lua_getfield(state, -1, "load");
  PushFunction(state, options);
  const int function = lua_gettop(state);
  lua_pushvalue(state, function - 1);
  lua_pushstring(state, options.folder.c_str());
  lua_pushstring(state, options.workload.c_str());
  lua_pushvalue(state, function);
  CheckLua(state, lua_pcall(state, 3, 1, 0));
  const Evaluation evaluate(state);
  GoRound(100 * evaluate.scopes(), evaluate.scopes(), evaluate);  // LuaJIT finds what is hot
  lua_gc(state, LUA_GCCOLLECT, 0);
  const Timing timing = MeasureTime(options, evaluate.scopes(), evaluate);
  PrintResult(options, timing, CountAllocations(state, evaluate));
  lua_close(state);
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  const hcl::bench::PeerOptions options = hcl::bench::ParsePeerOptions(argc, argv);
  if (options.show_version) {
    std::printf("%s\n", kVersion);
    return 0;
  }
  hcl::bench::Run(options);
  return 0;
}
