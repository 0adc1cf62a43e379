package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.identity.IdentityProviderStore;
import dev.agenthealth.functions.storage.identity.IdentityProviderStore.Known;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.IdentityProvider;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Configures the identity providers with accepted tokens. Thread-safe. */
final class IdentityProviderAdministration {

    private static final int MAX_PROVIDERS = 20;

    private final Database database;
    private final IdentityProviderStore providers;
    private final AddressCheck addresses;
    private final Clock clock;
    private final Log log;

    IdentityProviderAdministration(Wiring wiring, Database database, Log log) {
        this.database = database;
        this.providers = new IdentityProviderStore(database);
        this.addresses = AddressCheck.of(wiring, NameResolver.system());
        this.clock = wiring.clock();
        this.log = log;
    }

    /** {@code GET …}: lists all providers. */
    ApiResponse list(ApiRequest request) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("identity_providers");
        providers.all().forEach(provider -> array.add(IdentityProviderFields.shown(provider)));
        return ApiResponse.json(200, json);
    }

    /** {@code GET …/{name}}: shows a provider. */
    ApiResponse get(ApiRequest request) {
        String name = request.pathId("name");
        return providers
                .known()
                .find(name)
                .map(provider -> ApiResponse.json(200, IdentityProviderFields.shown(provider)))
                .orElseThrow(() -> ApiError.notFound(
                        "identity_provider_not_found", "There is no identity provider '" + name + "'."));
    }

    /** {@code PUT …/{name}}: creates a provider (201) or replaces it (200). */
    ApiResponse put(ApiRequest request) {
        IdentityProvider written = OptimisticUpdates.untilPresent(() -> write(request));
        note("identity_provider_written", written.name(), request);
        return ApiResponse.json(written.version() == 1 ? 201 : 200, IdentityProviderFields.shown(written));
    }

    private Optional<IdentityProvider> write(ApiRequest request) {
        String name = request.pathId("name");
        Known all = providers.known();
        Fields body = request.fields();
        IdentityProvider provider = IdentityProviderFields.read(name, body, all.find(name), addresses, clock.instant());
        body.refuseUnknown();
        body.check();
        return write(request.author(), provider, all);
    }

    /** Writes a provider if the providers are still as they were read. */
    private Optional<IdentityProvider> write(Author author, IdentityProvider provider, Known all) {
        String name = provider.name();
        Optional<IdentityProvider> before = all.find(name);
        all.providers().stream()
                .filter(other -> !other.name().equals(name) && isOfSameTokens(other, provider))
                .findFirst()
                .ifPresent(other -> {
                    throw ApiError.conflict(
                            "issuer_in_use",
                            "The identity provider '" + other.name() + "' has the same issuer or trust domain.");
                });
        if (before.isEmpty() && all.providers().size() >= MAX_PROVIDERS) {
            throw ApiError.conflict(
                    "too_many_identity_providers",
                    "There are " + MAX_PROVIDERS + " identity providers already: delete one first.");
        }
        boolean isSame = before.isPresent() && audited(before).equals(audited(Optional.of(provider)));
        return isSame
                        || recording(author, "identity_provider.written", name, before, Optional.of(provider))
                                .write(provider, all)
                ? Optional.of(provider)
                : Optional.empty();
    }

    private static boolean isOfSameTokens(IdentityProvider one, IdentityProvider other) {
        return one.issuer().equals(other.issuer())
                || !one.trustDomain().isEmpty() && one.trustDomain().equals(other.trustDomain());
    }

    /** Returns the section of the identity providers. */
    Section section() {
        return new Section() {

            @Override
            public String name() {
                return "identity_providers";
            }

            @Override
            public ListPage<Exported> export(String position, int limit) {
                return Section.pageOf(
                        providers.all().stream().map(provider -> new Exported(provider.name(), declared(provider))),
                        position,
                        limit);
            }

            @Override
            public Entry read(Fields fields) {
                fields.require("name");
                String name = fields.id("name");
                Known all = providers.known();
                IdentityProvider wanted =
                        IdentityProviderFields.read(name, fields, all.find(name), addresses, clock.instant());
                fields.refuseUnknown();
                return Entry.of(
                        name,
                        declared(wanted),
                        () -> all.find(name).map(IdentityProviderAdministration::declared),
                        author -> OptimisticUpdates.untilPresent(() -> {
                            Known now = providers.known();
                            return write(author, wanted.after(now.find(name)), now);
                        }));
            }
        };
    }

    private static ObjectNode declared(IdentityProvider provider) {
        return IdentityProviderFields.shown(provider).without(List.of("created_at"));
    }

    /** {@code DELETE …/{name}}: removes a provider. Its tokens end within a minute. Does nothing if the provider does not exist. */
    ApiResponse delete(ApiRequest request) {
        String name = request.pathId("name");
        OptimisticUpdates.untilDone(() -> {
            Known all = providers.known();
            Optional<IdentityProvider> before = all.find(name);
            return before.isEmpty()
                    || recording(request.author(), "identity_provider.deleted", name, before, Optional.empty())
                            .remove(name, all);
        });
        note("identity_provider_deleted", name, request);
        return ApiResponse.noContent();
    }

    private IdentityProviderStore recording(
            Author author,
            String action,
            String name,
            Optional<IdentityProvider> before,
            Optional<IdentityProvider> after) {
        AuditObject object = new AuditObject("identity_provider", name);
        return AuditStore.recording(
                database,
                AuditEntry.of(author, action, object, audited(before), audited(after)),
                IdentityProviderStore::new);
    }

    private static ObjectNode audited(Optional<IdentityProvider> provider) {
        return provider.map(IdentityProviderFields::shown).orElseGet(Json::object);
    }

    private void note(String what, String name, ApiRequest request) {
        log.info(what, Map.of("identity_provider", name, "by", request.caller().keyId()));
    }
}
