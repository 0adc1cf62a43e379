package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.model.catalogue.CatalogueRule;
import dev.agenthealth.model.identity.AgentUri;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.Restarts;
import dev.agenthealth.model.lifecycle.Workload;
import dev.agenthealth.model.profile.A2aVersion;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectation;
import dev.agenthealth.model.profile.ModelInfo;
import dev.agenthealth.model.workflow.RoleDefaults;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads profiles from registrations and profile changes. Errors are recorded on the fields.
 *
 * <p>In a profile change, an absent field keeps its value and null clears it. The same holds for the fields of nested objects, except for
 * the metadata, which is replaced as a whole.
 */
final class ProfileFields {

    private static final String LISTED = "listed";

    private static final int MAX_PLATFORM = 64;
    private static final int MAX_NAME = 200;
    private static final int MAX_URL = 2_048;

    private ProfileFields() {}

    /**
     * The profile of a registration. Absent fields and null are inherited from the role.
     *
     * @param agentId the id, chosen by the caller or generated
     * @param role what a workflow declares for the agent's role, or {@link RoleDefaults#NONE}
     */
    static AgentProfile registration(Fields body, String agentId, RoleDefaults role, Instant now) {
        AgentProfile blank = new AgentProfile(
                agentId,
                body.id("role_id"),
                "",
                role.capabilities(),
                role.maxConcurrentTasks(),
                "",
                A2aVersion.DEFAULT,
                role.heartbeat(),
                "",
                "",
                "",
                false,
                false,
                ModelInfo.UNKNOWN,
                Map.of(),
                AgentProfile.NO_METADATA,
                now,
                now,
                Restarts.NONE,
                now,
                Instant.EPOCH);
        return changed(body, blank, role, now);
    }

    /** The profile after a change. Role and id cannot change: an agent with another role registers again. */
    static AgentProfile changed(Fields body, AgentProfile before, Instant now) {
        return changed(body, before, RoleDefaults.NONE, now).measuredAfter(before, now);
    }

    /**
     * @param cleared the values of cleared fields
     */
    private static AgentProfile changed(Fields body, AgentProfile before, RoleDefaults cleared, Instant now) {
        List<String> declared = DeclaredFields.capabilities(body);
        List<String> others = body.mentions("capabilities") ? cleared.capabilities() : before.capabilities();
        List<String> capabilities = body.has("capabilities") ? declared : others;
        String endpoint = body.mentions("endpoint") ? endpoint(body) : before.endpoint();
        A2aVersion a2aVersion = body.mentions("a2a_version")
                ? body.oneOf("a2a_version", A2aVersion.values(), A2aVersion::wireName)
                        .orElse(A2aVersion.DEFAULT)
                : before.a2aVersion();
        AgentProfile profile = new AgentProfile(
                before.agentId(),
                before.roleId(),
                body.mentions("name") ? body.text("name", MAX_NAME) : before.name(),
                capabilities,
                body.mentions("capacity")
                        ? capacity(body, before.maxConcurrentTasks(), cleared)
                        : before.maxConcurrentTasks(),
                endpoint,
                a2aVersion,
                body.mentions("heartbeat_config")
                        ? heartbeatConfig(body, before.heartbeatConfig(), cleared.heartbeat())
                        : before.heartbeatConfig(),
                body.mentions("agent_uri") ? agentUri(body) : before.agentUri(),
                body.mentions("provider_id") ? body.id("provider_id") : before.providerId(),
                body.mentions("platform") ? body.text("platform", MAX_PLATFORM) : before.platform(),
                body.flag("personal", !body.mentions("personal") && before.personal()),
                body.flag(LISTED, !body.mentions(LISTED) && before.inCatalogue()),
                body.mentions("model") ? model(body, before.model(), now) : before.model(),
                body.mentions("expectations") ? expectations(body, before.expectations()) : before.expectations(),
                body.mentions("metadata")
                        ? body.opaqueObject("metadata", AgentProfile.MAX_METADATA_BYTES)
                                .orElse(AgentProfile.NO_METADATA)
                        : before.metadata(),
                before.registeredAt(),
                before.startedAt(),
                before.restarts(),
                before.declares(capabilities, endpoint, a2aVersion) ? before.capabilitiesUpdatedAt() : now,
                before.restartedAt());
        CatalogueRule.objection(profile).ifPresent(objection -> body.refuse(LISTED, objection));
        return profile;
    }

    private static int capacity(Fields body, int before, RoleDefaults cleared) {
        Fields capacity = body.object("capacity");
        boolean kept = body.has("capacity") && !capacity.mentions("max_concurrent_tasks");
        int maximum = DeclaredFields.maxTasks(capacity, cleared.maxConcurrentTasks());
        // A record that was read has the load, so a body may; heartbeats report it, a registration starts at 0.
        capacity.integer("current_load", 0, Workload.MAX_TASKS);
        capacity.refuseUnknown();
        return kept ? before : maximum;
    }

    private static HeartbeatConfig heartbeatConfig(Fields body, HeartbeatConfig before, HeartbeatConfig cleared) {
        HeartbeatConfig kept = body.has("heartbeat_config") ? before : cleared;
        return DeclaredFields.heartbeat(body.object("heartbeat_config"), kept, cleared);
    }

    private static ModelInfo model(Fields body, ModelInfo before, Instant now) {
        Fields fields = body.object("model");
        ModelInfo kept = body.has("model") ? before : ModelInfo.UNKNOWN;
        String name = fields.mentions("name") ? fields.text("name", MAX_NAME) : kept.name();
        String version = fields.mentions("version") ? fields.text("version", MAX_NAME) : kept.version();
        Instant changedAt = fields.timestamp("changed_at").orElse(Instant.MIN);
        if (changedAt.isAfter(now) || !changedAt.equals(Instant.MIN) && changedAt.isBefore(Instant.EPOCH)) {
            fields.refuse("changed_at", "must be from 1970 on and not in the future");
        }
        fields.refuseUnknown();
        return new ModelInfo(name, version, changedAt).replacing(kept, now);
    }

    private static Map<Expectation, Double> expectations(Fields body, Map<Expectation, Double> before) {
        Fields fields = body.object("expectations");
        Map<Expectation, Double> expectations = new EnumMap<>(Expectation.class);
        if (body.has("expectations")) {
            expectations.putAll(before);
        }
        for (Expectation expectation : Expectation.values()) {
            if (fields.mentions(expectation.wireName())) {
                expectations.remove(expectation);
            }
            fields.number(expectation.wireName()).ifPresent(value -> {
                if (expectation.accepts(value)) {
                    expectations.put(expectation, value);
                } else {
                    fields.refuse(expectation.wireName(), expectation.rule());
                }
            });
        }
        fields.refuseUnknown();
        return expectations;
    }

    private static String endpoint(Fields body) {
        String text = body.text("endpoint", MAX_URL);
        if (!text.isEmpty() && !isHttpUrl(text)) {
            body.refuse("endpoint", "must be an absolute http or https URL without credentials");
        }
        return text;
    }

    private static String agentUri(Fields body) {
        String text = body.text("agent_uri", AgentUri.MAX_LENGTH);
        if (!text.isEmpty() && !AgentUri.isValid(text)) {
            body.refuse("agent_uri", AgentUri.RULE);
        }
        return text;
    }

    private static boolean isHttpUrl(String text) {
        try {
            URI uri = new URI(text);
            String authority = uri.getRawAuthority();
            // URI reads no host names with underscores, which container networks have; the gateway has rules of its
            // own.
            URI place = new URI("http://" + (authority == null ? "" : authority.replace('_', 'x')));
            return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
                    && place.getHost() != null
                    && place.getRawUserInfo() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
