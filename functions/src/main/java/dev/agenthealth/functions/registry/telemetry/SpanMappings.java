package dev.agenthealth.functions.registry.telemetry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.telemetry.SpanMapping;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.telemetry.AgentName;
import dev.agenthealth.model.registry.telemetry.SpanAttribute;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The mappings from names in spans to agents. Each key reads and changes only its own mappings. Thread-safe. */
public final class SpanMappings {

    private static final String SERVICE = "service_name";
    private static final String AGENT = "agent_name";
    private static final String AGENT_ID = "agent_id";
    private static final String PROGRESS = "progress";
    private static final String AUTO_REGISTER = "auto_register";
    private static final String MAPPING_ID = "mapping_id";
    private static final String AUTOMATIC = "automatic";
    private static final String KEY_ID = "key_id";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    private final Database database;
    private final TelemetryStore telemetry;
    private final AgentStore agents;
    private final Clock clock;

    public SpanMappings(Database database, Clock clock) {
        this.database = database;
        this.telemetry = new TelemetryStore(database);
        this.agents = new AgentStore(database);
        this.clock = clock;
    }

    /** {@code GET /api/v1/telemetry/mappings}: a page of the mappings, and the settings. */
    ApiResponse list(ApiRequest request) {
        Paging paging = Paging.of(request);
        String keyId = request.caller().keyId();
        ListPage<SpanMapping> page =
                paging.of(telemetry.page(keyId, paging.after(), paging.toRead()), mapping -> mapping.name()
                        .id());
        ObjectNode json = Json.object().put(AUTO_REGISTER, telemetry.registers(keyId));
        ArrayNode array = json.putArray("mappings");
        page.items().forEach(mapping -> array.add(json(mapping)));
        PageToken.putNext(json, request, page.next());
        return ApiResponse.json(200, json);
    }

    /**
     * {@code PUT /api/v1/telemetry/mappings}: maps a name to an agent of the key. Replaces the previous mapping of the name.
     *
     * @throws ApiError 400 for an invalid body; 403 for an agent of another key; 404 for an unknown agent; 409 for a new name if the key
     *     has too many names
     */
    ApiResponse put(ApiRequest request) {
        Fields body = request.fields();
        AgentName name = name(body);
        body.require(AGENT_ID);
        String agentId = body.id(AGENT_ID);
        boolean progress = body.flag(PROGRESS, false);
        body.refuseUnknown();
        body.check();
        SpanMapping mapping = new SpanMapping(name, agentId, progress, false, clock.instant());
        write(request.author(), request.caller().keyId(), mapping);
        return ApiResponse.json(200, json(mapping));
    }

    /** Reads the name of a mapping, and records an error for each invalid field. */
    private static AgentName name(Fields body) {
        body.require(SERVICE);
        for (String field : List.of(SERVICE, AGENT)) {
            if (body.text(field, SpanAttribute.MAX_LENGTH).chars().anyMatch(Character::isISOControl)) {
                body.refuse(field, "must have no control characters");
            }
        }
        return new AgentName(body.text(SERVICE, SpanAttribute.MAX_LENGTH), body.text(AGENT, SpanAttribute.MAX_LENGTH));
    }

    /**
     * Maps a name to an agent of a key. Replaces the previous mapping of the name.
     *
     * @throws ApiError 403 for an agent of another key; 404 for an unknown agent; 409 for a new name if the key has too many names
     */
    private void write(Author author, String keyId, SpanMapping mapping) {
        String agentId = mapping.agentId();
        StoredAgent agent = agents.find(agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
        if (!agent.pulse().owner().keyId().equals(keyId)) {
            throw ApiError.forbidden("Agent '" + agentId + "' is owned by another key, whose spans alone can mean it.");
        }
        String nameId = mapping.name().id();
        OptimisticUpdates.untilDone(() -> {
            Optional<SpanMapping> before = telemetry.find(keyId, nameId);
            if (before.isEmpty()
                    && !mapping.automatic()
                    && telemetry.page(keyId, "", SpanMapping.MAX_OF_KEY).size() >= SpanMapping.MAX_OF_KEY) {
                throw ApiError.conflict(
                        "too_many_mappings",
                        "The key has " + SpanMapping.MAX_OF_KEY + " mappings already: delete one, or change one.");
            }
            return recording(author, "mapping.written", keyId + "/" + nameId, before, Optional.of(mapping))
                    .put(keyId, before, mapping);
        });
    }

    /**
     * {@code DELETE /api/v1/telemetry/mappings/{mapping_id}}. Does nothing if the mapping does not exist.
     *
     * @throws ApiError 400 if the id is malformed
     */
    ApiResponse remove(ApiRequest request) {
        String id = request.pathText(MAPPING_ID);
        if (!ID.matcher(id).matches()) {
            throw ApiError.invalid(List.of(new FieldError(MAPPING_ID, "must be 32 hexadecimal digits in lower case")));
        }
        String keyId = request.caller().keyId();
        OptimisticUpdates.untilDone(() -> {
            Optional<SpanMapping> before = telemetry.find(keyId, id);
            return before.isEmpty()
                    || recording(request.author(), "mapping.deleted", keyId + "/" + id, before, Optional.empty())
                            .remove(keyId, before.get());
        });
        return ApiResponse.noContent();
    }

    /** {@code PUT /api/v1/telemetry/settings}. */
    ApiResponse configure(ApiRequest request) {
        Fields body = request.fields();
        body.require(AUTO_REGISTER);
        boolean registers = body.flag(AUTO_REGISTER, false);
        body.refuseUnknown();
        body.check();
        configure(request.author(), request.caller().keyId(), registers);
        return ApiResponse.json(200, Json.object().put(AUTO_REGISTER, registers));
    }

    /** Sets whether unmapped names of a key register agents. Writes nothing if the setting is the same. */
    public void configure(Author author, String keyId, boolean registers) {
        AuditEntry entry = AuditEntry.of(
                author,
                "telemetry_settings.changed",
                new AuditObject("telemetry_settings", keyId),
                Json.object().put(AUTO_REGISTER, !registers),
                Json.object().put(AUTO_REGISTER, registers));
        AuditStore.recording(database, entry, TelemetryStore::new).setRegisters(keyId, registers);
    }

    private TelemetryStore recording(
            Author author, String action, String id, Optional<SpanMapping> before, Optional<SpanMapping> after) {
        return AuditStore.recording(
                database,
                AuditEntry.of(author, action, new AuditObject("mapping", id), audited(before), audited(after)),
                TelemetryStore::new);
    }

    /**
     * A mapping of a key that moves to another registry.
     *
     * @param keyId the key whose spans have the name
     */
    public record Moved(String keyId, SpanMapping mapping) {

        public String id() {
            return keyId + "/" + mapping.name().id();
        }

        public ObjectNode json() {
            ObjectNode json = SpanMappings.json(mapping).without(List.of(MAPPING_ID, "updated_at"));
            return Json.object().put(KEY_ID, keyId).setAll(json);
        }
    }

    /** Reads a mapping of another registry, and records an error for each invalid field. Changes nothing. */
    public Moved read(Fields body) {
        body.require(KEY_ID);
        body.require(AGENT_ID);
        SpanMapping mapping = new SpanMapping(
                name(body),
                body.id(AGENT_ID),
                body.flag(PROGRESS, false),
                body.flag(AUTOMATIC, false),
                clock.instant());
        Moved moved = new Moved(body.id(KEY_ID), mapping);
        body.refuseUnknown();
        return moved;
    }

    /** Returns the present mapping of the name. */
    public Optional<Moved> find(Moved moved) {
        return telemetry
                .find(moved.keyId(), moved.mapping().name().id())
                .map(mapping -> new Moved(moved.keyId(), mapping));
    }

    /** Returns up to {@code limit} mappings of a key after this id of a name. */
    public List<Moved> page(String keyId, String after, int limit) {
        return telemetry.page(keyId, after, limit).stream()
                .map(mapping -> new Moved(keyId, mapping))
                .toList();
    }

    /**
     * Maps the name of a mapping that moves.
     *
     * @throws ApiError 403 for an agent of another key; 404 for an unknown agent; 409 for a new name if the key has too many names
     */
    public void write(Author author, Moved moved) {
        write(author, moved.keyId(), moved.mapping());
    }

    /** Returns a mapping for the audit log, without the names in spans, which are free text. */
    private static ObjectNode audited(Optional<SpanMapping> mapping) {
        return mapping.map(one -> json(one).retain(AGENT_ID, PROGRESS)).orElseGet(Json::object);
    }

    private static ObjectNode json(SpanMapping mapping) {
        ObjectNode json = Json.object()
                .put(MAPPING_ID, mapping.name().id())
                .put(SERVICE, mapping.name().service());
        if (!mapping.name().agent().isEmpty()) {
            json.put(AGENT, mapping.name().agent());
        }
        return json.put(AGENT_ID, mapping.agentId())
                .put(PROGRESS, mapping.progress())
                .put(AUTOMATIC, mapping.automatic())
                .put("updated_at", Timestamps.text(mapping.updatedAt()));
    }
}
