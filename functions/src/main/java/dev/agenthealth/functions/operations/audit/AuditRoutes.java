package dev.agenthealth.functions.operations.audit;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** {@code GET /v1/admin/audit}: shows the audit log. No route changes it. Thread-safe. */
public final class AuditRoutes {

    private static final Duration DEFAULT_RANGE = Duration.ofDays(7);
    private static final int MAX_ID = 256;
    private static final String OBJECT_TYPE = "object_type";
    private static final String OBJECT_ID = "object_id";

    private final AuditStore audit;
    private final Clock clock;

    public AuditRoutes(Database database, Clock clock) {
        this.audit = new AuditStore(database);
        this.clock = clock;
    }

    public void addTo(Routes routes) {
        routes.on("GET /v1/admin/audit", ADMINISTRATOR, this::list, QUERY);
    }

    /** Returns a page, newest first. It is short if filters exclude most entries. */
    private ApiResponse list(ApiRequest request) {
        Fields query = request.queryFields();
        Instant until = query.timestamp("until").orElse(Instant.MAX);
        Instant now = clock.instant();
        Instant since =
                query.timestamp("since").orElseGet(() -> (until.isAfter(now) ? now : until).minus(DEFAULT_RANGE));
        String type = query.text(OBJECT_TYPE, MAX_ID);
        String id = query.text(OBJECT_ID, MAX_ID);
        if (type.isEmpty() && !id.isEmpty()) {
            query.refuse(OBJECT_ID, "needs an " + OBJECT_TYPE);
        }
        String agentId = query.id("agent_id");
        Predicate<JsonNode> wanted = having(query.text("author", MAX_ID), "author", "id")
                .and(having(type, "object", "type"))
                .and(having(id, "object", "id"))
                .and(having(query.text("action", MAX_ID), "action"))
                .and(having(query.text("outcome", MAX_ID), "outcome"))
                .and(having(agentId, "agent_id"));
        Paging paging = Paging.of(request, query);
        query.check();
        ListPage<JsonNode> page = audit.page(
                paging.after(),
                since,
                until,
                paging.limit(),
                Optional.of(agentId.isEmpty() ? new AuditObject(type, id) : AuditObject.agent(agentId))
                        .filter(object -> !object.id().isEmpty()),
                wanted);
        ObjectNode json = Json.object();
        ArrayNode entries = json.putArray("entries");
        page.items().forEach(detail -> entries.add(entry((ObjectNode) detail)));
        PageToken.putNext(json, request, page.next());
        return ApiResponse.json(200, json);
    }

    private static Predicate<JsonNode> having(String text, String... path) {
        return detail -> {
            JsonNode found = detail;
            for (String field : path) {
                found = found.path(field);
            }
            return text.isEmpty() || found.asText().equals(text);
        };
    }

    /** Returns an entry in its published form. */
    private static ObjectNode entry(ObjectNode detail) {
        ObjectNode entry = Json.object();
        entry.set("audit_id", detail.get("event_id"));
        entry.set("at", detail.get("timestamp"));
        detail.without(List.of("type", "event_id", "timestamp", "severity"));
        return entry.setAll(detail);
    }
}
