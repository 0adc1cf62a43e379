// Command linearizability reads a history of requests to the registry and says of each part of it whether some order of the requests, each at a
// moment between its call and its answer, explains all answers. A part is what is independent of the rest: the scope of a lease, or an agent.
//
// Arguments: the file of the history, the seconds for each part, and a folder for pictures of parts that no order explains.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// request is one line of a history. The times are nanoseconds of a clock that only rises, beginning at the time of day.
type request struct {
	Part   string `json:"part"`
	Model  string `json:"model"`
	Client int    `json:"client"`
	Op     string `json:"op"`
	In     input  `json:"in"`
	// Absent where the client got no answer: the request was processed until Return, or never.
	Out    *output `json:"out"`
	Call   int64   `json:"call"`
	Return int64   `json:"return"`
}

type input struct {
	Agent       string `json:"agent"`
	Incarnation int64  `json:"incarnation"`
	Seconds     int64  `json:"seconds"`
	Lease       string `json:"lease"`
	Token       int64  `json:"token"`
	Replace     bool   `json:"replace"`
	Instance    string `json:"instance"`
	Name        string `json:"name"`
	Load        int64  `json:"load"`
	IfMatch     int64  `json:"if_match"`
	Interval    int64  `json:"interval"`
	Unhealthy   int64  `json:"unhealthy"`
	Dead        int64  `json:"dead"`
}

type output struct {
	HTTP        int       `json:"http"`
	Code        string    `json:"code"`
	Lease       string    `json:"lease"`
	Agent       string    `json:"agent"`
	Token       int64     `json:"token"`
	AcquiredAt  time.Time `json:"acquired_at"`
	ExpiresAt   time.Time `json:"expires_at"`
	AvailableAt time.Time `json:"available_at"`
	Incarnation int64     `json:"incarnation"`
	Version     int64     `json:"version"`
	Status      string    `json:"status"`
	Name        string    `json:"name"`
	Instance    string    `json:"instance"`
	Load        int64     `json:"load"`
	HeardAt     time.Time `json:"heard_at"`
}

// is says whether the answer has this status and, where it is a problem, this code.
func (out *output) is(http int, code string) bool {
	return out.HTTP == http && out.Code == code
}

// slack is by how many milliseconds the clock of the history and that of the registry may differ, which run on one machine.
const slack = 100

// from and until are the milliseconds between which the registry decided on the request.
func (r request) from() int64  { return r.Call/1e6 - slack }
func (r request) until() int64 { return r.Return/1e6 + slack }

// within says whether the registry may have read this time while it processed the request.
func (r request) within(moment int64) bool {
	return moment >= r.from() && moment <= r.until()
}

type verdict struct {
	Part    string `json:"part"`
	Model   string `json:"model"`
	Result  string `json:"result"`
	Ops     int    `json:"ops"`
	Unknown int    `json:"unknown"`
	Millis  int64  `json:"millis"`
	Why     string `json:"why,omitempty"`
}

var models = map[string]porcupine.Model{"lease": leaseModel(), "agent": agentModel()}

func check(part string, requests []request, limit time.Duration, pictures string) verdict {
	v := verdict{Part: part, Model: requests[0].Model, Ops: len(requests)}
	model, known := models[v.Model]
	if !known {
		fail(fmt.Errorf("no model %q", v.Model))
	}
	var operations []porcupine.Operation
	for _, r := range requests {
		if r.Out == nil {
			v.Unknown++
		}
		operations = append(operations, porcupine.Operation{ClientId: r.Client, Input: r, Call: r.Call, Return: r.Return})
	}
	start := time.Now()
	result := porcupine.CheckOperationsTimeout(model, operations, limit)
	v.Result, v.Millis = string(result), time.Since(start).Milliseconds()
	if result == porcupine.Illegal {
		_, info := porcupine.CheckOperationsVerbose(model, operations, limit)
		v.Why = explain(model, requests, info)
		picture := filepath.Join(pictures, strings.NewReplacer("/", "-", ":", "-").Replace(part)+".html")
		if err := porcupine.VisualizePath(model, info, picture); err == nil {
			v.Why += "\n  picture: " + picture
		}
	}
	return v
}

// explain says where the longest order that was found ends, and which requests were to follow.
func explain(model porcupine.Model, requests []request, info porcupine.LinearizationInfo) string {
	var longest []int
	for _, partitions := range info.PartialLinearizations() {
		for _, order := range partitions {
			if len(order) > len(longest) {
				longest = order
			}
		}
	}
	done := map[int]bool{}
	state := model.Init()
	var lines []string
	for _, i := range longest {
		done[i] = true
		_, state = model.Step(state, requests[i], nil)
		lines = append(lines, "  then "+describe(requests[i])+"\n    "+model.DescribeState(state))
	}
	if len(lines) > 8 {
		lines = lines[len(lines)-8:]
	}
	var rest []int
	for i := range requests {
		if !done[i] {
			rest = append(rest, i)
		}
	}
	sort.Slice(rest, func(a, b int) bool { return requests[rest[a]].Call < requests[rest[b]].Call })
	for n, i := range rest {
		if n < 8 {
			lines = append(lines, "  not  "+describe(requests[i]))
		}
	}
	return "\n" + strings.Join(lines, "\n")
}

func describe(r request) string {
	in, _ := json.Marshal(r.In)
	out, _ := json.Marshal(r.Out)
	return fmt.Sprintf("%s %s -> %s [%d, %d] ms", r.Op, compact(in), compact(out), r.Call/1e6, r.Return/1e6)
}

// compact leaves fields without a value out.
func compact(object []byte) string {
	fields := map[string]any{}
	if json.Unmarshal(object, &fields) != nil || len(fields) == 0 {
		return "unknown"
	}
	var texts []string
	for name, value := range fields {
		text := fmt.Sprint(value)
		if number, ok := value.(float64); ok {
			text = strconv.FormatInt(int64(number), 10)
		}
		if text != "" && text != "0" && text != "false" && !strings.HasPrefix(text, "0001-") {
			texts = append(texts, name+"="+text)
		}
	}
	sort.Strings(texts)
	return strings.Join(texts, " ")
}

func read(file string) (map[string][]request, []string) {
	opened, err := os.Open(file)
	fail(err)
	defer opened.Close()
	parts := map[string][]request{}
	var names []string
	lines := bufio.NewScanner(opened)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r request
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		fail(decoder.Decode(&r))
		if parts[r.Part] == nil {
			names = append(names, r.Part)
		}
		parts[r.Part] = append(parts[r.Part], r)
	}
	fail(lines.Err())
	return parts, names
}

func main() {
	seconds, err := strconv.Atoi(os.Args[2])
	fail(err)
	parts, names := read(os.Args[1])
	out := json.NewEncoder(os.Stdout)
	for _, name := range names {
		fail(out.Encode(check(name, parts[name], time.Duration(seconds)*time.Second, os.Args[3])))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
