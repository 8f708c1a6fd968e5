"""How our programs are linked."""

# GCC's C++ library as an archive: the dynamic linker, which looks up more than a thousand names in the shared one, takes
# longer than an evaluation otherwise. What the toolchain names behind that is then needed no more. The unwinder stays the
# system's: an exception that passes through a function of the C library, such as pthread_once() below std::call_once(), meets
# that one there, and two of them end the process.
STATIC_RUNTIME = select({
    "//tools/bazel:static_runtime": [
        "-l:libstdc++.a",
        "-shared-libgcc",
        "-Wl,--as-needed",
    ],
    "//conditions:default": [],
})
