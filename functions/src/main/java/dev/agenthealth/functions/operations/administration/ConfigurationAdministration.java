package dev.agenthealth.functions.operations.administration;

import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows and replaces the runtime configuration. A change takes effect everywhere within a minute. Thread-safe. */
final class ConfigurationAdministration {

    private static final String RUNTIME = "runtime";

    private final Database database;
    private final ConfigurationStore configuration;
    private final Log log;

    ConfigurationAdministration(Database database, Log log) {
        this.database = database;
        this.configuration = new ConfigurationStore(database);
        this.log = log;
    }

    /** {@code GET /v1/admin/configuration}. */
    ApiResponse show(ApiRequest request) {
        return ApiResponse.json(200, ConfigurationJson.write(configuration.current()));
    }

    /**
     * {@code PUT /v1/admin/configuration}: replaces all values.
     */
    ApiResponse replace(ApiRequest request) {
        Fields body = request.fields();
        RuntimeConfiguration wanted = ConfigurationJson.read(body);
        body.refuse(wanted.errors());
        body.check();
        replace(request.author(), wanted);
        return ApiResponse.json(200, ConfigurationJson.write(wanted));
    }

    private void replace(Author author, RuntimeConfiguration wanted) {
        OptimisticUpdates.untilDone(() -> {
            RuntimeConfiguration before = configuration.current();
            AuditEntry entry = AuditEntry.of(
                    author,
                    "configuration.changed",
                    new AuditObject("configuration", RUNTIME),
                    ConfigurationJson.write(before),
                    ConfigurationJson.write(wanted));
            return AuditStore.recording(database, entry, ConfigurationStore::new)
                    .replace(before, wanted);
        });
        log.info("configuration_replaced", Map.of("by", author.id()));
    }

    /** Returns the section of the runtime configuration. */
    Section section() {
        return new Section() {

            @Override
            public String name() {
                return "configuration";
            }

            @Override
            public boolean isOneObject() {
                return true;
            }

            @Override
            public ListPage<Exported> export(String position, int limit) {
                return new ListPage<>(
                        List.of(new Exported(RUNTIME, ConfigurationJson.write(configuration.current()))), "");
            }

            @Override
            public Entry read(Fields fields) {
                RuntimeConfiguration wanted = ConfigurationJson.read(fields);
                wanted.errors().forEach(error -> fields.refuse(error.field(), error.message()));
                return Entry.of(
                        RUNTIME,
                        ConfigurationJson.write(wanted),
                        () -> Optional.of(ConfigurationJson.write(configuration.current())),
                        author -> replace(author, wanted));
            }
        };
    }
}
