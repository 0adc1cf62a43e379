package dev.agenthealth.functions.operations.statuspage;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR_OF_ALL_ROLES;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.statuspage.StatusPageStore;
import dev.agenthealth.functions.storage.statuspage.StatusPageStore.Stored;
import dev.agenthealth.functions.storage.statuspage.StatusPageText;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.operations.status.StatusIncident;
import dev.agenthealth.model.operations.status.StatusPage;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The routes by which administrators publish the status page, and operators write its incidents. Thread-safe. */
public final class StatusPageRoutes {

    private static final String OBJECT = "status_page";
    private static final String PAGE = "/api/v1/status-page";
    private static final String INCIDENT = PAGE + "/incidents/{incident_id}";

    private final Database database;
    private final StatusPageStore pages;
    private final Clock clock;
    private final Log log;

    public StatusPageRoutes(Database database, Clock clock, Log log) {
        this.database = database;
        this.pages = new StatusPageStore(database);
        this.clock = clock;
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on(
                        "GET " + PAGE,
                        COORDINATOR_OF_ALL_ROLES,
                        request -> shown(pages.find(true).page()))
                .on("PUT " + PAGE, ADMINISTRATOR, this::put)
                .on("PUT " + INCIDENT, COORDINATOR_OF_ALL_ROLES, this::putIncident)
                .on("DELETE " + INCIDENT, COORDINATOR_OF_ALL_ROLES, this::deleteIncident);
    }

    /** Returns the section of the status page. */
    public Section section() {
        return new Section() {

            @Override
            public String name() {
                return OBJECT;
            }

            @Override
            public boolean isOneObject() {
                return true;
            }

            @Override
            public ListPage<Exported> export(String position, int limit) {
                return new ListPage<>(
                        current().map(page -> new Exported(OBJECT, page)).stream()
                                .toList(),
                        "");
            }

            @Override
            public Entry read(Fields fields) {
                Instant now = clock.instant();
                StatusPage wanted = StatusPageFields.whole(fields, now);
                return Entry.of(
                        OBJECT,
                        declared(wanted),
                        StatusPageRoutes.this::current,
                        author -> change(
                                author,
                                "status_page.written",
                                new AuditObject(OBJECT, OBJECT),
                                page -> audited(page),
                                before -> wanted.changedAt(now)));
            }
        };
    }

    /** Returns the page in the form of a document; empty if nobody has written a page. */
    private Optional<ObjectNode> current() {
        return Optional.of(pages.find(true))
                .filter(stored -> stored.version() > 0 && !stored.page().path().isEmpty())
                .map(stored -> declared(stored.page()));
    }

    private static ObjectNode declared(StatusPage page) {
        return StatusPageText.json(page).without(List.of("updated_at"));
    }

    private static ApiResponse shown(StatusPage page) {
        return ApiResponse.json(200, StatusPageText.json(page));
    }

    /** {@code PUT /api/v1/status-page}: replaces the page, and keeps its incidents. */
    private ApiResponse put(ApiRequest request) {
        StatusPage wanted = StatusPageFields.page(request.fields());
        Instant now = clock.instant();
        return shown(change(
                request.author(),
                "status_page.written",
                new AuditObject(OBJECT, OBJECT),
                page -> audited(page),
                before -> before.rewritten(wanted, now)));
    }

    /** {@code PUT …/incidents/{incident_id}}: creates or replaces an incident. */
    private ApiResponse putIncident(ApiRequest request) {
        String id = request.pathId("incident_id");
        Instant now = clock.instant();
        StatusIncident incident = StatusPageFields.incident(id, request.fields(), now);
        change(
                request.author(),
                "status_page.incident_written",
                new AuditObject("incident", id),
                page -> audited(page, id),
                before -> before.with(incident, now));
        return ApiResponse.json(200, StatusPageText.json(incident));
    }

    /** {@code DELETE …/incidents/{incident_id}}; does nothing without such an incident. */
    private ApiResponse deleteIncident(ApiRequest request) {
        String id = request.pathId("incident_id");
        Instant now = clock.instant();
        change(
                request.author(),
                "status_page.incident_removed",
                new AuditObject("incident", id),
                page -> audited(page, id),
                before -> before.withoutIncident(id, now));
        return ApiResponse.noContent();
    }

    private StatusPage change(
            Author author,
            String action,
            AuditObject object,
            Function<StatusPage, ObjectNode> audited,
            Function<StatusPage, StatusPage> rule) {
        StatusPage written = OptimisticUpdates.untilPresent(() -> {
            Stored before = pages.find(true);
            StatusPage after = rule.apply(before.page());
            AuditEntry entry =
                    AuditEntry.of(author, action, object, audited.apply(before.page()), audited.apply(after));
            return AuditStore.recording(database, entry, StatusPageStore::new).write(before, after)
                    ? Optional.of(after)
                    : Optional.empty();
        });
        log.info("status_page_changed", Map.of("action", action, "by", author.id()));
        return written;
    }

    /** Returns the page for the audit log, without free texts and without ids of agents. */
    private static ObjectNode audited(StatusPage page) {
        return Json.object()
                .put("path", page.path())
                .put("published", page.published())
                .put("entries", page.entries().size());
    }

    /** Returns an incident for the audit log, without its texts. */
    private static ObjectNode audited(StatusPage page, String id) {
        ObjectNode json = Json.object();
        page.incidents().stream()
                .filter(incident -> incident.id().equals(id))
                .forEach(incident -> json.put("state", incident.state().wireName()));
        return json;
    }
}
