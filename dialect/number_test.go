package dialect_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/google/go-cmp/cmp"
)

func TestNumber(t *testing.T) {
	for raw, want := range map[string]dialect.Number{
		`7`:            {Value: 7, Valid: true},
		`-1.5e3`:       {Value: -1500, Valid: true},
		`"4210"`:       {Value: 4210, Valid: true},
		`"130.5"`:      {Value: 130.5, Valid: true},
		`0`:            {Valid: true},
		`""`:           {},
		`"7 ms"`:       {},
		`"1_000"`:      {},
		`"0x1p4"`:      {},
		`"Infinity"`:   {},
		`"NaN"`:        {},
		`1e999`:        {},
		`null`:         {},
		`true`:         {},
		`[7]`:          {},
		`{"value":7}`:  {},
		`"\u0037"`:     {Value: 7, Valid: true},
		`"--7"`:        {},
		`"7\u0000"`:    {},
		`-0.0`:         {Valid: true},
		`"1e400"`:      {},
		`4503599627.5`: {Value: 4503599627.5, Valid: true},
	} {
		p, err := dialect.Lenient[params](json.RawMessage(`{"number":` + raw + `}`))
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		got := p.Number
		if string(got.Raw) != raw {
			t.Errorf("%s: Raw is %s", raw, got.Raw)
		}
		if back, err := json.Marshal(got); err != nil || string(back) != raw {
			t.Errorf("%s: written again it is %s (%v)", raw, back, err)
		}
		got.Raw = nil
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", raw, d)
		}
	}
}

func TestNumberOfOnesOwn(t *testing.T) {
	for want, n := range map[string]dialect.Number{
		`null`: {}, `1.5`: {Value: 1.5, Valid: true}, `1e+100`: {Value: 1e100, Valid: true},
	} {
		if got, err := json.Marshal(n); err != nil || string(got) != want {
			t.Errorf("%+v is written as %s (%v), want %s", n, got, err, want)
		}
	}
}

func TestNumberInt(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want int64
	}{
		{`1.9`, 1}, {`-1.9`, -1}, {`1e30`, 1<<63 - 1}, {`-1e30`, -1 << 63}, {`9223372036854775807`, 1<<63 - 1}, {`9007199254740993`, 9007199254740993}, {`"9007199254740993"`, 9007199254740993}, {`"x"`, 0}, {`null`, 0},
	} {
		var n dialect.Number
		if err := n.UnmarshalJSON([]byte(c.raw)); err != nil || n.Int() != c.want {
			t.Errorf("%s: Int is %d (%v), want %d", c.raw, n.Int(), err, c.want)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{`7`, `"7"`, `1e999`, `"`, `null`, `-0`, `"0x1p4"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var n dialect.Number
		if err := n.UnmarshalJSON(raw); err != nil {
			t.Fatal(err)
		}
		if !n.Valid && (n.Value != 0 || n.Int() != 0) {
			t.Errorf("no number, and yet %v", n.Value)
		}
		if json.Valid(raw) {
			if out, err := json.Marshal(n); err != nil || !json.Valid(out) {
				t.Errorf("written again it is %s (%v)", out, err)
			}
		}
	})
}

func TestNumberDuration(t *testing.T) {
	for raw, want := range map[string]time.Duration{
		`1500`: 1500 * time.Millisecond, `"2.5"`: 2500 * time.Microsecond, `0`: 0, `-3`: 0, `null`: 0, `1e300`: math.MaxInt64,
	} {
		var n dialect.Number
		if err := n.UnmarshalJSON([]byte(raw)); err != nil || n.Duration(time.Millisecond) != want {
			t.Errorf("%s: Duration is %v (%v), want %v", raw, n.Duration(time.Millisecond), err, want)
		}
	}
}
