// The peer in Go: the reference implementation, hashicorp/hcl, with zclconf/go-cty.
//
//	hashicorp FOLDER --workload W0..W9|P1|P2 --min-time 0.2
//
// FOLDER contains bench/inputs and bench/want. Answers are checked, then one line of JSON is printed; see
// bench/peers/measure.h. An expression is parsed once, and its scopes are EvalContexts made beforehand. Time is
// the processor's for the whole process; the garbage collector, which works on other cores too, is a part of it.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// hclVersion is set by the linker: -ldflags "-X main.hclVersion=2.14.1".
var hclVersion = "of unknown version"

var start = hcl.Pos{Line: 1, Column: 1}

var functions = map[string]function.Function{
	"contains": stdlib.ContainsFunc,
	"upper":    stdlib.UpperFunc,
	"startswith": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: "prefix", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(strings.HasPrefix(args[0].AsString(), args[1].AsString())), nil
		},
	}),
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "hashicorp:", err)
		os.Exit(1)
	}
}

func checkDiagnostics(diagnostics hcl.Diagnostics) {
	if diagnostics.HasErrors() {
		check(diagnostics)
	}
}

func readFile(path ...string) []byte {
	text, err := os.ReadFile(filepath.Join(path...))
	check(err)
	return text
}

func readLines(path ...string) [][]byte {
	return bytes.Split(bytes.TrimSpace(readFile(path...)), []byte("\n"))
}

func expression(folder, workload string) hclsyntax.Expression {
	var sources map[string]string
	check(json.Unmarshal(readFile(folder, "bench/inputs/workloads.json"), &sources))
	source, ok := sources[workload]
	if !ok {
		check(fmt.Errorf("no such workload: %q", workload))
	}
	parsed, diagnostics := hclsyntax.ParseExpression([]byte(source), workload, start)
	checkDiagnostics(diagnostics)
	return parsed
}

// Whole numbers as a Go host makes them of its integers. Those that come from JSON carry 512 bits, and take ten times as long
// to compare.
func integers(value cty.Value) cty.Value {
	result, err := cty.Transform(value, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.Type() != cty.Number || v.IsNull() {
			return v, nil
		}
		if i, accuracy := v.AsBigFloat().Int64(); accuracy == big.Exact {
			return cty.NumberIntVal(i), nil
		}
		return v, nil
	})
	check(err)
	return result
}

func scope(line []byte) *hcl.EvalContext {
	ty, err := ctyjson.ImpliedType(line)
	check(err)
	value, err := ctyjson.Unmarshal(line, ty)
	check(err)
	variables := integers(value).AsValueMap()
	for name, variable := range variables {
		// What JSON makes objects and tuples of, a host declares as maps and lists; they are also much faster.
		switch name {
		case "users":
			variables[name] = cty.ListVal(variable.AsValueSlice())
		case "limits", "quota", "tags":
			variables[name] = cty.MapVal(variable.AsValueMap())
		}
	}
	return &hcl.EvalContext{Variables: variables, Functions: functions}
}

func wanted(line []byte) cty.Value {
	var typed struct{ Type, Value json.RawMessage }
	check(json.Unmarshal(line, &typed))
	ty, err := ctyjson.UnmarshalType(typed.Type)
	check(err)
	value, err := ctyjson.Unmarshal(typed.Value, ty)
	check(err)
	return value
}

// evaluation returns the number of scopes and a function that evaluates the workload with one of them.
func evaluation(folder, workload string) (int, func(int)) {
	parsed := expression(folder, workload)
	var scopes []*hcl.EvalContext
	for _, line := range readLines(folder, "bench/inputs", workload+".ndjson") {
		scopes = append(scopes, scope(line))
	}
	want := readLines(folder, "bench/want", workload+".ndjson")
	if len(want) != len(scopes) {
		check(fmt.Errorf("%s: %d scopes, %d answers", workload, len(scopes), len(want)))
	}
	for i := range scopes {
		got, diagnostics := parsed.Value(scopes[i])
		checkDiagnostics(diagnostics)
		if !got.RawEquals(wanted(want[i])) {
			check(fmt.Errorf("%s: scope %d: got %#v, want %s", workload, i, got, want[i]))
		}
	}
	return len(scopes), func(i int) {
		if _, diagnostics := parsed.Value(scopes[i]); diagnostics != nil {
			checkDiagnostics(diagnostics)
		}
	}
}

// parsing returns a function that reads one of the large inputs to its tree.
func parsing(folder, workload string) func(int) {
	const blocks = 5000
	if workload == "P2" {
		text := readFile(folder, "bench/inputs/parse.json")
		return func(int) {
			_, diagnostics := hcljson.Parse(text, "parse.json")
			checkDiagnostics(diagnostics)
		}
	}
	text := readFile(folder, "bench/inputs/parse.hcl")
	return func(int) {
		file, diagnostics := hclsyntax.ParseConfig(text, "parse.hcl", start)
		checkDiagnostics(diagnostics)
		if n := len(file.Body.(*hclsyntax.Body).Blocks); n != blocks {
			check(fmt.Errorf("P1: %d blocks", n))
		}
	}
}

func goRound(count, scopes int, step func(int)) {
	at := 0
	for i := 0; i < count; i++ {
		step(at)
		if at++; at == scopes {
			at = 0
		}
	}
}

func clamp(x, low, high float64) float64 {
	if x < low {
		return low
	} else if x > high {
		return high
	}
	return x
}

// processorTime is in seconds.
func processorTime() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) * 1e-9
}

// measure goes round the scopes ever longer, until one go took minTime seconds; that one counts.
func measure(workload string, minTime float64, scopes int, step func(int)) {
	goRound(scopes, scopes, step)
	for count := scopes; ; {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := processorTime()
		goRound(count, scopes, step)
		elapsed := processorTime() - begin
		runtime.ReadMemStats(&after)
		if elapsed >= minTime {
			each := func(x uint64) float64 { return float64(x) / float64(count) }
			fmt.Printf("{\"workload\":%q,\"ns\":%.6g,\"allocs\":%.6g,\"bytes\":%.6g,\"iterations\":%d}\n", workload,
				elapsed*1e9/float64(count), each(after.Mallocs-before.Mallocs), each(after.TotalAlloc-before.TotalAlloc), count)
			return
		}
		factor := clamp(minTime*1.2/(elapsed+1e-9), 1.5, 10)
		count = (int(float64(count)*factor)/scopes + 1) * scopes
	}
}

func main() {
	version := flag.Bool("version", false, "print the versions of the library and of Go")
	workload := flag.String("workload", "", "W0 to W9, P1 or P2")
	minTime := flag.Float64("min-time", 0.2, "seconds")
	// The folder comes before the options.
	args := os.Args[1:]
	folder := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		folder, args = args[0], args[1:]
	}
	check(flag.CommandLine.Parse(args))
	if *version {
		fmt.Printf("hashicorp/hcl %s, %s\n", hclVersion, runtime.Version())
		return
	}
	scopes, step := 1, func(int) {}
	if *workload == "P1" || *workload == "P2" {
		step = parsing(folder, *workload)
	} else {
		scopes, step = evaluation(folder, *workload)
	}
	measure(*workload, *minTime, scopes, step)
}
