package dev.agenthealth.functions.operations.stops;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.health.trust.StopScope.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The routes of stops. */
public final class StopRoutes {

    private static final String PATH = "/v1/admin/stop";
    private static final String ALL = "all";
    private static final String REASON = "reason";

    /** The fields that name the agents of a stop, by kind. */
    private static final Map<Kind, String> FIELDS =
            Map.of(Kind.AGENT, "agent_id", Kind.ROLE, "role_id", Kind.KEY, "key_id");

    private final Stopping stopping;

    public StopRoutes(Wiring wiring, Database database, Log log) {
        this.stopping = new Stopping(wiring, database, log);
    }

    public void addTo(Routes routes) {
        routes.on("POST " + PATH, ADMINISTRATOR, this::stop)
                .on("GET " + PATH, ADMINISTRATOR, request -> list())
                .on("DELETE " + PATH, ADMINISTRATOR, this::lift, QUERY);
    }

    /** {@code POST /v1/admin/stop}: stops agents. With {@code "dry_run": true} it only counts them. */
    private ApiResponse stop(ApiRequest request) {
        Fields body = request.fields();
        StopScope scope = scope(body, body.flag(ALL, false));
        boolean counts = body.flag("dry_run", false);
        String reason = counts ? body.text(REASON, Block.MAX_REASON_LENGTH) : reason(body);
        body.refuseUnknown();
        body.check();
        if (counts) {
            return ApiResponse.json(200, named(scope).setAll(counted(stopping.count(scope))));
        }
        Stopping.Stopped stopped = stopping.stop(request.author(), scope, reason);
        return ApiResponse.json(200, shown(stopped.stop()).setAll(counted(stopped.agents())));
    }

    private static String reason(Fields body) {
        body.require(REASON);
        String reason = body.text(REASON, Block.MAX_REASON_LENGTH).strip();
        if (reason.isEmpty()) {
            body.refuse(REASON, "must not be blank");
        }
        return reason;
    }

    /** Returns the section of the stops in force. */
    public Section section() {
        return new Section() {

            @Override
            public String name() {
                return "stops";
            }

            @Override
            public String idField(Fields object) {
                return FIELDS.values().stream().filter(object::has).findFirst().orElse(ALL);
            }

            @Override
            public ListPage<Exported> export(String position, int limit) {
                return Section.pageOf(
                        stopping.all().stream()
                                .map(stop -> new Exported(stop.scope().text(), declared(stop))),
                        position,
                        limit);
            }

            @Override
            public Entry read(Fields fields) {
                StopScope scope = scope(fields, fields.flag(ALL, false));
                String reason = reason(fields);
                fields.refuseUnknown();
                return Entry.of(
                        scope.text(),
                        declared(new Stop(scope, reason, "", Instant.EPOCH)),
                        () -> stopping.all().stream()
                                .filter(stop -> stop.scope().equals(scope))
                                .findFirst()
                                .map(StopRoutes::declared),
                        author -> stopping.stopLater(author, scope, reason));
            }
        };
    }

    /** Returns the fields of a stop that its author writes. */
    private static ObjectNode declared(Stop stop) {
        return shown(stop).without(List.of("stop", "stopped_by", "stopped_at"));
    }

    /** {@code GET /v1/admin/stop}: the stops in force. */
    private ApiResponse list() {
        ObjectNode json = Json.object();
        ArrayNode stops = json.putArray("stops");
        stopping.all().forEach(stop -> stops.add(shown(stop)));
        return ApiResponse.json(200, json);
    }

    /**
     * {@code DELETE /v1/admin/stop}: lifts the stop that the query names.
     *
     * @throws ApiError 404 if it is not in force
     */
    private ApiResponse lift(ApiRequest request) {
        Fields query = request.queryFields();
        StopScope scope = scope(query, query.oneOf(ALL, "true").isPresent());
        query.check();
        return ApiResponse.json(200, named(scope).setAll(counted(stopping.lift(request.author(), scope))));
    }

    /** Reads the scope, and records an error unless the fields name exactly one. */
    private static StopScope scope(Fields fields, boolean all) {
        List<StopScope> named = new ArrayList<>();
        for (Kind kind : List.of(Kind.AGENT, Kind.ROLE, Kind.KEY)) {
            String id = fields.id(FIELDS.get(kind));
            if (!id.isEmpty()) {
                named.add(new StopScope(kind, id));
            }
        }
        if (all) {
            named.add(StopScope.ALL);
        }
        long ids = FIELDS.values().stream().filter(fields::has).count();
        if (ids + (all ? 1 : 0) != 1) {
            fields.refuse(ALL, "must be true, or exactly one of agent_id, role_id and key_id must be named");
        }
        return named.isEmpty() ? StopScope.ALL : named.get(0);
    }

    private static ObjectNode named(StopScope scope) {
        ObjectNode json = Json.object().put("stop", scope.text());
        return scope.kind() == Kind.ALL ? json.put(ALL, true) : json.put(FIELDS.get(scope.kind()), scope.id());
    }

    private static ObjectNode shown(Stop stop) {
        return named(stop.scope())
                .put(REASON, stop.reason())
                .put("stopped_by", stop.actor())
                .put("stopped_at", Timestamps.text(stop.at()));
    }

    private static ObjectNode counted(Stopping.Agents agents) {
        return Json.object()
                .put("agents", agents.found())
                .put("commands_changed", agents.changed())
                .put("running_tasks", agents.tasks())
                .put("complete", agents.complete());
    }
}
