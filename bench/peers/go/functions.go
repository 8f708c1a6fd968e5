package main

import (
	"errors"
	"hash/crc32"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// onTexts is a function of two strings.
func onTexts(result cty.Type, call func(a, b string) (cty.Value, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "a", Type: cty.String}, {Name: "b", Type: cty.String}},
		Type:   function.StaticReturnType(result),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return call(args[0].AsString(), args[1].AsString())
		},
	})
}

func predicate(holds func(a, b string) bool) function.Function {
	return onTexts(cty.Bool, func(a, b string) (cty.Value, error) { return cty.BoolVal(holds(a, b)), nil })
}

// untilBool looks at a list of bools until one is `stop`.
func untilBool(stop bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			// A condition is tried with unknown variables before its loop runs.
			if !args[0].IsWhollyKnown() {
				return cty.UnknownVal(cty.Bool), nil
			}
			for it := args[0].ElementIterator(); it.Next(); {
				if _, v := it.Element(); !v.IsNull() && v.True() == stop {
					return cty.BoolVal(stop), nil
				}
			}
			return cty.BoolVal(!stop), nil
		},
	})
}

var sum = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.List(cty.Number)}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if args[0].LengthInt() == 0 {
			return cty.NilVal, errors.New("no numbers")
		}
		total := cty.Zero
		for it := args[0].ElementIterator(); it.Next(); {
			_, v := it.Element()
			total = total.Add(v)
		}
		return total, nil
	},
})

var crc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "text", Type: cty.String}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		return cty.NumberUIntVal(uint64(crc32.ChecksumIEEE([]byte(args[0].AsString())))), nil
	},
})

func timecmp(a, b string) (cty.Value, error) {
	first, err := time.Parse(time.RFC3339, a)
	if err != nil {
		return cty.NilVal, err
	}
	second, err := time.Parse(time.RFC3339, b)
	if err != nil {
		return cty.NilVal, err
	}
	return cty.NumberIntVal(int64(map[bool]int{true: 1}[first.After(second)] - map[bool]int{true: 1}[first.Before(second)])), nil
}

// functions are what the workloads call. Those that the reference's library lacks are made here.
var functions = map[string]function.Function{
	"alltrue":         untilBool(false),
	"anytrue":         untilBool(true),
	"can":             tryfunc.CanFunc,
	"coalesce":        stdlib.CoalesceFunc,
	"compact":         stdlib.CompactFunc,
	"concat":          stdlib.ConcatFunc,
	"contains":        stdlib.ContainsFunc,
	"crc32":           crc,
	"distinct":        stdlib.DistinctFunc,
	"endswith":        predicate(strings.HasSuffix),
	"flatten":         stdlib.FlattenFunc,
	"floor":           stdlib.FloorFunc,
	"format":          stdlib.FormatFunc,
	"formatdate":      stdlib.FormatDateFunc,
	"join":            stdlib.JoinFunc,
	"jsonencode":      stdlib.JSONEncodeFunc,
	"keys":            stdlib.KeysFunc,
	"length":          stdlib.LengthFunc,
	"lookup":          stdlib.LookupFunc,
	"lower":           stdlib.LowerFunc,
	"max":             stdlib.MaxFunc,
	"merge":           stdlib.MergeFunc,
	"min":             stdlib.MinFunc,
	"regex":           stdlib.RegexFunc,
	"setintersection": stdlib.SetIntersectionFunc,
	"setsubtract":     stdlib.SetSubtractFunc,
	"setunion":        stdlib.SetUnionFunc,
	"sort":            stdlib.SortFunc,
	"split":           stdlib.SplitFunc,
	"startswith":      predicate(strings.HasPrefix),
	"strcontains":     predicate(strings.Contains),
	"sum":             sum,
	"timeadd":         stdlib.TimeAddFunc,
	"timecmp":         onTexts(cty.Number, timecmp),
	"tonumber":        stdlib.MakeToFunc(cty.Number),
	"trimprefix":      stdlib.TrimPrefixFunc,
	"trimspace":       stdlib.TrimSpaceFunc,
	"trimsuffix":      stdlib.TrimSuffixFunc,
	"try":             tryfunc.TryFunc,
	"upper":           stdlib.UpperFunc,
}
