package dev.agenthealth.functions.operations.administration;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.util.List;

/** The routes for API keys, owners of agents, hosts that show an agent's health, the runtime configuration, and identity providers. */
public final class AdministrationRoutes {

    private static final String ADMINISTRATOR_KEY = "/v1/admin/administrator-key";
    private static final String IDENTITY_PROVIDERS = "/v1/admin/identity-providers";

    private final KeyAdministration keys;
    private final KeySection keySection;
    private final OwnerAdministration owners;
    private final HostAdministration hosts;
    private final ConfigurationAdministration configuration;
    private final IdentityProviderAdministration identityProviders;
    private final AdministratorKeyAdministration administratorKey;

    public AdministrationRoutes(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        this.keys = new KeyAdministration(database, wiring.clock(), log);
        this.keySection = new KeySection(keys, database, wiring.clock());
        this.owners = new OwnerAdministration(database, authenticator, log);
        this.hosts = new HostAdministration(database, wiring.clock(), log);
        this.configuration = new ConfigurationAdministration(database, log);
        this.identityProviders = new IdentityProviderAdministration(wiring, database, log);
        this.administratorKey = new AdministratorKeyAdministration(database, authenticator, log);
    }

    public void addTo(Routes routes) {
        routes.on("POST /v1/admin/keys", ADMINISTRATOR, keys::issue)
                .on("GET /v1/admin/keys", ADMINISTRATOR, keys::list, QUERY)
                .on("PATCH /v1/admin/keys/{key_id}", ADMINISTRATOR, keys::change)
                .on("POST /v1/admin/keys/{key_id}/rotate", ADMINISTRATOR, keys::rotate)
                .on("DELETE /v1/admin/keys/{key_id}", ADMINISTRATOR, keys::revoke)
                .on("PUT /v1/admin/agents/{agent_id}/owner", ADMINISTRATOR, owners::transfer)
                .on("GET /v1/admin/hosts", ADMINISTRATOR, hosts::list, QUERY)
                .on("PUT /v1/admin/hosts/{host}", ADMINISTRATOR, hosts::map)
                .on("DELETE /v1/admin/hosts/{host}", ADMINISTRATOR, hosts::unmap)
                .on("GET /v1/admin/configuration", ADMINISTRATOR, configuration::show)
                .on("PUT /v1/admin/configuration", ADMINISTRATOR, configuration::replace)
                .on("GET " + IDENTITY_PROVIDERS, ADMINISTRATOR, identityProviders::list)
                .on("PUT " + IDENTITY_PROVIDERS + "/{name}", ADMINISTRATOR, identityProviders::put)
                .on("GET " + IDENTITY_PROVIDERS + "/{name}", ADMINISTRATOR, identityProviders::get)
                .on("DELETE " + IDENTITY_PROVIDERS + "/{name}", ADMINISTRATOR, identityProviders::delete)
                .on("GET " + ADMINISTRATOR_KEY, ADMINISTRATOR, administratorKey::show)
                .on("PUT " + ADMINISTRATOR_KEY, ADMINISTRATOR, administratorKey::change);
    }

    /** Returns the sections to which objects of other sections refer. */
    public List<Section> sections() {
        return List.of(configuration.section(), identityProviders.section(), keySection);
    }

    /** Returns the section of the mapped hosts, which refer to agents. */
    public Section hostSection() {
        return hosts.section();
    }
}
