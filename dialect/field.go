package dialect

// A Field of a patch is absent (zero), set or cleared.
type Field[T comparable] struct {
	value T
	state fieldState
}

type fieldState uint8

const (
	fieldAbsent fieldState = iota
	fieldSet
	fieldCleared
)

// Set returns a field that sets v.
func Set[T comparable](v T) Field[T] { return Field[T]{value: v, state: fieldSet} }

// SetNonZero returns a field that sets v, or an absent one if v is zero: for
// vendors that leave a member out and send it empty alike.
func SetNonZero[T comparable](v T) Field[T] {
	var zero T
	if v == zero {
		return Field[T]{}
	}
	return Set(v)
}

// Clear returns a field that clears the known value.
func Clear[T comparable]() Field[T] { return Field[T]{state: fieldCleared} }

// Get returns the value and whether the field sets one.
func (f Field[T]) Get() (T, bool) { return f.value, f.state == fieldSet }

// Absent reports whether the field changes nothing.
func (f Field[T]) Absent() bool { return f.state == fieldAbsent }

// Cleared reports whether the field clears the known value.
func (f Field[T]) Cleared() bool { return f.state == fieldCleared }

// Equal reports whether two fields are the same; go-cmp uses it.
func (f Field[T]) Equal(g Field[T]) bool {
	return f.state == g.state && any(f.value) == any(g.value)
}
