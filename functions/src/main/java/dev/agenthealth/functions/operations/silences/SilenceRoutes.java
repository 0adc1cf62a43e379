package dev.agenthealth.functions.operations.silences;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.silences.SilenceStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilencePeriod;
import dev.agenthealth.model.operations.silence.SilenceScope;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of silences: administrators silence everything, and owners silence their agents. Thread-safe. */
public final class SilenceRoutes {

    /** The owner of silences that administrators write. */
    private static final String NO_OWNER = "";

    /** The number of stored silences for each silence that an owner may have. The others are over. */
    private static final int MAX_SHOWN = 10;

    private static final String ALL = "/v1/admin/silences";
    private static final String OWN = "/api/v1/silences";

    private final Database database;
    private final SilenceStore silences;
    private final AgentAccess agents;
    private final Clock clock;
    private final Log log;

    public SilenceRoutes(Wiring wiring, Database database, Log log) {
        this.database = database;
        this.silences = new SilenceStore(database);
        this.agents = new AgentAccess(new AgentStore(database));
        this.clock = wiring.clock();
        this.log = log;
    }

    /** Adds the routes of administrators. */
    public void addTo(Routes routes) {
        routes.on("GET " + ALL, ADMINISTRATOR, request -> list(silences.all()))
                .on("PUT " + ALL + "/{name}", ADMINISTRATOR, request -> put(request, NO_OWNER))
                .on("GET " + ALL + "/{name}", ADMINISTRATOR, request -> get(request, ownerOf(request)), QUERY)
                .on("DELETE " + ALL + "/{name}", ADMINISTRATOR, request -> delete(request, ownerOf(request)), QUERY);
    }

    /** Adds the routes of the owners of agents. */
    public void addOwnTo(Routes routes) {
        routes.on("GET " + OWN, ANY_KEY, request -> list(silences.of(keyOf(request))))
                .on("PUT " + OWN + "/{name}", ANY_KEY, request -> put(request, keyOf(request)))
                .on("GET " + OWN + "/{name}", ANY_KEY, request -> get(request, keyOf(request)))
                .on("DELETE " + OWN + "/{name}", ANY_KEY, request -> delete(request, keyOf(request)));
    }

    private static String keyOf(ApiRequest request) {
        return request.caller().keyId();
    }

    /** Returns the owner in the query of an administrator's request. */
    private static String ownerOf(ApiRequest request) {
        Fields query = request.queryFields();
        String owner = query.id(SilenceFields.OWNER);
        query.check();
        return owner;
    }

    private ApiResponse list(List<Silence> all) {
        Instant now = clock.instant();
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("silences");
        all.forEach(silence -> array.add(SilenceFields.shown(silence, now)));
        return ApiResponse.json(200, json);
    }

    private ApiResponse get(ApiRequest request, String owner) {
        String name = request.pathId("name");
        return silences.find(owner, name)
                .map(silence -> ApiResponse.json(200, SilenceFields.shown(silence, clock.instant())))
                .orElseThrow(() -> ApiError.notFound("silence_not_found", "There is no silence '" + name + "'."));
    }

    /** A written silence. */
    private record Written(Silence silence, boolean created) {}

    /**
     * {@code PUT …/{name}}: creates the silence (201) or replaces it (200). Events that the earlier silence deferred stay deferred if the new one
     * covers them.
     */
    private ApiResponse put(ApiRequest request, String owner) {
        Silence silence = read(request, owner);
        Written written = OptimisticUpdates.untilPresent(() -> write(request.author(), silence));
        log.info(
                "silence_written",
                Map.of(
                        "silence", silence.name(),
                        "scope",
                                silence.scope().kind().wireName() + " "
                                        + silence.scope().id(),
                        "by", silence.createdBy()));
        return ApiResponse.json(written.created() ? 201 : 200, SilenceFields.shown(silence, clock.instant()));
    }

    private Silence read(ApiRequest request, String owner) {
        String name = request.pathId("name");
        Fields body = request.fields();
        Instant now = clock.instant();
        String reason = SilenceFields.reason(body);
        SilenceScope scope;
        Optional<SilencePeriod> period;
        if (owner.equals(NO_OWNER)) {
            body.require("scope");
            scope = SilenceFields.scope(body).orElse(SilenceScope.EVERYTHING);
            period = SilenceFields.period(body, now);
        } else {
            SilenceScope ownAgents = new SilenceScope(SilenceScope.Kind.OWNER_KEY_ID, owner);
            scope = SilenceFields.scope(body).orElse(ownAgents);
            if (scope.kind() != SilenceScope.Kind.AGENT_ID && !scope.equals(ownAgents)) {
                body.refuse("scope", "must be an agent_id, or the owner_key_id of the key in use");
            }
            period = SilenceFields.once(body, now, SilencePeriod.MAX_OF_OWNER);
            period.filter(read -> read.over().orElse(now).isAfter(now.plus(SilencePeriod.MAX_OF_OWNER)))
                    .ifPresent(late -> body.refuse(
                            "ends_at", "must be at most " + SilencePeriod.MAX_OF_OWNER.toHours() + " hours from now"));
        }
        body.refuseUnknown();
        body.check();
        if (!owner.equals(NO_OWNER) && scope.kind() == SilenceScope.Kind.AGENT_ID) {
            checkOwned(request.caller(), scope.id());
        }
        return new Silence(
                owner,
                name,
                UlidCreator.getUlid().toString(),
                scope,
                period.orElseThrow(),
                reason,
                new Silence.Creation(keyOf(request), now));
    }

    /** Refuses an agent that the caller's key does not own, even for an administrator. */
    private void checkOwned(Caller caller, String agentId) {
        if (!caller.owns(agents.findOwned(caller, agentId).pulse().owner())) {
            throw ApiError.forbidden(
                    "The key in use did not register '" + agentId + "': write a silence of administrators.");
        }
    }

    /** Writes a silence if the silence with its name is still the one that this attempt read. */
    private Optional<Written> write(Author author, Silence silence) {
        Optional<Silence> before = silences.find(silence.ownerKeyId(), silence.name());
        if (before.isEmpty()) {
            checkNumber(silence.ownerKeyId());
        }
        return recording(author, "silence.written", silence, before, Optional.of(silence))
                        .write(silence, before)
                ? Optional.of(new Written(silence, before.isEmpty()))
                : Optional.empty();
    }

    /** Creates or replaces a silence. */
    void replace(Author author, Silence silence) {
        OptimisticUpdates.untilPresent(() -> write(author, silence));
    }

    /** Returns the section of the silences. */
    public Section section() {
        return new SilenceSection(this, silences, clock);
    }

    private SilenceStore recording(
            Author author, String action, Silence silence, Optional<Silence> before, Optional<Silence> after) {
        AuditEntry entry = AuditEntry.of(author, action, object(silence), audited(before), audited(after));
        return AuditStore.recording(database, entry, SilenceStore::new);
    }

    /** Returns the object for the audit log. The name of a silence may say something about its agent, and is erased with the agent. */
    private static AuditObject object(Silence silence) {
        if (silence.scope().kind() == SilenceScope.Kind.AGENT_ID) {
            return AuditObject.agent(silence.scope().id());
        }
        return new AuditObject(
                "silence",
                silence.ownerKeyId().equals(NO_OWNER) ? silence.name() : silence.ownerKeyId() + "/" + silence.name());
    }

    /** Returns the silence for the audit log. The log does not have the reason, as it is a free text. */
    private ObjectNode audited(Optional<Silence> silence) {
        return silence.map(one -> SilenceFields.shown(one, clock.instant())
                        .<ObjectNode>without(List.of(
                                "name",
                                SilenceFields.OWNER,
                                "reason",
                                "active",
                                "active_until",
                                SilenceFields.NEXT,
                                "created_by")))
                .orElseGet(Json::object);
    }

    private void checkNumber(String owner) {
        List<Silence> all = silences.all();
        Instant now = clock.instant();
        List<Silence> own =
                all.stream().filter(one -> one.ownerKeyId().equals(owner)).toList();
        long open = own.stream().filter(one -> isOpen(one, now)).count();
        if (owner.equals(NO_OWNER)) {
            refuseFrom(Silence.MAX_SILENCES, open);
            refuseFrom(MAX_SHOWN * Silence.MAX_SILENCES, own.size());
            return;
        }
        refuseFrom(Silence.MAX_OF_OWNER, open);
        // A silence that is over is shown for another day, so a key has room for some of them.
        refuseFrom(MAX_SHOWN * Silence.MAX_OF_OWNER, own.size());
        if (open > 0) {
            // The total of all owners never prevents the first silence of a key.
            refuseFrom(
                    Silence.MAX_OF_OWNERS,
                    all.stream()
                            .filter(one -> !one.ownerKeyId().equals(NO_OWNER) && isOpen(one, now))
                            .count());
        }
    }

    private static boolean isOpen(Silence silence, Instant now) {
        return silence.period().over().filter(over -> !over.isAfter(now)).isEmpty();
    }

    private static void refuseFrom(int max, long number) {
        if (number >= max) {
            throw ApiError.conflict(
                    "too_many_silences",
                    "There are " + number + " silences already: delete one, or write one of them anew.");
        }
    }

    /** {@code DELETE …/{name}}: deletes the silence. Does nothing if it does not exist. */
    private ApiResponse delete(ApiRequest request, String owner) {
        String name = request.pathId("name");
        OptimisticUpdates.untilDone(() -> {
            Optional<Silence> before = silences.find(owner, name);
            return before.isEmpty()
                    || recording(request.author(), "silence.deleted", before.get(), before, Optional.empty())
                            .remove(before.get());
        });
        log.info("silence_deleted", Map.of("silence", name, "owner", owner, "by", keyOf(request)));
        return ApiResponse.noContent();
    }
}
