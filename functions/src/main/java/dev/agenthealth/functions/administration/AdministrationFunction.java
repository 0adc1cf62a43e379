package dev.agenthealth.functions.administration;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;

/** What only administrators do: API keys, the hosts that show an agent's health, and the runtime configuration. */
public final class AdministrationFunction extends HttpFunction {

    private final Authenticator authenticator;
    private final KeyAdministration keys;
    private final HostAdministration hosts;
    private final ConfigurationAdministration configuration;
    private final RouteTable routes;

    /** For Lambda. */
    public AdministrationFunction() {
        this(Wiring.fromEnvironment());
    }

    public AdministrationFunction(Wiring wiring) {
        this(wiring, wiring.log());
    }

    private AdministrationFunction(Wiring wiring, Log log) {
        super(wiring, log);
        Stores stores = Stores.of(wiring);
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.keys = new KeyAdministration(stores.keys(), wiring.clock(), log);
        this.hosts = new HostAdministration(stores.hosts(), stores.agents(), wiring.clock(), log);
        this.configuration =
                new ConfigurationAdministration(stores.configuration(ConfigurationStore.seed(wiring)), log);
        this.routes = new RouteTable()
                .on("POST /v1/admin/keys", this::issueKey)
                .on("GET /v1/admin/keys", this::listKeys)
                .on("DELETE /v1/admin/keys/{key_id}", this::revokeKey)
                .on("GET /v1/admin/hosts", this::listHosts)
                .on("PUT /v1/admin/hosts/{host}", this::mapHost)
                .on("DELETE /v1/admin/hosts/{host}", this::unmapHost)
                .on("GET /v1/admin/configuration", this::showConfiguration)
                .on("PUT /v1/admin/configuration", this::replaceConfiguration);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("GET /v1/admin/keys");
    }

    private ApiResponse issueKey(ApiRequest request) {
        Caller administrator = authenticator.administrator(request);
        return ApiResponse.json(201, keys.issue(administrator, request.fields()));
    }

    private ApiResponse listKeys(ApiRequest request) {
        authenticator.administrator(request);
        return ApiResponse.json(200, keys.list(request));
    }

    private ApiResponse revokeKey(ApiRequest request) {
        keys.revoke(authenticator.administrator(request), request.pathId("key_id"));
        return ApiResponse.noContent();
    }

    private ApiResponse listHosts(ApiRequest request) {
        authenticator.administrator(request);
        return ApiResponse.json(200, hosts.list(request));
    }

    private ApiResponse mapHost(ApiRequest request) {
        Caller administrator = authenticator.administrator(request);
        return ApiResponse.json(200, hosts.map(administrator, request.pathText("host"), request.fields()));
    }

    private ApiResponse unmapHost(ApiRequest request) {
        hosts.unmap(authenticator.administrator(request), request.pathText("host"));
        return ApiResponse.noContent();
    }

    private ApiResponse showConfiguration(ApiRequest request) {
        authenticator.administrator(request);
        return ApiResponse.json(200, configuration.show());
    }

    private ApiResponse replaceConfiguration(ApiRequest request) {
        Caller administrator = authenticator.administrator(request);
        return ApiResponse.json(200, configuration.replace(administrator, request.fields()));
    }
}
