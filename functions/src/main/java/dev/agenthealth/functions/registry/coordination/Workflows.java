package dev.agenthealth.functions.registry.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import dev.agenthealth.model.registry.workflow.Workflow;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Workflows by name (RFC-0016 §12). A change applies to agents that register afterwards. Thread-safe. */
final class Workflows {

    private final Database database;
    private final WorkflowStore workflows;
    private final GroupStore groups;
    private final Clock clock;

    Workflows(Database database, Clock clock) {
        this.database = database;
        this.workflows = new WorkflowStore(database);
        this.groups = new GroupStore(database);
        this.clock = clock;
    }

    /**
     * {@code PUT /api/v1/workflows/{name}}: creates the workflow (201) or replaces it (200). An unchanged workflow keeps its version.
     *
     * @throws ApiError 400 for a file that breaks a rule; 409 if another workflow declares one of its roles; 412 about {@code If-Match} and
     *     {@code If-None-Match}
     */
    ApiResponse put(ApiRequest request) {
        String name = name(request);
        Map<String, RoleDefaults> agents = WorkflowFile.agents(request.body());
        Written written = write(request.author(), name, agents, before -> checkPreconditions(request, before));
        return shown(written.created() ? 201 : 200, written.workflow());
    }

    /** A workflow after a write. */
    private record Written(Workflow workflow, boolean created) {}

    /**
     * Creates or replaces a workflow.
     *
     * @throws ApiError as {@link #put}
     */
    void write(Author author, String name, Map<String, RoleDefaults> agents) {
        write(author, name, agents, before -> {});
    }

    private Written write(
            Author author, String name, Map<String, RoleDefaults> agents, Consumer<Optional<Workflow>> preconditions) {
        Written written = OptimisticUpdates.untilPresent(() -> {
            Optional<Workflow> before = workflows.find(name);
            preconditions.accept(before);
            if (before.filter(same -> same.declares(agents)).isPresent()) {
                return Optional.of(new Written(before.get(), false));
            }
            Workflow workflow = new Workflow(
                    name,
                    before.map(Workflow::version).orElse(0L) + 1,
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    agents);
            checkSize(before, workflow);
            checkRolesAreFree(workflow);
            return recording(author, "workflow.written", name, before, Optional.of(workflow))
                            .write(before, workflow)
                    ? Optional.of(new Written(workflow, before.isEmpty()))
                    : Optional.empty();
        });
        groups.noteRoles(agents.values().stream().map(RoleDefaults::roleId).toList());
        return written;
    }

    /**
     * {@code GET /api/v1/workflows/{name}}.
     *
     * @throws ApiError 404 if the workflow does not exist; 403 if the caller has only some roles and the workflow declares others
     */
    ApiResponse get(ApiRequest request) {
        Workflow workflow = existing(name(request));
        if (!maySee(request.caller(), workflow.roleIds())) {
            throw ApiError.forbidden(
                    "This key may not read workflow '" + workflow.name() + "', which has other roles.");
        }
        return shown(200, workflow);
    }

    /** {@code DELETE /api/v1/workflows/{name}}. */
    ApiResponse delete(ApiRequest request) {
        String name = name(request);
        OptimisticUpdates.untilDone(() -> {
            Workflow before = existing(name);
            checkPreconditions(request, Optional.of(before));
            return recording(request.author(), "workflow.deleted", name, Optional.of(before), Optional.empty())
                    .remove(before);
        });
        return ApiResponse.noContent();
    }

    private WorkflowStore recording(
            Author author, String action, String name, Optional<Workflow> before, Optional<Workflow> after) {
        AuditEntry entry =
                AuditEntry.of(author, action, new AuditObject("workflow", name), audited(before), audited(after));
        return AuditStore.recording(database, entry, WorkflowStore::new);
    }

    private static ObjectNode audited(Optional<Workflow> workflow) {
        return workflow.map(one -> WorkflowJson.full(one).<ObjectNode>without(List.of("name", "updated_at")))
                .orElseGet(Json::object);
    }

    /** {@code GET /api/v1/workflows}. */
    ApiResponse page(ApiRequest request) {
        Paging paging = Paging.of(request);
        return paging.answer(
                "workflows",
                (after, limit) -> ListPage.ofRead(workflows.page(after, limit), limit, WorkflowStore.Summary::name),
                WorkflowStore.Summary::name,
                workflow -> maySee(request.caller(), workflow.roleIds()),
                WorkflowJson::item);
    }

    private static boolean maySee(Caller caller, List<String> roleIds) {
        return roleIds.stream().allMatch(caller::maySeeRole);
    }

    private static void checkPreconditions(ApiRequest request, Optional<Workflow> before) {
        if (before.isPresent()) {
            request.preconditions().check("workflow", before.get().version());
        } else if (!request.preconditions().ifMatch().isEmpty()) {
            throw ApiError.failedPrecondition("version_mismatch", "There is no such workflow yet.");
        }
    }

    private static void checkSize(Optional<Workflow> before, Workflow workflow) {
        Set<String> touched = new HashSet<>(before.map(Workflow::roleIds).orElse(List.of()));
        touched.addAll(workflow.roleIds());
        if (touched.size() > WorkflowStore.MAX_ROLES_A_CHANGE) {
            throw ApiError.invalid(List.of(new FieldError(
                    "agents",
                    "has with the workflow before it " + touched.size() + " roles; at most "
                            + WorkflowStore.MAX_ROLES_A_CHANGE + " can change at once: take some away first")));
        }
    }

    private void checkRolesAreFree(Workflow workflow) {
        workflows.declaredElsewhere(workflow).entrySet().stream().findFirst().ifPresent(taken -> {
            throw ApiError.conflict(
                    "role_declared",
                    "The role '" + taken.getKey() + "' is declared by workflow '" + taken.getValue() + "'.");
        });
    }

    private Workflow existing(String name) {
        return workflows
                .find(name)
                .orElseThrow(() -> ApiError.notFound("workflow_not_found", "There is no workflow '" + name + "'."));
    }

    private static String name(ApiRequest request) {
        return request.pathId("name");
    }

    private static ApiResponse shown(int status, Workflow workflow) {
        return ApiResponse.json(status, WorkflowJson.full(workflow))
                .with("ETag", EntityTag.ofVersion(workflow.version()).value());
    }
}
