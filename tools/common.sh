# Sourced by the scripts beside it, after `set -euo pipefail`. Sets `root`, the top of the checkout, and defines
# `hclvm_bazel COMMAND ARGS...`, which runs Bazel there with a disk cache in the user's cache folder, and with the startup
# options in the array `hclvm_startup`. With HCLVM_ONE_OBJECT=yes in the environment each source is compiled once, for programs
# and for shared libraries: programs then take the system's libraries as shared ones.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# Bazel needs a home folder; containers do not always name one.
if [[ -z "${HOME:-}" ]]; then
  HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
  export HOME="${HOME:-/tmp}"
fi

hclvm_startup=()

hclvm_bazel() {
  local command=$1 bazel=bazel
  shift
  command -v bazel >/dev/null || bazel=bazelisk
  local options=()
  case $command in
    build | test | run)
      options=(--disk_cache="${XDG_CACHE_HOME:-$HOME/.cache}/hclvm-bazel")
      [[ ${HCLVM_ONE_OBJECT:-no} != yes ]] || options+=(--force_pic)
      ;;
  esac
  (cd "$root" && "$bazel" "${hclvm_startup[@]}" "$command" "${options[@]}" "$@" </dev/null)
}

# hclvm_say TEXT: what is being done, on standard error. On a terminal it is one line, which the next one replaces; an empty
# text takes it away. In a log it is a line at a time, at most one a minute unless it begins another thing.
hclvm_said_at=-60 hclvm_said=
hclvm_say() {
  if [[ -t 2 ]]; then
    printf '\r\033[K%s' "${1:0:$((${COLUMNS:-80} - 1))}" >&2
  elif [[ -n $1 ]] && { ((SECONDS - hclvm_said_at >= 60)) || [[ ${1%%,*} != "$hclvm_said" && $1 != '['* ]]; }; then
    printf '%s\n' "$1" >&2
    hclvm_said_at=$SECONDS hclvm_said=${1%%,*}
  fi
}

# How much time SECONDS are: "about 3 min".
hclvm_time() {
  if (($1 < 60)); then echo "less than a minute"; else echo "about $((($1 + 30) / 60)) min"; fi
}

# hclvm_left DONE TOTAL: sets hclvm_left to ", about 3 min left", by the pace of the last half to whole minute: what comes from a
# cache says nothing of what is compiled. Empty in the first seconds. hclvm_left_anew begins again.
hclvm_left_anew() { hclvm_left='' hclvm_pace_done=-1; }
hclvm_left_anew
hclvm_left() {
  if ((hclvm_pace_done < 0)); then
    hclvm_pace_done=$1 hclvm_pace_at=$SECONDS hclvm_next_done=$1 hclvm_next_at=$SECONDS
  elif ((SECONDS - hclvm_next_at >= 30)); then
    hclvm_pace_done=$hclvm_next_done hclvm_pace_at=$hclvm_next_at hclvm_next_done=$1 hclvm_next_at=$SECONDS
  fi
  local taken=$((SECONDS - hclvm_pace_at)) made=$(($1 - hclvm_pace_done))
  ((made <= 0 || taken < 5)) || hclvm_left=", $(hclvm_time $((taken * ($2 - $1) / made))) left"
}

# hclvm_watch LOG: reads what Bazel (with --curses=no) or Ninja says from standard input, writes all of it to LOG, and says how far
# the build is: "[214/499] compiling, about 3 min left". What is
# neither progress nor a report of what went well is passed on, and so is all that a failed test has said.
hclvm_watch() {
  local line done total doing of_test=no
  hclvm_left_anew
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    line=${line//$'\r'/}
    case $line in
      '==================== Test output for'*) of_test=yes ;;
      '===================='*) of_test=no ;;
    esac
    if [[ $of_test == yes ]]; then
      hclvm_say ''
      printf '%s\n' "$line"
    elif [[ $line =~ ^\[([0-9,]+)\ ?/\ ?([0-9,]+)\]\ (.*)$ ]]; then
      done=${BASH_REMATCH[1]//,/} total=${BASH_REMATCH[2]//,/} doing=compiling
      case ${BASH_REMATCH[3]} in
        Testing* | [0-9]*' / '[0-9]*' test'*) doing=testing ;;
        Linking*) doing=linking ;;
      esac
      hclvm_left "$done" "$total"
      hclvm_say "[$done/$total] $doing$hclvm_left"
    elif [[ ! $line =~ ^(INFO|Loading|Analyzing|DEBUG|Computing|Target|Build|//.*PASSED|\ \ (out/|Stats over)|There\ were\ tests|=====|$) ]]; then
      hclvm_say ''
      printf '%s\n' "$line"
    elif [[ $line == Loading* || $line == Analyzing* ]]; then
      hclvm_say 'reading the build files'
    fi
  done
  hclvm_say ''
}

# hclvm_build LOG ARGS...: `bazel build ARGS`, which says how far it is. All that Bazel says is in LOG.
hclvm_build() {
  local log=$1
  shift
  hclvm_bazel build --curses=no --show_progress_rate_limit=1 "$@" 2>&1 >/dev/null | hclvm_watch "$log" >&2
}

# hclvm_slowest LOG: prints the ten tests that took longest, of those that the log of Bazel says have run.
hclvm_slowest() {
  local found
  found=$(sed -nE 's@^(//[^ ]+) +(FLAKY, failed|PASSED|FAILED|TIMEOUT)( in [0-9]+ out of [0-9]+)? in ([0-9.]+)s$@\4 \1@p' "$1" |
    sort -rn | awk 'NR <= 10 { printf "%9.1f s  %s\n", $1, $2 }')
  [[ -z $found ]] || printf 'The slowest tests:\n%s\n' "$found"
}

# Prints the paths of our C++ sources, from the top of the checkout, each with a null byte behind it.
hclvm_sources() {
  (cd "$root" && find . \( -path './.?*' -o -path ./out -o -path './bazel-*' \) -prune -o \
    -type f \( -name '*.cc' -o -name '*.h' -o -name '*.inc' -o -name '*.def' \) -printf '%P\0' | sort -z)
}

# What a full test run builds: all that `bazel build //...` does, and tests that would make it take longer.
hclvm_targets=(//... //tests/public_headers:alone_test)

# Prints a folder that holds the checkout under the name hclvm/: for compilers and tools that are not run by Bazel, `-I`
# of it finds our headers.
hclvm_include() {
  mkdir -p "$root/out/include"
  ln -sfn ../.. "$root/out/include/hclvm"
  echo "$root/out/include"
}

# Prints a folder with the headers that the build makes of .proto files, by the same names: the second folder for `-I`.
hclvm_generated() {
  local made=$root/out/generated
  mkdir -p "$made"
  (cd "$root" && protoc -Ihclvm/serve/proto=serve/proto -I/usr/include --cpp_out="$made" --grpc_out="$made" \
    --plugin=protoc-gen-grpc="$(command -v grpc_cpp_plugin)" $(printf 'hclvm/%s ' serve/proto/*.proto)) || return 1
  echo "$made"
}

# hclvm_write_section NAME FILE [PAGE]: puts the file between the markers of that name in the page, docs/performance.md if
# none is given. Fails, and changes nothing, when they are not there.
hclvm_write_section() {
  local page=$root/${3:-docs/performance.md} mark new
  for mark in begin end; do
    grep -qxF "<!-- $1:$mark -->" "$page" || { echo "$page lacks the marker $1:$mark" >&2 && return 1; }
  done
  new=$(mktemp)
  awk -v name="$1" -v table="$2" '
    $0 == "<!-- " name ":end -->" { inside = 0 }
    !inside { print }
    $0 == "<!-- " name ":begin -->" {
      inside = 1
      print ""
      while ((getline line < table) > 0) print line
      print ""
    }
  ' "$page" >"$new"
  cp "$new" "$page"
  rm -f "$new"
}
