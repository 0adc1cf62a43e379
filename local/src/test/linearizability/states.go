package main

import (
	"fmt"
	"hash/maphash"

	"github.com/anishathalye/porcupine"
)

var seed = maphash.MakeSeed()

// model makes a model of what may follow from a request in a state; nothing where its answer contradicts the state.
func model[S comparable](first S, next func(S, request) []S) porcupine.Model {
	states := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{first} },
		Step: func(state, input, _ interface{}) []interface{} {
			var after []interface{}
			for _, s := range next(state.(S), input.(request)) {
				after = append(after, s)
			}
			return after
		},
		Hash:              func(state interface{}) uint64 { return maphash.Comparable(seed, state.(S)) },
		DescribeOperation: func(input, _ interface{}) string { return describe(input.(request)) },
		DescribeState:     func(state interface{}) string { return fmt.Sprintf("%+v", state) },
	}
	return states.ToModel()
}
