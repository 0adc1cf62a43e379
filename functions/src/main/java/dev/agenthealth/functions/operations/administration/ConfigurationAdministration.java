package dev.agenthealth.functions.operations.administration;

import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import java.util.Map;

/** Shows and replaces the runtime configuration. A change takes effect everywhere within a minute. Thread-safe. */
final class ConfigurationAdministration {

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
        OptimisticUpdates.untilDone(() -> {
            RuntimeConfiguration before = configuration.current();
            AuditEntry entry = AuditEntry.of(
                    request.author(),
                    "configuration.changed",
                    new AuditObject("configuration", "runtime"),
                    ConfigurationJson.write(before),
                    ConfigurationJson.write(wanted));
            return AuditStore.recording(database, entry, ConfigurationStore::new)
                    .replace(before, wanted);
        });
        log.info("configuration_replaced", Map.of("by", request.caller().keyId()));
        return ApiResponse.json(200, ConfigurationJson.write(wanted));
    }
}
