package dev.agenthealth.benchmarks;

import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.model.registry.profile.ListedProfile;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import dev.agenthealth.model.registry.profile.Watch;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The row of an active agent with a role, two capabilities, a capacity, a score and a reported load. */
public final class TypicalRow {

    /** The key that owns the agent. */
    public static final String API_KEY = "benchmark-agent-key";

    private static final String ROLE = "research-worker";
    private static final List<String> CAPABILITIES = List.of("research", "summaries");
    private static final int MAX_TASKS = 8;

    private TypicalRow() {}

    /**
     * Returns the row.
     *
     * @param lastHeartbeatAt also the time of the registration
     */
    public static Map<String, AttributeValue> of(String agentId, Instant lastHeartbeatAt) {
        Map<String, AttributeValue> row = new HashMap<>(PulseItem.of(
                pulse(agentId, lastHeartbeatAt),
                new HealthSummary(HealthStatus.HEALTHY, 9_731, 17, 23, Instant.EPOCH),
                new ListedProfile(ROLE, "", "", CAPABILITIES, AgentKind.AGENT, false)));
        row.put("l", AttributeValue.fromN("2"));
        return row;
    }

    /** Returns the pulse of such an agent just after its registration. */
    public static Pulse pulse(String agentId, Instant registeredAt) {
        return RegistrationRule.first(
                agentId,
                HeartbeatConfig.DEFAULT,
                MAX_TASKS,
                new Coordination(4_711, Drain.DEFAULT_TIMEOUT, PendingDrain.NONE, Instant.EPOCH),
                new Owner("key_01KJ3N8Q6V7XH2M4T9ZB5CWD8F", KeyHash.ofKey(API_KEY)),
                registeredAt);
    }

    /** Returns the profile of such an agent. */
    public static AgentProfile profile(String agentId, Instant registeredAt) {
        return new AgentProfile(
                agentId,
                ROLE,
                Description.NONE,
                new AgentInterface(AgentKind.AGENT, CAPABILITIES, "", A2aProtocol.DEFAULT, false, registeredAt),
                MAX_TASKS,
                HeartbeatConfig.DEFAULT,
                Watch.NONE,
                MeasurementBasis.NONE,
                RegistrationHistory.first(registeredAt));
    }
}
