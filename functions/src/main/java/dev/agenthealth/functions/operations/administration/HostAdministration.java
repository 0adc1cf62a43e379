package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.hosts.HostStore;
import dev.agenthealth.functions.storage.hosts.HostStore.HostMapping;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.HostName;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maps hosts to the agents whose health they show (Agent Health State §4.1). Only administrators map hosts, as an agent could claim the host of
 * another agent. Thread-safe.
 */
final class HostAdministration {

    /** The maximum length of a host name, in characters. */
    private static final int MAX_HOST = 253;

    private final Database database;
    private final HostStore hosts;
    private final AgentStore agents;
    private final Clock clock;
    private final Log log;

    HostAdministration(Database database, Clock clock, Log log) {
        this.database = database;
        this.hosts = new HostStore(database);
        this.agents = new AgentStore(database);
        this.clock = clock;
        this.log = log;
    }

    /**
     * {@code PUT /v1/admin/hosts/{host}}.
     *
     * @throws ApiError 400 for a bad name, 404 for an unknown agent
     */
    ApiResponse map(ApiRequest request) {
        String host = request.pathText("host");
        Fields body = request.fields();
        String name = HostName.normalized(host);
        if (!isName(host)) {
            body.refuse("host", HostName.RULE);
        }
        body.require("agent_id");
        String agentId = body.id("agent_id");
        body.refuseUnknown();
        body.check();
        return ApiResponse.json(200, json(map(request.author(), name, agentId)));
    }

    /** @throws ApiError 404 for an unknown agent */
    private HostMapping map(Author author, String name, String agentId) {
        if (agents.profile(agentId).isEmpty()) {
            throw AgentError.unknownAgent(agentId);
        }
        HostMapping mapping = new HostMapping(name, agentId, clock.instant());
        OptimisticUpdates.untilDone(() -> {
            Optional<HostMapping> before = hosts.find(name, true);
            return recording(author, "host.mapped", name, before, Optional.of(mapping))
                    .put(before, mapping);
        });
        log.info("host_mapped", Map.of("host", name, "agent_id", agentId, "by", author.id()));
        return mapping;
    }

    /** Returns the section of the mapped hosts. */
    Section section() {
        return new Section() {

            @Override
            public String name() {
                return "hosts";
            }

            @Override
            public String idField(Fields object) {
                return "host";
            }

            @Override
            public ListPage<Exported> export(String position, int limit) {
                return ListPage.ofRead(hosts.page(position, limit), limit, HostMapping::host)
                        .map(mapping -> new Exported(mapping.host(), declared(mapping.host(), mapping.agentId())));
            }

            @Override
            public Entry read(Fields fields) {
                fields.require("host");
                fields.require("agent_id");
                String host = fields.text("host", MAX_HOST);
                if (!host.isEmpty() && !isName(host)) {
                    fields.refuse("host", HostName.RULE);
                }
                String name = HostName.normalized(host);
                String agentId = fields.id("agent_id");
                fields.refuseUnknown();
                return Entry.of(
                        name,
                        declared(name, agentId),
                        () -> hosts.find(name, true).map(mapping -> declared(name, mapping.agentId())),
                        author -> map(author, name, agentId));
            }
        };
    }

    private static ObjectNode declared(String host, String agentId) {
        return Json.object().put("host", host).put("agent_id", agentId);
    }

    /**
     * {@code DELETE /v1/admin/hosts/{host}}; does nothing if the host is not mapped.
     *
     * @throws ApiError 400 for a bad name
     */
    ApiResponse unmap(ApiRequest request) {
        String host = request.pathText("host");
        if (!isName(host)) {
            throw ApiError.invalid(List.of(new FieldError("host", HostName.RULE)));
        }
        String name = HostName.normalized(host);
        OptimisticUpdates.untilDone(() -> {
            Optional<HostMapping> before = hosts.find(name, true);
            return before.isEmpty()
                    || recording(request.author(), "host.unmapped", name, before, Optional.empty())
                            .remove(before.get());
        });
        log.info("host_unmapped", Map.of("host", name, "by", request.caller().keyId()));
        return ApiResponse.noContent();
    }

    /** {@code GET /v1/admin/hosts}: a page of the mappings in the order of the hosts. */
    ApiResponse list(ApiRequest request) {
        Paging paging = Paging.of(request);
        List<HostMapping> read = hosts.page(paging.after(), paging.toRead());
        return paging.answer("hosts", read, HostMapping::host, HostAdministration::json);
    }

    private HostStore recording(
            Author author, String action, String host, Optional<HostMapping> before, Optional<HostMapping> after) {
        AuditEntry entry =
                AuditEntry.of(author, action, new AuditObject("host", host), audited(before), audited(after));
        return AuditStore.recording(database, entry, HostStore::new);
    }

    private static ObjectNode audited(Optional<HostMapping> mapping) {
        return mapping.map(HostMapping::agentId)
                .map(agentId -> Json.object().put("agent_id", agentId))
                .orElseGet(Json::object);
    }

    /** Returns whether a text is a host name. Its case does not matter, and a port is not permitted. */
    private static boolean isName(String host) {
        String name = HostName.normalized(host);
        return name.length() == host.length() && HostName.isValid(name);
    }

    private static ObjectNode json(HostMapping mapping) {
        return Json.object()
                .put("host", mapping.host())
                .put("agent_id", mapping.agentId())
                .put("updated_at", Timestamps.text(mapping.updatedAt()));
    }
}
