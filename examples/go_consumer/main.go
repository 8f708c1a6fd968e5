// Decides a request with a policy, in Go through cgo: a function that is written in Go, and variables and results as
// JSON.
package main

/*
#cgo pkg-config: hclvm-c
#include <stdlib.h>
#include "hclvm/bindings/c/hclvm.h"

// Go calls no function that takes another one of Go's; this is the body that the library calls.
extern hclvm_status goBody(hclvm_call*, void*, hclvm_value**, size_t, hclvm_value**);
extern void goFree(void*);

static hclvm_status body(hclvm_call* call, void* context, const hclvm_value* const* arguments, size_t count,
                         const hclvm_value** result) {
	return goBody(call, context, (hclvm_value**)arguments, count, (hclvm_value**)result);
}

static hclvm_status add(hclvm_functions* functions, const char* name, uintptr_t handle, hclvm_error** error) {
	hclvm_parameter parameter = {.name = "text", .type = "string"};
	hclvm_function function = {.size = sizeof(function), .name = name, .parameters = &parameter,
		.parameter_count = 1, .result_type = "string", .body = body, .context = (void*)handle, .free_context = goFree};
	return hclvm_functions_add(functions, &function, error);
}
*/
import "C"

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/cgo"
	"strings"
	"unsafe"
)

//export goBody
func goBody(call *C.hclvm_call, context unsafe.Pointer, arguments **C.hclvm_value, count C.size_t,
	result **C.hclvm_value) C.hclvm_status {
	function := cgo.Handle(uintptr(context)).Value().(func(string) (string, error))
	var text *C.char
	var size C.size_t
	if status := C.hclvm_value_string(*arguments, &text, &size); status != C.HCLVM_OK {
		return status
	}
	answer, err := function(C.GoStringN(text, C.int(size)))
	if err != nil {
		message := C.CString(err.Error())
		defer C.free(unsafe.Pointer(message))
		return C.hclvm_call_fail(call, 0, message, C.HCLVM_TERMINATED)
	}
	made := C.CString(answer)
	defer C.free(unsafe.Pointer(made))
	return C.hclvm_make_string(C.hclvm_call_heap(call), made, C.size_t(len(answer)), result, nil)
}

//export goFree
func goFree(context unsafe.Pointer) { cgo.Handle(uintptr(context)).Delete() }

// take turns an error of the library into one of Go.
func take(status C.hclvm_status, failure *C.hclvm_error) error {
	if status == C.HCLVM_OK {
		return nil
	}
	defer C.hclvm_error_free(failure)
	return errors.New(strings.TrimSpace(C.GoString(C.hclvm_error_text(failure))))
}

// Policy is a compiled text.
type Policy struct{ program *C.hclvm_program }

// Compile compiles a config that may call the function library and `functions`.
func Compile(text string, functions map[string]func(string) (string, error)) (*Policy, error) {
	var set *C.hclvm_functions
	var failure *C.hclvm_error
	if err := take(C.hclvm_functions_new(&set, &failure), failure); err != nil {
		return nil, err
	}
	defer C.hclvm_functions_free(set)
	if err := take(C.hclvm_functions_add_family(set, C.HCLVM_ALL_FUNCTIONS, &failure), failure); err != nil {
		return nil, err
	}
	for name, function := range functions {
		handle := cgo.NewHandle(function)
		cname := C.CString(name)
		err := take(C.add(set, cname, C.uintptr_t(handle), &failure), failure)
		C.free(unsafe.Pointer(cname))
		if err != nil {
			handle.Delete()
			return nil, err
		}
	}
	// C memory: the library reads a pointer to a pointer.
	options := (*C.hclvm_compile_options)(C.calloc(1, C.sizeof_hclvm_compile_options))
	defer C.free(unsafe.Pointer(options))
	options.size = C.sizeof_hclvm_compile_options
	options.functions = set
	ctext := C.CString(text)
	defer C.free(unsafe.Pointer(ctext))
	policy := &Policy{}
	status := C.hclvm_compile(ctext, C.size_t(len(text)), options, &policy.program, &failure)
	return policy, take(status, failure)
}

// Free gives the memory back.
func (p *Policy) Free() { C.hclvm_program_free(p.program) }

// Evaluate evaluates the policy with variables, and reads its attributes into `result`. Safe for many goroutines, each
// of which takes an evaluator of its own here.
func (p *Policy) Evaluate(variables, result any) error {
	var evaluator *C.hclvm_evaluator
	var failure *C.hclvm_error
	if err := take(C.hclvm_evaluator_new(p.program, nil, &evaluator, &failure), failure); err != nil {
		return err
	}
	defer C.hclvm_evaluator_free(evaluator)
	scope, err := json.Marshal(variables)
	if err != nil {
		return err
	}
	cscope := C.CBytes(scope)
	defer C.free(cscope)
	var out *C.char
	var size C.size_t
	status := C.hclvm_evaluator_run_json(evaluator, (*C.char)(cscope), C.size_t(len(scope)), &out, &size, &failure)
	if err := take(status, failure); err != nil {
		return err
	}
	return json.Unmarshal([]byte(C.GoStringN(out, C.int(size))), result)
}

func run() error {
	policy, err := Compile("allow = contains(owners, user)\nline = \"${reverse_text(user)} ${length(owners)}\"\n",
		map[string]func(string) (string, error){"reverse_text": func(text string) (string, error) {
			if text == "" {
				return "", errors.New("must not be empty")
			}
			runes := []rune(text)
			for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
				runes[i], runes[j] = runes[j], runes[i]
			}
			return string(runes), nil
		}})
	if err != nil {
		return err
	}
	defer policy.Free()
	var decision struct {
		Allow bool
		Line  string
	}
	for _, user := range []string{"ann", ""} {
		variables := map[string]any{"user": user, "owners": []string{"ann", "bob"}}
		if err := policy.Evaluate(variables, &decision); err != nil {
			fmt.Println(strings.SplitN(err.Error(), "\n", 2)[0])
			continue
		}
		fmt.Println(decision.Allow, decision.Line)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
