package dev.agenthealth.functions.administration;

import static dev.agenthealth.functions.access.Access.ADMINISTRATOR;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.wiring.Wiring;

/** API keys, the hosts that show an agent's health, and the runtime configuration. */
public final class AdministrationRoutes {

    private final KeyAdministration keys;
    private final HostAdministration hosts;
    private final ConfigurationAdministration configuration;

    public AdministrationRoutes(Wiring wiring, Stores stores, Log log) {
        this.keys = new KeyAdministration(stores.keys(), wiring.clock(), log);
        this.hosts = new HostAdministration(stores.hosts(), stores.agents(), wiring.clock(), log);
        this.configuration =
                new ConfigurationAdministration(stores.configuration(ConfigurationStore.seed(wiring)), log);
    }

    public void addTo(Routes routes) {
        routes.on("POST /v1/admin/keys", ADMINISTRATOR, this::issueKey)
                .on("GET /v1/admin/keys", ADMINISTRATOR, request -> ApiResponse.json(200, keys.list(request)))
                .on("DELETE /v1/admin/keys/{key_id}", ADMINISTRATOR, this::revokeKey)
                .on("GET /v1/admin/hosts", ADMINISTRATOR, request -> ApiResponse.json(200, hosts.list(request)))
                .on("PUT /v1/admin/hosts/{host}", ADMINISTRATOR, this::mapHost)
                .on("DELETE /v1/admin/hosts/{host}", ADMINISTRATOR, this::unmapHost)
                .on(
                        "GET /v1/admin/configuration",
                        ADMINISTRATOR,
                        request -> ApiResponse.json(200, configuration.show()))
                .on("PUT /v1/admin/configuration", ADMINISTRATOR, this::replaceConfiguration);
    }

    private ApiResponse issueKey(ApiRequest request) {
        return ApiResponse.json(201, keys.issue(request.caller(), request.fields()));
    }

    private ApiResponse revokeKey(ApiRequest request) {
        keys.revoke(request.caller(), request.pathId("key_id"));
        return ApiResponse.noContent();
    }

    private ApiResponse mapHost(ApiRequest request) {
        return ApiResponse.json(200, hosts.map(request.caller(), request.pathText("host"), request.fields()));
    }

    private ApiResponse unmapHost(ApiRequest request) {
        hosts.unmap(request.caller(), request.pathText("host"));
        return ApiResponse.noContent();
    }

    private ApiResponse replaceConfiguration(ApiRequest request) {
        return ApiResponse.json(200, configuration.replace(request.caller(), request.fields()));
    }
}
