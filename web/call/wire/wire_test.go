// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

type inner struct {
	Name string `json:"name"`
}

type list []int

// written has all kinds of fields that results of calls have.
type written struct {
	inner
	Plain  int
	Count  uint64           `json:"count"`
	Size   int64            `json:"size,omitempty"`
	Text   string           `json:"text,omitempty"`
	Yes    bool             `json:"yes,omitempty"`
	Clock  *float64         `json:"clock,omitempty"`
	Mean   float64          `json:"mean"`
	Tags   [][2]string      `json:"tags"`
	Empty  []int            `json:"empty,omitempty"`
	Nested *written         `json:"nested,omitempty"`
	Any    map[string]any   `json:"any"`
	List   []map[string]any `json:"list,omitempty"`
	Struct inner            `json:"struct,omitempty"`
	Array  [1]int           `json:"array,omitempty"`

	hidden uint8
	hook   func()
}

// read has all kinds of fields that parameters have.
type read struct {
	Games []int   `json:"games"`
	Whole bool    `json:"whole"`
	Text  string  `json:"text"`
	Terms []inner `json:"terms"`
}

// TestWritten: package encoding/json reads what is written as what it writes itself.
func TestWritten(t *testing.T) {
	zero, half := 0.0, -0.5
	for _, v := range []any{nil, 7, "x", true, []int{}, []int(nil), [2]string{"a", "b"}, map[string]any{}, written{},
		&written{inner: inner{"a\"b\\c\x00\x1f\u2028<>&é♞\xff\xc0"}, Plain: -1, Count: math.MaxUint64,
			Size: math.MinInt64, Text: "t", Yes: true, Clock: &zero, Mean: 1e300, Tags: [][2]string{{"a", ""}, {}},
			Empty: []int{}, Nested: &written{Clock: &half, Mean: 1.0 / 3}, Any: map[string]any{
				"one": 1, "list": []string{"x"}, "none": nil}, List: []map[string]any{{"a": 1e-9}}, hidden: 1,
			hook: func() {}},
	} {
		text, err := Append([]byte("kept"), v)
		if err != nil || string(text[:4]) != "kept" {
			t.Fatalf("%v: %s, %v", v, text, err)
		}
		theirs, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(text[4:], &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := json.Unmarshal(theirs, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s, want %s", text[4:], theirs)
		}
	}
	for _, v := range []any{math.NaN(), math.Inf(-1), int8(1), map[int]any{}, []any{func() {}}, map[string]any{"a": 1i},
		struct{ *inner }{}, struct{ list }{}, struct {
			inner `json:"i"`
		}{}, struct {
			A int `json:"-"`
		}{}, struct {
			A int `json:"a,string"`
		}{}, struct {
			A int `json:"a,omitempty,string"`
		}{}} {
		if text, err := Append(nil, v); !errors.Is(err, ErrType) {
			t.Errorf("%v: %s, %v", v, text, err)
		}
	}
}

var texts = []string{`{}`, ` { "games" : [ 1 , -2,0 ] , "whole":true,"text":"a","terms":[{"name":"b"},{}]}`, `null`,
	`{"games":null,"text":null,"whole":null}`, `{"games":[]}`,
	`{"text":"\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00\ud83d\ud83dx\ud83d\u0041\udc00"}`, "{\"text\":\"\xff\xc3\"}",
	`{"text":"a","text":"b"}`, `{"games":[1],"games":[null]}`, `{"terms":[{"x":1}],"terms":[]}`,
	``, ` `, `{`, `{}x`, `{} {}`, `[]`, `{"unknown":1}`, `{"games":[1,]}`, `{"games":[1 2]}`, `{"games":[01]}`,
	`{"games":[-]}`, `{"games":[]`, `{"games":[+1]}`, `{"games":[1.5]}`, `{"games":[1e2]}`,
	`{"games":[99999999999999999999]}`, `{"games":"1"}`, `{"games":[--1]}`, `{"games":[-01]}`, `{"whole":1}`,
	`{"whole":True}`, `{"whole":nul}`, `{"text":"a}`, `{"text":"\x"}`, `{"text":"\u12"}`,
	`{"text":"\u+123"}`, `{"text":"\u1_23"}`, `{"text":"\`, "{\"text\":\"\n\"}", `{"text" "a"}`, `{"text":"a",}`, `{,}`,
	`{text:"a"}`, `{"terms":{}}`, `{"terms":[{"name":"a","more":1}]}`, `{"text":'a'}`}

// repeats tells whether an object in a text has a name twice.
func repeats(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	names := []map[string]bool{nil} // of each object that is open: nil for a list
	isName := false
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		last := len(names) - 1
		switch token {
		case json.Delim('{'):
			names = append(names, map[string]bool{})
		case json.Delim('['):
			names = append(names, nil)
		case json.Delim('}'), json.Delim(']'):
			names = names[:last]
		default:
			if name, ok := token.(string); ok && isName {
				if names[last][name] {
					return true
				}
				names[last][name] = true
				isName = false
				continue
			}
		}
		isName = names[len(names)-1] != nil
	}
}

// alike fails unless a text is read as encoding/json reads it, or refused by both. Of a name that an object has twice,
// encoding/json reads the second value into the first one: such a text is not compared.
func alike(t *testing.T, text string) {
	var got, want read
	err := Read([]byte(text), &got)
	d := json.Unmarshal([]byte(text), &want)
	if err != nil && !errors.Is(err, ErrSyntax) {
		t.Fatalf("%q: %v", text, err)
	}
	if repeats(text) {
		return
	}
	if err == nil && (d != nil || !reflect.DeepEqual(got, want)) {
		t.Errorf("%q: %+v, want %+v, %v", text, got, want, d)
	}
	if names := map[string]any{}; err != nil && d == nil && json.Unmarshal([]byte(text), &names) == nil {
		// What it takes and we do not is a name that is unknown, or is written in other letters.
		for name, v := range names {
			if name != "games" && name != "whole" && name != "text" && name != "terms" {
				return
			}
			list, _ := v.([]any)
			for _, one := range list {
				object, _ := one.(map[string]any)
				for name := range object {
					if name != "name" {
						return
					}
				}
			}
		}
		t.Errorf("%q: %v", text, err)
	}
}

func TestRead(t *testing.T) {
	for _, text := range texts {
		alike(t, text)
	}
	var last read
	if err := Read([]byte(`{"text":"a","games":[1],"terms":[{"name":"x"}],"text":"b","games":[2,3],"terms":[{}]}`),
		&last); err != nil || !reflect.DeepEqual(last, read{Games: []int{2, 3}, Text: "b", Terms: []inner{{}}}) {
		t.Errorf("of a name that stands twice, the last value counts: %+v, %v", last, err)
	}
	if err := Read([]byte(`{"unknown":1}`), &read{}); !errors.Is(err, ErrSyntax) {
		t.Errorf("a field that is unknown: %v", err)
	}
	if err := Read([]byte(`{"hidden":1}`), &struct{ hidden int }{}); !errors.Is(err, ErrSyntax) {
		t.Errorf("a field that is not exported: %v", err)
	}
	for _, v := range []any{&struct {
		F float64 `json:"f"`
	}{}, &struct{ inner }{}, &struct {
		F int `json:"f,string"`
	}{}} {
		if err := Read([]byte(`{"f":1}`), v); !errors.Is(err, ErrType) || errors.Is(err, ErrSyntax) {
			t.Errorf("%T, a type that no call has: %v", v, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(alike)
}
