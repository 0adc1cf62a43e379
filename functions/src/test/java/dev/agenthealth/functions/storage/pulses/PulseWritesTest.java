package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DRAINING;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.UNHEALTHY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ProfileItem;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.ProcessReport;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.PublishedFindings;
import dev.agenthealth.model.registry.lifecycle.PublishedStall;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.PulseNumbers;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.RegistrationTerms;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a change of status writes to the row, on real tables. */
@Tag("R16-02")
@Tag("R16-03")
class PulseWritesTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:30:00.123Z");

    /** What a row of another version may hold besides. */
    private static final Map<String, AttributeValue> UNHEARD_OF = Map.of(
            "v", AttributeValue.fromN("2"),
            "new", AttributeValue.fromS("unheard of"),
            "y2", AttributeValue.fromBool(true));

    private final TestSystem system = new TestSystem();
    private final AgentStore agents = new AgentStore(system.database());

    @AfterProperty
    void close() {
        system.close();
    }

    @Provide
    Arbitrary<Transition> transitions() {
        Arbitrary<Transition> silence =
                AnyPulse.in(ACTIVE).map(p -> change(p, p.withStatus(UNHEALTHY, Drain.NONE, NOW)));
        Arbitrary<Transition> death = AnyPulse.in(UNHEALTHY).map(p -> change(p, p.withStatus(DEAD, Drain.NONE, NOW)));
        Arbitrary<Transition> recovery = Combinators.combine(
                        AnyPulse.in(UNHEALTHY),
                        Arbitraries.integers().between(-1, 9),
                        Arbitraries.integers().between(0, 2))
                .as((p, load, tasks) ->
                        change(p, p.withHeartbeat(heartbeat(load, tasks), NOW).withStatus(ACTIVE, Drain.NONE, NOW)));
        Arbitrary<Transition> drain = AnyPulse.in(ACTIVE, UNHEALTHY).flatMap(p -> Arbitraries.of(true, false)
                .map(byAgent -> change(
                        p,
                        DrainRule.start(p, Duration.ofSeconds(7), "key_1", byAgent, NOW)
                                .after())));
        Arbitrary<Transition> timeout =
                AnyPulse.in(DRAINING).map(p -> change(p, p.withOneMoreEvent().withStatus(DEAD, Drain.NONE, NOW)));
        Arbitrary<Transition> end = AnyPulse.in(ACTIVE, UNHEALTHY, DRAINING, DEAD)
                .map(p -> change(p, p.withStatus(DEREGISTERED, Drain.NONE, NOW)));
        return Arbitraries.oneOf(silence, death, recovery, drain, timeout, end);
    }

    @Property
    void the_row_becomes_that_of_the_next_pulse_and_keeps_unknown_attributes(
            @ForAll("transitions") Transition transition) {
        Map<String, AttributeValue> row = new HashMap<>(PulseItem.of(
                transition.before(), HealthSummary.NONE, profile(transition).listed()));
        row.putAll(UNHEARD_OF);
        put(row);
        removeEvents(transition);
        assertThat(agents.change(transition, profile(transition))).isTrue();
        Map<String, AttributeValue> expected = new HashMap<>(PulseItem.of(
                transition.after(), HealthSummary.NONE, profile(transition).listed()));
        expected.putAll(UNHEARD_OF);
        assertThat(row(transition.before().agentId())).isEqualTo(expected);
    }

    @Property
    void a_transition_keeps_concurrent_changes_of_other_attributes(
            @ForAll("transitions") Transition transition, @ForAll("transitions") Transition other) {
        Pulse seen = transition.before();
        Pulse meanwhile = new Pulse(
                seen.agentId(),
                seen.numbers(),
                seen.lifecycle(),
                seen.heard(),
                new RegistrationTerms(Owner.NONE, seen.config(), seen.coordination()),
                new ProcessReport(seen.workload(), Activity.NONE, ProcessStart.UNKNOWN),
                new PublishedFindings(other.before().driftReportedAt(), PublishedStall.NONE, false, FailedRun.NONE));
        put(PulseItem.of(meanwhile));
        removeEvents(transition);
        assertThat(agents.change(transition, profile(transition))).isTrue();
        Pulse after = PulseItem.read(row(seen.agentId()));
        assertThat(after.owner()).isEqualTo(Owner.NONE);
        assertThat(after.driftReportedAt()).isEqualTo(meanwhile.driftReportedAt());
        assertThat(after.status()).isEqualTo(transition.after().status());
    }

    @Example
    void a_transition_is_refused_as_a_whole_where_its_pulse_changed() {
        Pulse seen = RegistrationRule.first(
                "agent", HeartbeatConfig.DEFAULT, 5, Coordination.NONE, new Owner("key_1", KeyHash.ofKey("key")), NOW);
        Transition transition = change(seen, seen.withStatus(UNHEALTHY, Drain.NONE, NOW));
        List<Pulse> different = List.of(
                seen.withHeartbeat(heartbeat(0, 0), NOW),
                seen.withOneMoreEvent(),
                // A profile change may have moved the very threshold that the transition was judged by.
                seen.reconfigured(new HeartbeatConfig(60, 600, 6000), 5),
                with(seen, UNHEALTHY, seen.incarnation()),
                with(seen, ACTIVE, seen.incarnation() + 1));
        for (Pulse stored : different) {
            put(PulseItem.of(stored));
            assertThat(agents.change(transition, profile(transition))).isFalse();
            assertThat(row("agent")).isEqualTo(PulseItem.of(stored));
        }
        system.dynamoDb()
                .deleteItem(r -> r.tableName(TestTables.PULSES).key(Map.of("id", AttributeValue.fromS("agent"))));
        assertThat(agents.change(transition, profile(transition))).isFalse();
        assertThat(row("agent")).isEmpty();
        assertThat(new EventStore(system.database())
                        .ofAgent("agent", EventStore.Asked.first(Instant.EPOCH, 10))
                        .items())
                .isEmpty();
        put(PulseItem.of(seen));
        assertThat(agents.change(transition, profile(transition))).isTrue();
        assertThat(agents.change(transition, profile(transition)))
                .as("the same change twice")
                .isFalse();
        assertThat(new EventStore(system.database())
                        .ofAgent("agent", EventStore.Asked.first(Instant.EPOCH, 10))
                        .items())
                .hasSize(1);
    }

    private static Pulse with(Pulse p, LifecycleStatus status, long incarnation) {
        return new Pulse(
                p.agentId(),
                new PulseNumbers(incarnation, p.version(), p.sequence()),
                new LifecycleState(status, p.statusSince(), p.drain(), p.cleanUp(), false, LastEnd.NONE),
                p.heard(),
                p.terms(),
                new ProcessReport(p.workload(), p.activity(), ProcessStart.UNKNOWN),
                p.published());
    }

    private static Heartbeat heartbeat(int load, int tasks) {
        return new Heartbeat(
                false,
                load,
                true,
                Collections.nCopies(tasks, "task"),
                NOW,
                ProcessStart.UNKNOWN,
                Pulse.ANY_INCARNATION);
    }

    private static Transition change(Pulse before, Pulse after) {
        return Transition.now(
                before,
                after,
                before.status() == DRAINING && after.status() == DEAD
                        ? LifecycleReason.DRAIN_TIMEOUT
                        : LifecycleReason.HEARTBEAT_TIMEOUT,
                NOW);
    }

    private static AgentProfile profile(Transition transition) {
        return ProfileItem.read(transition.before().agentId(), Map.of(), Map.of());
    }

    /** Examples repeat ids and numbers, while an event's key exists once. */
    private void removeEvents(Transition transition) {
        Pulse after = transition.after();
        for (long sequence = after.sequence() - 1; sequence <= after.sequence(); sequence++) {
            Map<String, AttributeValue> key =
                    ItemKind.AGENT_EVENT.key(after.agentId(), Attributes.padded(sequence, 12));
            system.dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY).key(key));
        }
    }

    private void put(Map<String, AttributeValue> row) {
        system.dynamoDb().putItem(r -> r.tableName(TestTables.PULSES).item(row));
    }

    private Map<String, AttributeValue> row(String agentId) {
        return system.dynamoDb()
                .getItem(r -> r.tableName(TestTables.PULSES).key(Map.of("id", AttributeValue.fromS(agentId))))
                .item();
    }
}
