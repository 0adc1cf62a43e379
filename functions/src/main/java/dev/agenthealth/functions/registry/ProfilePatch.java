package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.health.catalogue.CatalogueRule;
import dev.agenthealth.model.identity.AgentUri;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.ModelInfo;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.version.AgentVersion;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A change of a profile. It is read once from a body, and then applied to the current profile at each attempt. Not thread-safe.
 *
 * <p>An absent field keeps its value. Null sets the default of the role. The fields of nested objects follow the same rules, but metadata
 * are replaced as a whole. Role and id never change. Errors are recorded on the fields.
 */
final class ProfilePatch {

    static final String COORDINATORS = "coordinator_key_ids";
    static final String AGENT_VERSION = "agent_version";
    private static final String LISTED = "listed";
    private static final String ACCEPTS_PUSH = "accepts_push";
    private static final String HEARTBEAT_CONFIG = "heartbeat_config";

    private static final int MAX_PLATFORM = 64;
    private static final int MAX_NAME = 200;
    private static final int MAX_URL = 2_048;

    /** The settings beside the limits. They say how limits count and act. */
    private static final Set<Expectation> SETTINGS_OF_LIMITS =
            EnumSet.of(Expectation.COUNT_CACHED, Expectation.ON_EXCEEDED);

    private final Fields body;
    private final Instant now;
    private final UnaryOperator<Description> description;
    private final UnaryOperator<AgentInterface> agentInterface;
    private final UnaryOperator<Integer> maxTasks;
    private final UnaryOperator<HeartbeatConfig> heartbeat;
    private final UnaryOperator<Watch> watch;
    private final UnaryOperator<ModelInfo> model;
    private final UnaryOperator<Expectations> expectations;

    /**
     * Reads a change.
     *
     * @param cleared the values of cleared fields
     */
    ProfilePatch(Fields body, RoleDefaults cleared, Instant now) {
        this.body = body;
        this.now = now;
        this.description = description();
        this.agentInterface = agentInterface(cleared);
        this.maxTasks = maxTasks(cleared.maxConcurrentTasks());
        this.heartbeat = heartbeat(cleared.heartbeat());
        body.any(WatchFields.WATCH);
        this.watch = body.has(WatchFields.WATCH)
                ? WatchFields.read(body.object(WatchFields.WATCH))
                : change(WatchFields.WATCH, Watch.NONE);
        this.model = model();
        this.expectations = expectations();
    }

    /** Returns the profile after this change. Records an error of the body if the fields contradict each other. */
    AgentProfile applyTo(AgentProfile before) {
        AgentProfile profile = new AgentProfile(
                before.agentId(),
                before.roleId(),
                description.apply(before.description()),
                agentInterface.apply(before.agentInterface()),
                maxTasks.apply(before.maxConcurrentTasks()),
                heartbeat.apply(before.heartbeatConfig()),
                watch.apply(before.watch()),
                new MeasurementBasis(
                        model.apply(before.basis().model()),
                        expectations.apply(before.basis().expectations()),
                        before.basis().restartedAt()),
                body.mentions(AgentRecordJson.INSTANCE) && !body.has(AgentRecordJson.INSTANCE)
                        ? before.history().ofNoInstance()
                        : before.history());
        if (profile.agentInterface().acceptsPush()
                && (profile.agentInterface().endpoint().isEmpty()
                        || profile.agentInterface().kind() == AgentKind.MCP_SERVER)) {
            body.refuse(ACCEPTS_PUSH, "needs an endpoint of an agent, to which commands are posted");
        }
        CatalogueRule.objection(profile).ifPresent(objection -> body.refuse(LISTED, objection));
        return profile;
    }

    /** Returns the profile for an id that was registered before. Model and expectations that the body leaves out stay. */
    AgentProfile keeping(MeasurementBasis before, AgentProfile declared) {
        return declared.with(new MeasurementBasis(
                body.mentions("model") ? declared.basis().model() : before.model(),
                body.mentions("expectations") ? declared.basis().expectations() : before.expectations(),
                Instant.EPOCH));
    }

    private UnaryOperator<Description> description() {
        UnaryOperator<String> name = change("name", body.text("name", MAX_NAME));
        UnaryOperator<String> uri = change("agent_uri", agentUri());
        UnaryOperator<String> provider = change("provider_id", body.id("provider_id"));
        UnaryOperator<String> platform = change("platform", body.text("platform", MAX_PLATFORM));
        UnaryOperator<String> version = change(AGENT_VERSION, version());
        UnaryOperator<Boolean> personal = change("personal", body.flag("personal", false));
        UnaryOperator<Boolean> listed = change(LISTED, body.flag(LISTED, false));
        UnaryOperator<List<String>> coordinators = change(COORDINATORS, coordinators());
        UnaryOperator<String> metadata = change(
                "metadata",
                body.opaqueObject("metadata", Description.MAX_METADATA_BYTES).orElse(Description.NO_METADATA));
        return before -> new Description(
                name.apply(before.name()),
                uri.apply(before.agentUri()),
                provider.apply(before.providerId()),
                platform.apply(before.platform()),
                version.apply(before.version()),
                personal.apply(before.personal()),
                listed.apply(before.inCatalogue()),
                coordinators.apply(before.coordinators()),
                metadata.apply(before.metadata()));
    }

    private UnaryOperator<AgentInterface> agentInterface(RoleDefaults cleared) {
        UnaryOperator<AgentKind> kind =
                change("kind", body.oneOf("kind", AgentKind.class).orElse(AgentKind.DEFAULT));
        List<String> given = DeclaredFields.capabilities(body);
        UnaryOperator<List<String>> capabilities =
                change("capabilities", body.has("capabilities") ? given : cleared.capabilities());
        UnaryOperator<String> endpoint = change("endpoint", endpoint());
        UnaryOperator<A2aVersion> version = change(
                "a2a_version", body.oneOf("a2a_version", A2aVersion.class).orElse(A2aVersion.DEFAULT));
        UnaryOperator<A2aBinding> binding = change(
                "a2a_binding", body.oneOf("a2a_binding", A2aBinding.class).orElse(A2aBinding.DEFAULT));
        UnaryOperator<String> tenant = change("a2a_tenant", tenant());
        UnaryOperator<Boolean> acceptsPush = change(ACCEPTS_PUSH, body.flag(ACCEPTS_PUSH, false));
        return before -> new AgentInterface(
                        kind.apply(before.kind()),
                        capabilities.apply(before.capabilities()),
                        endpoint.apply(before.endpoint()),
                        new A2aProtocol(
                                version.apply(before.a2a().version()),
                                binding.apply(before.a2a().binding()),
                                tenant.apply(before.a2a().tenant())),
                        acceptsPush.apply(before.acceptsPush()),
                        now)
                .replacing(before, now);
    }

    private String tenant() {
        String tenant = body.text("a2a_tenant", A2aProtocol.MAX_TENANT);
        if (!tenant.isEmpty() && !A2aProtocol.isTenant(tenant)) {
            body.refuse("a2a_tenant", A2aProtocol.TENANT_RULE);
        }
        return tenant;
    }

    private UnaryOperator<Integer> maxTasks(int cleared) {
        Fields capacity = body.object("capacity");
        int maximum = DeclaredFields.maxTasks(capacity, cleared);
        // A record as read contains the load, so a body may contain it. Heartbeats report the load, and a registration
        // starts at 0.
        capacity.integer("current_load", 0, Workload.MAX_TASKS);
        capacity.refuseUnknown();
        boolean kept = body.has("capacity") && !capacity.mentions("max_concurrent_tasks");
        return kept ? UnaryOperator.identity() : change("capacity", maximum);
    }

    private UnaryOperator<HeartbeatConfig> heartbeat(HeartbeatConfig cleared) {
        UnaryOperator<HeartbeatConfig> given = DeclaredFields.heartbeat(body.object(HEARTBEAT_CONFIG), cleared);
        return body.has(HEARTBEAT_CONFIG) ? given : change(HEARTBEAT_CONFIG, cleared);
    }

    private UnaryOperator<ModelInfo> model() {
        Fields fields = body.object("model");
        UnaryOperator<String> name = change(fields, "name", fields.textOrEmpty("name", MAX_NAME));
        UnaryOperator<String> version = change(fields, "version", fields.textOrEmpty("version", MAX_NAME));
        Instant changedAt = fields.timestamp("changed_at").orElse(Instant.MIN);
        if (changedAt.isAfter(now) || !changedAt.equals(Instant.MIN) && changedAt.isBefore(Instant.EPOCH)) {
            fields.refuse("changed_at", "must be from 1970 on and not in the future");
        }
        fields.refuseUnknown();
        return body.has("model")
                ? before -> new ModelInfo(
                        name.apply(before.name()), version.apply(before.version()), changedAt, before.served())
                : change("model", ModelInfo.UNKNOWN);
    }

    private UnaryOperator<Expectations> expectations() {
        Fields fields = body.object("expectations");
        if (!body.has("expectations")) {
            return change("expectations", Expectations.NONE);
        }
        Map<Expectation, Double> given = new EnumMap<>(Expectation.class);
        Fields limits = fields.object("limits");
        for (Expectation expectation : Expectation.values()) {
            boolean isNumber = !expectation.isOfLimits() || expectation.isLimit();
            Fields place = expectation.isLimit() ? limits : fields;
            OptionalDouble number = isNumber ? place.number(expectation.wireName()) : OptionalDouble.empty();
            number.ifPresent(value -> {
                if (expectation.accepts(value)) {
                    given.put(expectation, value);
                } else {
                    place.refuse(expectation.wireName(), expectation.rule());
                }
            });
        }
        if (limits.flag("count_cached", false)) {
            given.put(Expectation.COUNT_CACHED, 1.0);
        }
        limits.oneOf("on_exceeded", OnExceeded.class)
                .filter(action -> action != OnExceeded.NONE)
                .ifPresent(action -> given.put(Expectation.ON_EXCEEDED, (double) action.ordinal()));
        limits.refuseUnknown();
        fields.refuseUnknown();
        return before -> {
            Map<Expectation, Double> declared = new EnumMap<>(Expectation.class);
            declared.putAll(before.declared());
            declared.keySet()
                    .removeIf(expectation -> expectation.isOfLimits()
                            ? limits.mentions(expectation.wireName())
                                    || fields.mentions("limits") && !fields.has("limits")
                            : fields.mentions(expectation.wireName()));
            declared.putAll(given);
            if (declared.keySet().stream().noneMatch(Expectation::isLimit)) {
                // Without a limit, these settings have no effect. Settings of a removed limit end with it.
                SETTINGS_OF_LIMITS.stream()
                        .filter(given::containsKey)
                        .forEach(setting -> limits.refuse(setting.wireName(), "needs a limit to act on"));
                declared.keySet().removeAll(SETTINGS_OF_LIMITS);
            }
            return new Expectations(declared);
        };
    }

    private List<String> coordinators() {
        return body.ids(COORDINATORS, Description.MAX_COORDINATORS);
    }

    private <T> UnaryOperator<T> change(String field, T value) {
        return change(body, field, value);
    }

    private static <T> UnaryOperator<T> change(Fields fields, String field, T value) {
        return fields.mentions(field) ? before -> value : UnaryOperator.identity();
    }

    private String endpoint() {
        String text = body.text("endpoint", MAX_URL);
        if (!text.isEmpty() && !isHttpUrl(text)) {
            body.refuse("endpoint", "must be an absolute http or https URL without credentials");
        }
        return text;
    }

    private String version() {
        String text = body.text(AGENT_VERSION, AgentVersion.MAX_LENGTH);
        if (!text.isEmpty() && !AgentVersion.isValid(text)) {
            body.refuse(AGENT_VERSION, AgentVersion.RULE);
        }
        return text;
    }

    private String agentUri() {
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
            // URI does not accept host names with underscores, which container networks use. The gateway checks host
            // names itself.
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
