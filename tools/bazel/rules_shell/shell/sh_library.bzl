"""The built-in sh_library at the path that rules_shell gives it."""

sh_library = native.sh_library
