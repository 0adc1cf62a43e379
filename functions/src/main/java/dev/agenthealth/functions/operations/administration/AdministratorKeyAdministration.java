package dev.agenthealth.functions.operations.administration;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.AdministratorKeyStore;
import dev.agenthealth.model.identity.CallerKind;
import dev.agenthealth.model.identity.KeyHash;
import java.util.Map;

/** Switches the deployment's own key off and on. It can be off once an administrator has signed in. Thread-safe. */
final class AdministratorKeyAdministration {

    private static final String ENABLED = "enabled";

    private final Database database;
    private final AdministratorKeyStore store;
    private final KeyHash key;
    private final Log log;

    AdministratorKeyAdministration(Database database, Authenticator authenticator, Log log) {
        this.database = database;
        this.store = new AdministratorKeyStore(database);
        this.key = authenticator.administratorKey();
        this.log = log;
    }

    /** {@code GET …}: shows whether the key works. */
    ApiResponse show(ApiRequest request) {
        return answer(!store.isOffNow(key));
    }

    /**
     * {@code PUT …}: switches the key off or on.
     *
     * @throws ApiError 403 if anybody but a signed-in person switches it off, as only such a person has another way in
     */
    ApiResponse change(ApiRequest request) {
        Fields body = request.fields();
        body.require(ENABLED);
        boolean enabled = body.flag(ENABLED, true);
        body.refuseUnknown();
        body.check();
        AuditEntry entry = AuditEntry.of(
                request.author(),
                "administrator_key.changed",
                new AuditObject("administrator_key", "administrator"),
                Json.object().put(ENABLED, !enabled),
                Json.object().put(ENABLED, enabled));
        // If the key already has this state, nothing is written.
        AdministratorKeyStore recording = AuditStore.recording(database, entry, AdministratorKeyStore::new);
        if (enabled) {
            recording.switchOn();
        } else if (request.caller().kind() == CallerKind.PERSON) {
            recording.switchOff(key);
        } else {
            throw ApiError.forbidden("Only a person who signed in as an administrator may switch the key off.");
        }
        log.info(
                "administrator_key_changed",
                Map.of(ENABLED, enabled, "by", request.caller().keyId()));
        return answer(enabled);
    }

    private static ApiResponse answer(boolean enabled) {
        return ApiResponse.json(200, Json.object().put(ENABLED, enabled));
    }
}
