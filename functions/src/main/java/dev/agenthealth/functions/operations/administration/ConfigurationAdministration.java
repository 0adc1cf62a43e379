package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CardKeys;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shows and replaces the runtime configuration. A change takes effect everywhere within a minute. Thread-safe. */
final class ConfigurationAdministration {

    private static final String DEFAULT_WINDOW = "default_window_seconds";
    private static final String MAX_IN_FLIGHT = "max_in_flight";
    private static final String MAX_AGENTS_PER_KEY = "max_agents_per_key";
    private static final String MAX_WATCHED_AGENTS_PER_KEY = "max_watched_agents_per_key";
    private static final String LEASES = "leases";
    private static final String MAX_PER_AGENT = "max_per_agent";
    private static final String MAX_PER_KEY = "max_per_key";
    private static final String MAX_IN_ALL = "max_in_all";
    private static final String PUBLIC_CATALOGUE = "public_catalogue";
    private static final String CARD_KEYS = "card_keys";
    private static final String METRIC_ROLES = "metric_roles";

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
        return ApiResponse.json(200, json(configuration.current()));
    }

    /**
     * {@code PUT /v1/admin/configuration}: replaces all values.
     */
    ApiResponse replace(ApiRequest request) {
        Fields body = request.fields();
        Fields massSilence = body.object("mass_silence");
        Fields invocations = body.object("invocations");
        body.require(PUBLIC_CATALOGUE);
        LeaseLimits leases = leases(body);
        RuntimeConfiguration wanted = new RuntimeConfiguration(
                number(body, "sweep_passes_per_minute"),
                number(body, "sweep_fan_out_agents"),
                new MassSilenceRule(
                        number(massSilence, "minimum_agents"),
                        number(massSilence, "silent_percent"),
                        number(massSilence, "death_percent_per_minute")),
                new CallerLimit(number(invocations, "per_second"), number(invocations, "burst")),
                MeasurementWindow.ofSeconds(number(body, DEFAULT_WINDOW)),
                number(body, MAX_AGENTS_PER_KEY),
                number(body, MAX_WATCHED_AGENTS_PER_KEY),
                number(invocations, MAX_IN_FLIGHT),
                body.flag(PUBLIC_CATALOGUE, false),
                cardKeys(body),
                body.texts(METRIC_ROLES, RuntimeConfiguration.MAX_METRIC_ROLES, Ids.MAX_LENGTH),
                leases);
        massSilence.refuseUnknown();
        invocations.refuseUnknown();
        body.refuseUnknown();
        body.refuse(wanted.errors());
        body.check();
        OptimisticUpdates.untilDone(() -> {
            RuntimeConfiguration before = configuration.current();
            AuditEntry entry = AuditEntry.of(
                    request.author(),
                    "configuration.changed",
                    new AuditObject("configuration", "runtime"),
                    json(before),
                    json(wanted));
            return AuditStore.recording(database, entry, ConfigurationStore::new)
                    .replace(before, wanted);
        });
        log.info("configuration_replaced", Map.of("by", request.caller().keyId()));
        return ApiResponse.json(200, json(wanted));
    }

    /** Returns the limits of leases, with the default for each missing limit. */
    private static LeaseLimits leases(Fields body) {
        Fields leases = body.object(LEASES);
        LeaseLimits limits = new LeaseLimits(
                leases.integer(MAX_PER_AGENT, Integer.MIN_VALUE, Integer.MAX_VALUE)
                        .orElse(LeaseLimits.DEFAULT.perAgent()),
                leases.integer(MAX_PER_KEY, Integer.MIN_VALUE, Integer.MAX_VALUE)
                        .orElse(LeaseLimits.DEFAULT.perKey()),
                leases.integer(MAX_IN_ALL, Integer.MIN_VALUE, Integer.MAX_VALUE).orElse(LeaseLimits.DEFAULT.inAll()));
        leases.refuseUnknown();
        return limits;
    }

    /** Returns the public parts of the keys; empty if the field is missing. */
    private static List<String> cardKeys(Fields body) {
        JsonNode given = body.any(CARD_KEYS);
        List<String> keys = new ArrayList<>();
        given.forEach(key -> CardKeys.key(Json.text(key)).ifPresent(found -> keys.add(found.toJSONString())));
        boolean isList = given.isArray() && given.size() <= RuntimeConfiguration.MAX_CARD_KEYS;
        if (!given.isMissingNode() && !given.isNull() && (!isList || keys.size() < given.size())) {
            body.refuse(
                    CARD_KEYS,
                    "must be at most " + RuntimeConfiguration.MAX_CARD_KEYS + " public JSON Web Keys with a kid");
        }
        return keys;
    }

    private static int number(Fields fields, String name) {
        fields.require(name);
        return fields.integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE).orElse(0);
    }

    private static ObjectNode json(RuntimeConfiguration configuration) {
        ObjectNode json = Json.object();
        json.put("sweep_passes_per_minute", configuration.sweepPassesPerMinute());
        json.put("sweep_fan_out_agents", configuration.sweepFanOutAgents());
        json.putObject("mass_silence")
                .put("minimum_agents", configuration.massSilence().minimumAgents())
                .put("silent_percent", configuration.massSilence().silentPercent())
                .put("death_percent_per_minute", configuration.massSilence().deathPercentPerMinute());
        json.putObject("invocations")
                .put("per_second", configuration.invocations().perSecond())
                .put("burst", configuration.invocations().burst())
                .put(MAX_IN_FLIGHT, configuration.maxInvocationsInFlight());
        json.put(DEFAULT_WINDOW, configuration.defaultWindow().seconds());
        json.put(MAX_AGENTS_PER_KEY, configuration.maxAgentsPerKey());
        json.put(MAX_WATCHED_AGENTS_PER_KEY, configuration.maxWatchedAgentsPerKey());
        json.putObject(LEASES)
                .put(MAX_PER_AGENT, configuration.leases().perAgent())
                .put(MAX_PER_KEY, configuration.leases().perKey())
                .put(MAX_IN_ALL, configuration.leases().inAll());
        json.put(PUBLIC_CATALOGUE, configuration.publicCatalogue());
        ArrayNode keys = json.putArray(CARD_KEYS);
        configuration.cardKeys().forEach(key -> keys.add(Json.stored(key)));
        configuration.metricRoles().forEach(json.putArray(METRIC_ROLES)::add);
        return json;
    }
}
