#!/usr/bin/env bash
# Builds, tests and packs the extension for Visual Studio Code, as docs/editors.md says, from a copy outside of the tree:
# vscode_extension.sh. Takes no arguments; exit status 0 if all that works. Without npm or its registry, says so and goes on.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/common.sh"

command -v npm >/dev/null || { echo "vscode_extension: no npm here; nothing checked" && exit 0; }
timeout 60 npm ping >/dev/null 2>&1 || { echo "vscode_extension: npm's registry does not answer; nothing checked" && exit 0; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r "$root/editors/vscode" "$dir/extension"
cd "$dir/extension"
rm -rf node_modules dist ./*.vsix
for step in "npm ci" "npm test" "npm run package"; do
  $step >"$dir/log" 2>&1 || { echo "vscode_extension: $step has failed" && cat "$dir/log" && exit 1; }
done
files=$(python3 -c "import zipfile; print(*zipfile.ZipFile('hclvm.vsix').namelist(), sep=chr(10))")
for file in package.json language-configuration.json dist/extension.js syntaxes/hcl.tmLanguage.json; do
  grep -qxF "extension/$file" <<<"$files" || { echo "vscode_extension: hclvm.vsix lacks $file" && exit 1; }
done
