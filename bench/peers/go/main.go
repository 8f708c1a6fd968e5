// The peer in Go: the reference implementation, hashicorp/hcl, with zclconf/go-cty.
//
//	hashicorp FOLDER --workload W0..W9|B01..B30|P1|P2 --min-time 0.2
//	hashicorp FOLDER --workload B01 --answers
//
// FOLDER contains bench/inputs, bench/breadth and bench/want. Answers are checked, then one line of JSON is printed; see
// bench/peers/measure.h. The second form prints the answers, as bench/want has them. An expression is parsed once, and its scopes are EvalContexts made beforehand. Time is
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
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// hclVersion is set by the linker: -ldflags "-X main.hclVersion=2.14.1".
var hclVersion = "of unknown version"

var start = hcl.Pos{Line: 1, Column: 1}

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

// program is what evaluates a workload: an expression, or the attributes of a config as an object.
type program func(*hcl.EvalContext) (cty.Value, hcl.Diagnostics)

func load(folder, workload string) program {
	path := filepath.Join(folder, "bench/breadth", workload)
	if text, err := os.ReadFile(path + ".config.hcl"); err == nil {
		return config(text, workload)
	} else if text, err := os.ReadFile(path + ".hcl"); err == nil {
		return expression(text, workload)
	}
	var sources map[string]string
	check(json.Unmarshal(readFile(folder, "bench/inputs/workloads.json"), &sources))
	source, ok := sources[workload]
	if !ok {
		check(fmt.Errorf("no such workload: %q", workload))
	}
	return expression([]byte(source), workload)
}

func expression(source []byte, name string) program {
	parsed, diagnostics := hclsyntax.ParseExpression(source, name, start)
	checkDiagnostics(diagnostics)
	return parsed.Value
}

func config(source []byte, name string) program {
	file, diagnostics := hclsyntax.ParseConfig(source, name, start)
	checkDiagnostics(diagnostics)
	attributes, diagnostics := file.Body.JustAttributes()
	checkDiagnostics(diagnostics)
	return func(scope *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
		values := make(map[string]cty.Value, len(attributes))
		for name, attribute := range attributes {
			value, diagnostics := attribute.Expr.Value(scope)
			if diagnostics.HasErrors() {
				return cty.DynamicVal, diagnostics
			}
			values[name] = value
		}
		return cty.ObjectVal(values), nil
	}
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

// The collections of W0 to W9 have one type of element; those of the breadth workloads stay what JSON makes of them.
func scope(line []byte, declared bool) *hcl.EvalContext {
	ty, err := ctyjson.ImpliedType(line)
	check(err)
	value, err := ctyjson.Unmarshal(line, ty)
	check(err)
	variables := integers(value).AsValueMap()
	for name, variable := range variables {
		if !declared {
			break
		}
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

// plain is JSON without the escapes that Go makes for the sake of HTML.
func plain(text []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value interface{}
	check(decoder.Decode(&value))
	var result strings.Builder
	encoder := json.NewEncoder(&result)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(value))
	return strings.TrimSpace(result.String())
}

func printAnswers(evaluate program, scopes []*hcl.EvalContext) {
	for _, scope := range scopes {
		value, diagnostics := evaluate(scope)
		checkDiagnostics(diagnostics)
		ty, err := ctyjson.MarshalType(value.Type())
		check(err)
		text, err := ctyjson.Marshal(value, value.Type())
		check(err)
		fmt.Printf("{\"type\":%s,\"value\":%s}\n", ty, plain(text))
	}
}

// evaluation returns the number of scopes and a function that evaluates the workload with one of them.
func evaluation(folder, workload string, answers bool) (int, func(int)) {
	evaluate := load(folder, workload)
	var scopes []*hcl.EvalContext
	for _, line := range readLines(folder, "bench/inputs", workload+".ndjson") {
		scopes = append(scopes, scope(line, workload[0] == 'W'))
	}
	if answers {
		printAnswers(evaluate, scopes)
		os.Exit(0)
	}
	want := readLines(folder, "bench/want", workload+".ndjson")
	if len(want) != len(scopes) {
		check(fmt.Errorf("%s: %d scopes, %d answers", workload, len(scopes), len(want)))
	}
	for i := range scopes {
		got, diagnostics := evaluate(scopes[i])
		checkDiagnostics(diagnostics)
		if !got.RawEquals(wanted(want[i])) {
			check(fmt.Errorf("%s: scope %d: got %#v, want %s", workload, i, got, want[i]))
		}
	}
	return len(scopes), func(i int) {
		if _, diagnostics := evaluate(scopes[i]); diagnostics != nil {
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
	workload := flag.String("workload", "", "W0 to W9, B01 to B30, P1 or P2")
	answers := flag.Bool("answers", false, "print the answers")
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
		scopes, step = evaluation(folder, *workload, *answers)
	}
	measure(*workload, *minTime, scopes, step)
}
