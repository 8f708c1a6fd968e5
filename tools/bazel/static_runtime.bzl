"""How our programs are linked."""

# GCC's C++ library as an archive: the dynamic linker, which looks up more than a thousand names in the shared one, takes
# longer than an evaluation otherwise. What the toolchain names behind that is then needed no more.
STATIC_RUNTIME = select({
    "//tools/bazel:static_runtime": [
        "-l:libstdc++.a",
        "-static-libgcc",
        "-Wl,--as-needed",
    ],
    "//conditions:default": [],
})
