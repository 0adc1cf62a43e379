package dev.agenthealth.functions.operations.transfer;

import dev.agenthealth.functions.registry.coordination.DeclaredWorkflows;
import dev.agenthealth.functions.registry.coordination.DeclaredWorkflows.Declared;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;
import java.util.Optional;

/** The workflows with their roles. Thread-safe. */
public final class WorkflowSection implements Section {

    private final DeclaredWorkflows workflows;

    public WorkflowSection(Database database, Clock clock) {
        this.workflows = new DeclaredWorkflows(database, clock);
    }

    @Override
    public String name() {
        return "workflows";
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        ListPage<String> names = workflows.page(position, limit);
        return names.with(names.items().stream()
                .flatMap(name -> workflows.find(name).map(json -> new Exported(name, json)).stream())
                .toList());
    }

    @Override
    public Entry read(Fields fields) {
        Declared declared = DeclaredWorkflows.read(fields);
        return Entry.of(
                declared.name(),
                declared.json(),
                () -> Optional.of(declared.name()).flatMap(workflows::find),
                author -> workflows.write(author, declared));
    }
}
