package dev.agenthealth.functions.operations.containment;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;

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
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.functions.storage.containment.StoredContainment;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentRule;
import dev.agenthealth.model.identity.Author;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of containment rules. The sweep applies the rules. Thread-safe. */
public final class ContainmentRoutes {

    private static final String PATH = "/v1/admin/containment";

    private final Database database;
    private final ContainmentStore store;
    private final Clock clock;
    private final Log log;

    public ContainmentRoutes(Wiring wiring, Database database, Log log) {
        this.database = database;
        this.store = new ContainmentStore(database);
        this.clock = wiring.clock();
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("GET " + PATH, ADMINISTRATOR, request -> list())
                .on("PUT " + PATH + "/{name}", ADMINISTRATOR, this::put)
                .on("GET " + PATH + "/{name}", ADMINISTRATOR, this::get)
                .on("DELETE " + PATH + "/{name}", ADMINISTRATOR, this::delete);
    }

    /** {@code PUT …/{name}}: creates the rule (201) or replaces it (200). */
    private ApiResponse put(ApiRequest request) {
        Fields body = request.fields();
        ContainmentRule rule = ContainmentFields.read(request.pathId("name"), body, clock.instant());
        body.check();
        StoredContainment written = replace(request.author(), rule);
        return ApiResponse.json(written.version() == 1 ? 201 : 200, ContainmentFields.shown(written));
    }

    /**
     * Creates a rule, or replaces the rule with its name. A replaced rule keeps the time of its creation.
     *
     * @throws ApiError 409 if there are too many rules
     */
    private StoredContainment replace(Author author, ContainmentRule rule) {
        StoredContainment written = OptimisticUpdates.untilPresent(() -> write(author, rule));
        log.info("containment_written", Map.of("rule", written.name(), "by", author.id()));
        return written;
    }

    private Optional<StoredContainment> write(Author author, ContainmentRule rule) {
        Optional<StoredContainment> before = store.find(rule.name());
        if (before.isEmpty() && store.watch().rules().size() >= ContainmentRule.MAX_RULES) {
            throw ApiError.conflict(
                    "too_many_containment_rules",
                    "There are " + ContainmentRule.MAX_RULES + " rules already: delete one first.");
        }
        StoredContainment stored = new StoredContainment(
                before.map(seen -> rule.createdAt(seen.rule().createdAt())).orElse(rule),
                before.map(StoredContainment::version).orElse(0L) + 1,
                before.flatMap(StoredContainment::heldBack));
        return recording(author, "containment.written", stored.name(), before, Optional.of(stored))
                        .write(stored, before)
                ? Optional.of(stored)
                : Optional.empty();
    }

    /** {@code GET}: all rules, with the numbers of their agents of the last seven days. */
    private ApiResponse list() {
        ContainmentStore.Watch watch = store.watch();
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("rules");
        for (StoredContainment rule : watch.rules()) {
            List<ContainmentCase> cases = watch.cases().stream()
                    .filter(one -> one.rule().equals(rule.name()))
                    .toList();
            ObjectNode shown = ContainmentFields.shown(rule);
            shown.put("would_act_agents", count(cases, true));
            shown.put("acted_agents", count(cases, false));
            array.add(shown);
        }
        return ApiResponse.json(200, json);
    }

    private static long count(List<ContainmentCase> cases, boolean observed) {
        return cases.stream()
                .filter(one ->
                        one.done().filter(done -> done.observed() == observed).isPresent())
                .count();
    }

    /** {@code GET …/{name}}: the rule with its cases of the last seven days, the newest first. */
    private ApiResponse get(ApiRequest request) {
        String name = request.pathId("name");
        StoredContainment rule = store.find(name)
                .orElseThrow(() ->
                        ApiError.notFound("containment_not_found", "There is no containment rule '" + name + "'."));
        ObjectNode json = ContainmentFields.shown(rule);
        ArrayNode cases = json.putArray("cases");
        store.cases(name).stream()
                .sorted(Comparator.comparing(ContainmentCase::since).reversed().thenComparing(ContainmentCase::agentId))
                .forEach(one -> cases.add(ContainmentFields.shown(one)));
        return ApiResponse.json(200, json);
    }

    /** {@code DELETE …/{name}}: deletes the rule. Does nothing if it does not exist. Its blocks stay. */
    private ApiResponse delete(ApiRequest request) {
        String name = request.pathId("name");
        OptimisticUpdates.untilDone(() -> {
            Optional<StoredContainment> before = store.find(name);
            return before.isEmpty()
                    || recording(request.author(), "containment.deleted", name, before, Optional.empty())
                            .remove(before.get());
        });
        log.info(
                "containment_deleted",
                Map.of("rule", name, "by", request.caller().keyId()));
        return ApiResponse.noContent();
    }

    private ContainmentStore recording(
            Author author,
            String action,
            String name,
            Optional<StoredContainment> before,
            Optional<StoredContainment> after) {
        AuditEntry entry =
                AuditEntry.of(author, action, new AuditObject("containment", name), audited(before), audited(after));
        return AuditStore.recording(database, entry, ContainmentStore::new);
    }

    private static ObjectNode audited(Optional<StoredContainment> rule) {
        return rule.map(one -> ContainmentFields.declared(one).<ObjectNode>without("name"))
                .orElseGet(Json::object);
    }

    /** Returns the section of the rules. */
    public Section section() {
        return new Section() {

            @Override
            public String name() {
                return "containment";
            }

            @Override
            public ListPage<Exported> export(String position, int limit) {
                return Section.pageOf(
                        store.watch().rules().stream()
                                .map(rule -> new Exported(rule.name(), ContainmentFields.declared(rule))),
                        position,
                        limit);
            }

            @Override
            public Entry read(Fields fields) {
                fields.require("name");
                ContainmentRule rule = ContainmentFields.read(fields.id("name"), fields, clock.instant());
                return Entry.of(
                        rule.name(),
                        ContainmentFields.declared(new StoredContainment(rule, 0, Optional.empty())),
                        () -> store.find(rule.name()).map(ContainmentFields::declared),
                        author -> replace(author, rule));
            }
        };
    }
}
