// A registry of MCP servers with the types of the official one, on the port of the first argument. It lists the servers at the addresses of the
// other arguments, one a page. As in the official one, updated_since includes deleted servers, and other lists leave them out.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	registry "github.com/modelcontextprotocol/registry/pkg/api/v0"
	"github.com/modelcontextprotocol/registry/pkg/model"
)

func main() {
	var servers []registry.ServerResponse
	for i, address := range os.Args[2:] {
		servers = append(servers, registry.ServerResponse{
			Server: registry.ServerJSON{
				Schema:      model.CurrentSchemaURL,
				Name:        fmt.Sprintf("example.counterparts/server-%d", i),
				Description: "A server of an official SDK.",
				Version:     "1.0.0",
				Remotes:     []model.Transport{{Type: "streamable-http", URL: address}},
			},
			Meta: registry.ResponseMeta{Official: &registry.RegistryExtensions{
				Status: model.StatusActive, PublishedAt: time.Now(), UpdatedAt: time.Now(), StatusChangedAt: time.Now(), IsLatest: true,
			}},
		})
	}
	http.HandleFunc("GET /v0.1/servers", func(out http.ResponseWriter, request *http.Request) {
		query := request.URL.Query()
		since, err := time.Parse(time.RFC3339, query.Get("updated_since"))
		if query.Has("updated_since") && err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		var listed []registry.ServerResponse
		for _, server := range servers {
			official := server.Meta.Official
			if query.Has("updated_since") && official.UpdatedAt.After(since) || !query.Has("updated_since") && official.Status != model.StatusDeleted {
				listed = append(listed, server)
			}
		}
		page := registry.ServerListResponse{Servers: []registry.ServerResponse{}}
		if from, _ := strconv.Atoi(query.Get("cursor")); from < len(listed) {
			page.Servers = listed[from : from+1]
			if from+1 < len(listed) {
				page.Metadata.NextCursor = strconv.Itoa(from + 1)
			}
		}
		page.Metadata.Count = len(page.Servers)
		out.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out).Encode(page)
	})
	http.HandleFunc("PATCH /v0.1/servers/{name}/status", func(out http.ResponseWriter, request *http.Request) {
		for i := range servers {
			if official := servers[i].Meta.Official; servers[i].Server.Name == request.PathValue("name") {
				official.Status, official.UpdatedAt, official.StatusChangedAt = model.StatusDeleted, time.Now(), time.Now()
			}
		}
		out.WriteHeader(http.StatusOK)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
