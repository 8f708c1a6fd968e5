// The oracle of tools/differential: the reference implementation, hashicorp/hcl, with zclconf/go-cty.
//
//	oracle VARIABLES.json
//
// VARIABLES.json is tests/conformance/variables.json. The first line of the output says what answers: {"version": TEXT,
// "functions": [NAME...]}. Then each line of the input is a program, {"kind": K, "source": TEXT}, where K is "expr",
// "template", "body", "json_attributes", "json_literal", "traversal" or "format", whose answer is {"text": TEXT}. Programs are answered in their order, one line
// each, when an empty line is read; until then nothing is written, so that whoever writes programs need not read.
//
// An answer has the form of the conformance cases: {"type": T, "value": V} and so on, or {"error": "parse" or "eval",
// "at": [line, column, end line, end column], "message": TEXT}. A panic is the error "panic".
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sort"

	"github.com/hashicorp/hcl/v2"
)

// hclVersion is set by the linker: -ldflags "-X main.hclVersion=2.14.1".
var hclVersion = "of unknown version"

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(2)
	}
}

type request struct {
	Kind   string `json:"kind"`
	Source string `json:"source"`
}

func hello(out *json.Encoder) {
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	sort.Strings(names)
	check(out.Encode(map[string]interface{}{
		"version":   fmt.Sprintf("hashicorp/hcl %s, %s", hclVersion, runtime.Version()),
		"functions": names,
	}))
}

// serve answers until the end of the input.
func serve(scope *hcl.EvalContext) {
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	hello(encoder)
	check(out.Flush())
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var programs []request
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		if len(line) > 1 {
			var program request
			check(json.Unmarshal(line, &program))
			programs = append(programs, program)
			continue
		}
		for _, program := range programs {
			check(encoder.Encode(answer(program, scope)))
		}
		check(out.Flush())
		programs = programs[:0]
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: oracle VARIABLES.json")
		os.Exit(2)
	}
	text, err := os.ReadFile(os.Args[1])
	check(err)
	variables, err := readVariables(text)
	check(err)
	serve(&hcl.EvalContext{Variables: variables, Functions: functions})
}
