package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.FieldErrors;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.operations.source.SourceKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of sources of agents. Thread-safe. */
public final class SourceRoutes {

    private static final String SOURCES = "/v1/admin/sources";
    private static final String SOURCE = SOURCES + "/{name}";
    static final String KEY_ID = "key_id";
    /** The maximum number of sources. */
    static final int MAX_SOURCES = 100;

    static final int MAX_URL = 2_048;

    /** The maximum size of a document. Lambda accepts 6 MB, in which the body is a text inside JSON. */
    private static final int MAX_DOCUMENT = 4 * 1024 * 1024;

    /** The reserved time. It is longer than a write that has begun, and than the resolution of a host name, which counts separately. */
    private static final Duration RESERVED = Duration.ofSeconds(6);

    private static final Duration MAX_SYNC = Duration.ofMinutes(5);

    private final Database database;
    private final SourceStore sources;
    private final KeyStore keys;
    private final AddressCheck addresses;
    private final SourceSync sync;
    private final StorageMeter meter;
    private final Clock clock;
    private final Log log;

    public SourceRoutes(Wiring wiring, Database database, SourceSync sync, NameResolver resolver, Log log) {
        this.database = database;
        this.sources = new SourceStore(database);
        this.keys = new KeyStore(database);
        this.addresses = AddressCheck.of(wiring, resolver);
        this.sync = sync;
        this.meter = wiring.storageMeter();
        this.clock = wiring.clock();
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("GET " + SOURCES, ADMINISTRATOR, this::list, QUERY)
                .on("PUT " + SOURCE, ADMINISTRATOR, this::put)
                .on("GET " + SOURCE, ADMINISTRATOR, request -> ApiResponse.json(200, SourceJson.of(existing(request))))
                .on("DELETE " + SOURCE, ADMINISTRATOR, this::delete)
                .on("POST " + SOURCE + "/sync", ADMINISTRATOR, this::sync, QUERY);
    }

    /** {@code PUT …/{name}}: creates a source (201), or changes it (200). */
    private ApiResponse put(ApiRequest request) {
        Source written = OptimisticUpdates.untilPresent(() -> write(request));
        log.info(
                "source_written",
                Map.of("source", written.name(), "by", request.caller().keyId()));
        return ApiResponse.json(written.version() == 1 ? 201 : 200, SourceJson.of(written));
    }

    private Optional<Source> write(ApiRequest request) {
        String name = request.pathId("name");
        Fields body = request.fields();
        body.require("url");
        Optional<Source> before = sources.find(name);
        return write(request.author(), declared(name, body, before), before);
    }

    /** Writes a source if it is still as it was read. */
    private Optional<Source> write(Author author, Source source, Optional<Source> before) {
        if (before.isEmpty() && sources.page("", MAX_SOURCES).size() >= MAX_SOURCES) {
            throw ApiError.conflict(
                    "too_many_sources", "There are " + MAX_SOURCES + " sources already: delete one first.");
        }
        return recording(author, "source.written", source.name(), before, Optional.of(source))
                        .write(source, before)
                ? Optional.of(source)
                : Optional.empty();
    }

    /**
     * Creates or replaces the source with the url, the key and the options in {@code fields}.
     *
     * @throws ApiError 400 for an address that is not possible here, or a key that is not in force
     */
    void replace(Author author, String name, ObjectNode fields) {
        OptimisticUpdates.untilPresent(() -> {
            Optional<Source> before = sources.find(name);
            return write(author, declared(name, Fields.ofTree(fields, new FieldErrors()), before), before);
        });
    }

    /** Returns the section of the sources. */
    public Section section() {
        return new SourceSection(this, sources);
    }

    private Source declared(String name, Fields body, Optional<Source> before) {
        String url = body.text("url", MAX_URL);
        checkAddress(body, url);
        body.require(KEY_ID);
        String keyId = body.id(KEY_ID);
        checkKey(body, keyId);
        Optional<SourceKind> kind = body.oneOf("kind", SourceKind.class);
        boolean requireSignature = body.flag("require_signature", false);
        if (before.filter(source -> !source.keyId().equals(keyId)).isPresent()) {
            body.refuse(KEY_ID, "does not change: the agents of the source belong to it");
        }
        body.refuseUnknown();
        body.check();
        boolean same = before.filter(source -> source.url().equals(url)
                        && source.kind().equals(kind)
                        && source.requireSignature() == requireSignature)
                .isPresent();
        return new Source(
                name,
                url,
                keyId,
                new Source.Options(kind, requireSignature),
                before.map(Source::createdAt).orElseGet(clock::instant),
                before.map(Source::version).orElse(0L) + 1,
                same ? before.get().state() : SyncState.NONE);
    }

    private void checkAddress(Fields body, String url) {
        Optional<Endpoint> endpoint = Endpoint.of(url);
        if (url.isEmpty()) {
            return;
        }
        if (endpoint.isEmpty()) {
            body.refuse("url", "must be an absolute http or https URL without credentials and fragment");
            return;
        }
        switch (addresses.judge(endpoint.get())) {
            case INSECURE -> body.refuse("url", "must be an https URL" + AddressCheck.remedy(endpoint.get()));
            case FORBIDDEN -> body.refuse("url", "must lead to a public address" + AddressCheck.remedy(endpoint.get()));
            case ALLOWED -> {
                // The host name is resolved when the source is read.
            }
        }
    }

    private void checkKey(Fields body, String keyId) {
        if (!keyId.isEmpty()
                && keys.find(keyId)
                        .filter(key -> key.role() == Role.AGENT || key.role() == Role.COORDINATOR)
                        .isEmpty()) {
            body.refuse(KEY_ID, "must be the id of a key in force of an agent or a coordinator");
        }
    }

    private ApiResponse list(ApiRequest request) {
        Paging paging = Paging.of(request);
        List<Source> read = sources.page(paging.after(), paging.toRead());
        return paging.answer("sources", read, Source::name, SourceJson::of);
    }

    /** {@code DELETE …/{name}}: deletes a source. Its agents stay. Does nothing if the source does not exist. */
    private ApiResponse delete(ApiRequest request) {
        String name = request.pathId("name");
        OptimisticUpdates.untilDone(() -> {
            Optional<Source> before = sources.find(name);
            return before.isEmpty()
                    || recording(request.author(), "source.deleted", name, before, Optional.empty())
                            .remove(before.get());
        });
        sources.removeEntries(name);
        log.info("source_deleted", Map.of("source", name, "by", request.caller().keyId()));
        return ApiResponse.noContent();
    }

    private SourceStore recording(
            Author author, String action, String name, Optional<Source> before, Optional<Source> after) {
        AuditEntry entry =
                AuditEntry.of(author, action, new AuditObject("source", name), audited(before), audited(after));
        return AuditStore.recording(database, entry, SourceStore::new);
    }

    /** Returns the source for the audit log, without the query of its address, which may be secret. */
    private static ObjectNode audited(Optional<Source> source) {
        return source.map(one -> SourceJson.of(one)
                        .<ObjectNode>without(List.of("name", "last_sync"))
                        .put("url", one.url().replaceFirst("\\?.*", "?…"))
                        .put("version", one.version()))
                .orElseGet(Json::object);
    }

    /** {@code POST …/{name}/sync}: reads the source now, or the document in the body instead. */
    private ApiResponse sync(ApiRequest request) {
        Fields query = request.queryFields();
        boolean dryRun =
                query.oneOf("dry_run", "true", "false").filter("true"::equals).isPresent();
        Optional<Fields> body = Optional.of(request.body(MAX_DOCUMENT))
                .filter(text -> !text.isBlank())
                .map(Fields::ofBody);
        body.ifPresentOrElse(query::checkWith, query::check);
        Optional<JsonNode> document = body.map(given -> given.any("document")).filter(given -> !given.isMissingNode());
        Source source = body.map(given -> unwritten(request.pathId("name"), given, document.isPresent(), dryRun))
                .orElseGet(() -> existing(request));
        Instant began = clock.instant();
        Instant latest = began.plus(MAX_SYNC);
        Instant end = meter.deadline().minus(RESERVED);
        Instant until = end.isAfter(latest) ? latest : end;
        ObjectNode json = Json.object().put("name", source.name()).put("dry_run", dryRun);
        return ApiResponse.json(200, sync.run(source, document, dryRun, until).json(json, began));
    }

    /** Returns a source that is not stored: a preview of a source, or a document without an address. */
    private Source unwritten(String name, Fields body, boolean isDocument, boolean dryRun) {
        Optional<Source> before = sources.find(name);
        if (isDocument && (body.has("url") || body.has("kind"))) {
            body.refuse("document", "has no url and no kind: it says what it is");
        } else if (!isDocument) {
            body.require("url");
        }
        if (!isDocument && !dryRun) {
            body.refuse("url", "is read with dry_run=true only: PUT writes the source, which is read without a body");
        }
        Source source = declared(name, body, before);
        if (isDocument && before.isPresent()) {
            throw ApiError.conflict(
                    "source_exists",
                    "There is a source '" + name
                            + "', which is read from its address: give the document another name.");
        }
        return source;
    }

    private Source existing(ApiRequest request) {
        String name = request.pathId("name");
        return sources.find(name)
                .orElseThrow(() -> ApiError.notFound("source_not_found", "There is no source '" + name + "'."));
    }
}
