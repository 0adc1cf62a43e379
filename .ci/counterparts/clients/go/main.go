// Uses the client that oapi-codegen makes in Go.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func to[T any](value T) *T { return &value }

func main() {
	withKey := WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("AGENT_HEALTH_KEY"))
		return nil
	})
	client := must(NewClientWithResponses(os.Getenv("AGENT_HEALTH_URL"), withKey))
	id, all := os.Args[1], context.Background()

	registration := AgentRegistration{AgentId: &id, Replace: to(true), Capabilities: &Capabilities{"billing"}}
	fmt.Println("registered", must(client.RegisterAgentWithResponse(all, registration)).JSON201.Incarnation)
	heartbeat := Heartbeat{Status: HeartbeatStatusActive, ClientTimestamp: time.Now().Format(time.RFC3339)}
	answer := must(client.SendHeartbeatWithResponse(all, id, heartbeat)).JSON200
	fmt.Println("heartbeat", answer.Acknowledged, answer.AgentStatus)
	batch := OutcomeBatch{BatchId: "first", Outcomes: []Outcome{{Result: OutcomeResultSuccess, LatencyMs: to(412.5)}}}
	fmt.Println("outcomes", must(client.ReportOutcomesWithResponse(all, id, batch)).JSON202.Accepted)
	listed := false
	for _, row := range must(client.ListAgentsWithResponse(all, &ListAgentsParams{Capabilities: &WithCapabilities{"billing"}})).JSON200.Agents {
		listed = listed || row.AgentId == id
	}
	fmt.Println("listed", listed)
	missing := must(client.GetAgentWithResponse(all, "missing"))
	fmt.Println("error", missing.StatusCode(), missing.ApplicationproblemJSON404.Error == "agent_not_found")
}
