package main

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

var start = hcl.Pos{Line: 1, Column: 1}

type object = map[string]interface{}

func failed(phase string, diagnostics hcl.Diagnostics) object {
	for _, d := range diagnostics {
		if d.Severity != hcl.DiagError {
			continue
		}
		result := object{"error": phase, "message": d.Summary + ": " + d.Detail}
		if d.Subject != nil {
			s := d.Subject
			result["at"] = []int{s.Start.Line, s.Start.Column, s.End.Line, s.End.Column}
		}
		return result
	}
	return object{"error": phase}
}

// answer never panics: a mistake of the reference's is an answer, too.
func answer(program request, scope *hcl.EvalContext) (result object) {
	defer func() {
		if problem := recover(); problem != nil {
			result = object{"error": "panic", "message": fmt.Sprint(problem)}
		}
	}()
	source := []byte(program.Source)
	switch program.Kind {
	case "expr":
		expr, diagnostics := hclsyntax.ParseExpression(source, "", start)
		return evaluated(expr, diagnostics, scope)
	case "template":
		expr, diagnostics := hclsyntax.ParseTemplate(source, "", start)
		return evaluated(expr, diagnostics, scope)
	case "traversal":
		return traversal(source)
	case "body":
		return body(source, scope)
	case "json_attributes":
		return jsonAttributes(source, scope)
	case "json_literal":
		return jsonAttributes(source, nil)
	case "format":
		return object{"text": string(hclwrite.Format(source))}
	}
	return object{"error": "not supported"}
}

func evaluated(expr hclsyntax.Expression, diagnostics hcl.Diagnostics, scope *hcl.EvalContext) object {
	if diagnostics.HasErrors() {
		return failed("parse", diagnostics)
	}
	value, diagnostics := expr.Value(scope)
	if diagnostics.HasErrors() {
		return failed("eval", diagnostics)
	}
	return typed(value)
}

func traversal(source []byte) object {
	steps, diagnostics := hclsyntax.ParseTraversalAbs(source, "", start)
	if diagnostics.HasErrors() {
		return failed("parse", diagnostics)
	}
	var result []object
	for _, step := range steps {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			result = append(result, object{"root": step.Name})
		case hcl.TraverseAttr:
			result = append(result, object{"attr": step.Name})
		case hcl.TraverseIndex:
			result = append(result, object{"index": typedValue(step.Key)})
		}
	}
	return object{"traversal": result}
}

func body(source []byte, scope *hcl.EvalContext) object {
	file, diagnostics := hclsyntax.ParseConfig(source, "", start)
	if diagnostics.HasErrors() {
		return failed("parse", diagnostics)
	}
	result, diagnostics := walk(file.Body.(*hclsyntax.Body), scope)
	if diagnostics.HasErrors() {
		return failed("eval", diagnostics)
	}
	return result
}

// walk evaluates in the order of the source, so that the first diagnostic is the first in the source.
func walk(body *hclsyntax.Body, scope *hcl.EvalContext) (object, hcl.Diagnostics) {
	var diagnostics hcl.Diagnostics
	attributes := object{}
	blocks := []object{}
	type item struct {
		at   int
		walk func()
	}
	var items []item
	for name, attribute := range body.Attributes {
		name, attribute := name, attribute
		items = append(items, item{attribute.SrcRange.Start.Byte, func() {
			value, more := attribute.Expr.Value(scope)
			diagnostics = append(diagnostics, more...)
			if !more.HasErrors() {
				attributes[name] = typed(value)
			}
		}})
	}
	for _, block := range body.Blocks {
		block := block
		items = append(items, item{block.TypeRange.Start.Byte, func() {
			inner, more := walk(block.Body, scope)
			diagnostics = append(diagnostics, more...)
			labels := append([]string{}, block.Labels...)
			blocks = append(blocks, object{"type": block.Type, "labels": labels, "body": inner})
		}})
	}
	sort.Slice(items, func(i, j int) bool { return items[i].at < items[j].at })
	for _, item := range items {
		item.walk()
	}
	return object{"attributes": attributes, "blocks": blocks}, diagnostics
}

// jsonAttributes evaluates in the order of the names and ends with the first attribute that fails, as the conformance
// cases do. Without a scope the strings are literal.
func jsonAttributes(source []byte, scope *hcl.EvalContext) object {
	file, diagnostics := hcljson.Parse(source, "")
	if diagnostics.HasErrors() {
		return failed("parse", diagnostics)
	}
	attributes, diagnostics := file.Body.JustAttributes()
	names := make([]string, 0, len(attributes))
	for name := range attributes {
		names = append(names, name)
	}
	sort.Strings(names)
	result := object{}
	for _, name := range names {
		value, more := attributes[name].Expr.Value(scope)
		if more.HasErrors() {
			return failed("eval", more)
		}
		result[name] = typed(value)
	}
	if diagnostics.HasErrors() {
		return failed("eval", diagnostics)
	}
	return object{"attributes": result}
}

func typed(value cty.Value) object {
	return object{"type": typeJSON(value.Type()), "value": typedValue(value)}
}
