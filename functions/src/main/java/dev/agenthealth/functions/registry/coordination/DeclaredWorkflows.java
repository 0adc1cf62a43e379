package dev.agenthealth.functions.registry.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import dev.agenthealth.model.registry.workflow.Workflow;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Reads and writes workflows as objects with their names, for registries that exchange their configuration. Thread-safe. */
public final class DeclaredWorkflows {

    private final Workflows workflows;
    private final WorkflowStore store;

    public DeclaredWorkflows(Database database, Clock clock) {
        this.workflows = new Workflows(database, clock);
        this.store = new WorkflowStore(database);
    }

    /**
     * A workflow that was read from an object.
     *
     * @param json the object, complete with defaults
     */
    public record Declared(String name, Map<String, RoleDefaults> agents, ObjectNode json) {}

    /** Reads a workflow, and records an error for each invalid field. Use the workflow only if no error was recorded. */
    public static Declared read(Fields fields) {
        fields.require("name");
        String name = fields.id("name");
        Map<String, RoleDefaults> agents = WorkflowFile.agents(fields);
        fields.refuseUnknown();
        return new Declared(name, agents, WorkflowJson.declared(name, agents));
    }

    /** Returns a workflow in the form of {@link #read}. */
    public Optional<ObjectNode> find(String name) {
        return store.find(name).map(DeclaredWorkflows::json);
    }

    /** Returns the names of at most {@code limit} workflows after a name. */
    public ListPage<String> page(String after, int limit) {
        return ListPage.ofRead(store.page(after, limit), limit, WorkflowStore.Summary::name)
                .map(WorkflowStore.Summary::name);
    }

    /**
     * Creates or replaces a workflow.
     *
     * @throws ApiError 400 for a change of too many roles; 409 if another workflow declares one of its roles
     */
    public void write(Author author, Declared workflow) {
        workflows.write(author, workflow.name(), workflow.agents());
    }

    private static ObjectNode json(Workflow workflow) {
        return WorkflowJson.declared(workflow.name(), workflow.agents());
    }
}
