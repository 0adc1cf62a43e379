package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.functions.storage.agents.DiscoveryTags;
import dev.agenthealth.functions.storage.agents.ProfileItem;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.GroupNumber;
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
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Many active agents, written at once instead of by registrations one by one. */
public final class SeededFleet {

    private static final int BATCH = 25;

    private final TestSystem system;
    private final List<Map.Entry<String, WriteRequest>> writes = new ArrayList<>();

    public SeededFleet(TestSystem system) {
        this.system = system;
    }

    /** Adds an agent. */
    public void add(String agentId, String roleId, List<String> capabilities, int maxConcurrentTasks) {
        Instant now = system.clock().instant();
        AgentProfile profile = new AgentProfile(
                agentId,
                roleId,
                Description.NONE,
                new AgentInterface(AgentKind.AGENT, capabilities, "", A2aProtocol.DEFAULT, false, now),
                maxConcurrentTasks,
                HeartbeatConfig.DEFAULT,
                Watch.NONE,
                MeasurementBasis.NONE,
                RegistrationHistory.first(now));
        Pulse pulse = RegistrationRule.first(
                agentId,
                profile.heartbeatConfig(),
                maxConcurrentTasks,
                new Coordination(GroupNumber.of(roleId), Drain.DEFAULT_TIMEOUT, PendingDrain.NONE, Instant.EPOCH),
                new Owner("key-" + TestSystem.AGENT_KEY, KeyHash.ofKey(TestSystem.AGENT_KEY)),
                now);
        put(TestTables.PULSES, PulseItem.of(pulse, HealthSummary.NONE, profile.listed()));
        put(TestTables.REGISTRY, ProfileItem.of(profile, 1, pulse));
        put(TestTables.REGISTRY, ProfileItem.metadata(profile, 1));
        DiscoveryTags.of(profile).values().forEach(tag -> put(TestTables.REGISTRY, tag));
    }

    /** Writes all that was added. */
    public void write() {
        IntStream.range(0, (writes.size() + BATCH - 1) / BATCH).parallel().forEach(batch -> {
            Map<String, List<WriteRequest>> byTable = new HashMap<>();
            writes.subList(batch * BATCH, Math.min(writes.size(), (batch + 1) * BATCH))
                    .forEach(write -> byTable.computeIfAbsent(write.getKey(), t -> new ArrayList<>())
                            .add(write.getValue()));
            system.tables().dynamoDb().batchWriteItem(r -> r.requestItems(byTable));
        });
        writes.clear();
    }

    private void put(String table, Map<String, AttributeValue> item) {
        writes.add(Map.entry(
                table, WriteRequest.builder().putRequest(p -> p.item(item)).build()));
    }
}
