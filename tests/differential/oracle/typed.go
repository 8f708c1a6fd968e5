package main

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

func typeJSON(ty cty.Type) json.RawMessage {
	text, err := ctyjson.MarshalType(ty)
	if err != nil {
		panic(err)
	}
	return text
}

// typedValue is the V of {"type": T, "value": V}.
func typedValue(v cty.Value) interface{} {
	v, _ = v.Unmark()
	ty := v.Type()
	switch {
	case !v.IsKnown():
		return object{"$unknown": typeJSON(ty)}
	case v.IsNull():
		return nil
	case ty == cty.Number:
		return number(v.AsBigFloat())
	case ty == cty.String:
		return v.AsString()
	case ty == cty.Bool:
		return v.True()
	case ty.IsMapType() || ty.IsObjectType():
		result := object{}
		for it := v.ElementIterator(); it.Next(); {
			key, element := it.Element()
			result[key.AsString()] = typedValue(element)
		}
		return result
	case v.CanIterateElements():
		result := []interface{}{}
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			result = append(result, typedValue(element))
		}
		return result
	}
	panic(fmt.Sprintf("a value of type %s", ty.FriendlyName()))
}

// number is a plain decimal, unless it has too many digits for anybody.
func number(f *big.Float) interface{} {
	const most = 1 << 20
	exponent := f.MantExp(nil)
	switch {
	case f.IsInf() && f.Sign() > 0:
		return object{"$number": "+Inf"}
	case f.IsInf():
		return object{"$number": "-Inf"}
	case exponent > most || exponent < -most:
		return object{"$number": "beyond 2^1048576"}
	case f.IsInt():
		return json.RawMessage(f.Text('f', 0))
	}
	return json.RawMessage(f.Text('f', -1))
}

func readVariables(text []byte) (map[string]cty.Value, error) {
	var all map[string]struct{ Type, Value json.RawMessage }
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	variables := make(map[string]cty.Value, len(all))
	for name, variable := range all {
		ty, err := readType(variable.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if variables[name], err = readValue(variable.Value, ty); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return variables, nil
}

func readType(text json.RawMessage) (cty.Type, error) { return ctyjson.UnmarshalType(text) }

// readValue reads the V of {"type": ty, "value": V}.
func readValue(text json.RawMessage, ty cty.Type) (cty.Value, error) {
	var unknown struct {
		Type json.RawMessage `json:"$unknown"`
	}
	if json.Unmarshal(text, &unknown) == nil && unknown.Type != nil {
		of, err := readType(unknown.Type)
		return cty.UnknownVal(of), err
	}
	if string(text) == "null" || ty.IsPrimitiveType() {
		return ctyjson.Unmarshal(text, ty)
	}
	if ty.IsMapType() || ty.IsObjectType() {
		return readMembers(text, ty)
	}
	return readElements(text, ty)
}

func readMembers(text json.RawMessage, ty cty.Type) (cty.Value, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return cty.NilVal, err
	}
	values := make(map[string]cty.Value, len(members))
	for name, member := range members {
		of := cty.DynamicPseudoType
		if ty.IsMapType() {
			of = ty.ElementType()
		} else if ty.HasAttribute(name) {
			of = ty.AttributeType(name)
		}
		var err error
		if values[name], err = readValue(member, of); err != nil {
			return cty.NilVal, err
		}
	}
	switch {
	case ty.IsObjectType():
		return cty.ObjectVal(values), nil
	case len(values) == 0:
		return cty.MapValEmpty(ty.ElementType()), nil
	}
	return cty.MapVal(values), nil
}

func readElements(text json.RawMessage, ty cty.Type) (cty.Value, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return cty.NilVal, err
	}
	values := make([]cty.Value, len(items))
	for i, item := range items {
		of := cty.DynamicPseudoType
		if ty.IsTupleType() {
			of = ty.TupleElementType(i)
		} else {
			of = ty.ElementType()
		}
		var err error
		if values[i], err = readValue(item, of); err != nil {
			return cty.NilVal, err
		}
	}
	switch {
	case ty.IsTupleType():
		return cty.TupleVal(values), nil
	case ty.IsSetType() && len(values) == 0:
		return cty.SetValEmpty(ty.ElementType()), nil
	case ty.IsSetType():
		return cty.SetVal(values), nil
	case len(values) == 0:
		return cty.ListValEmpty(ty.ElementType()), nil
	}
	return cty.ListVal(values), nil
}
