package dev.agenthealth.functions.storage.pulses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.Grant;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.CleanUp;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.EndedBy;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.HeartbeatsSeen;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopConfig;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.PersonWait;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.ProcessReport;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.PublishedFindings;
import dev.agenthealth.model.registry.lifecycle.PublishedLoop;
import dev.agenthealth.model.registry.lifecycle.PublishedStall;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.PulseNumbers;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.RegistrationTerms;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.ListedProfile;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.PublishedUsage;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The row of a pulse: it is read as written, and its size is bounded. */
@Tag("R16-01")
@Tag("SYS-01")
class PulseItemTest {

    private static final Coordination COORDINATION =
            new Coordination(GroupNumber.of("billing"), Drain.DEFAULT_TIMEOUT, PendingDrain.NONE, Instant.EPOCH);
    private static final String KEY_ID = "key_01M7X2X9CSS27VNHCM604XS3JX";
    private static final ListedProfile LARGEST_LISTED =
            new ListedProfile("", "n".repeat(ListedAttribute.MAX_BYTES - 2), "", List.of(), AgentKind.AGENT, false);
    private static final String TOOL = "t".repeat(Repetition.MAX_SHOWN);
    private static final Instant NOW = Instant.parse("2026-02-08T10:30:00.123Z");

    @Provide
    Arbitrary<Pulse> pulses() {
        return AnyPulse.stored();
    }

    @Provide
    Arbitrary<HealthSummary> healthSummaries() {
        return AnyPulse.healthSummaries();
    }

    @Property
    void a_pulse_survives_its_row(@ForAll("pulses") Pulse pulse) {
        assertThat(PulseItem.read(PulseItem.of(pulse))).isEqualTo(pulse);
    }

    @Property
    @Tag("AHM-08")
    void a_health_summary_survives_its_row(
            @ForAll("pulses") Pulse pulse, @ForAll("healthSummaries") HealthSummary health) {
        Map<String, AttributeValue> row = PulseItem.of(pulse, health);
        assertThat(PulseItem.read(row)).isEqualTo(pulse);
        assertThat(HealthAttributes.read(row)).isEqualTo(health);
    }

    @Property
    void the_sweep_reads_all_of_a_row_but_the_profile_and_the_key_of_the_index(
            @ForAll("pulses") Pulse pulse, @ForAll("healthSummaries") HealthSummary health) {
        Map<String, AttributeValue> row = PulseItem.of(pulse, health, LARGEST_LISTED);
        Map<String, AttributeValue> read = new HashMap<>(row);
        read.keySet().retainAll(FleetScan.ATTRIBUTES);
        assertThat(PulseItem.read(read)).isEqualTo(pulse);
        assertThat(HealthAttributes.read(read)).isEqualTo(health);
        row.keySet().removeAll(FleetScan.ATTRIBUTES);
        assertThat(row.keySet()).contains("v", "x").isSubsetOf("v", "x", "lp");
    }

    @Property
    void a_row_without_a_health_summary_is_read_as_one_that_was_not_computed(@ForAll("pulses") Pulse pulse) {
        assertThat(PulseItem.of(pulse, HealthSummary.NONE)).isEqualTo(PulseItem.of(pulse));
        assertThat(HealthAttributes.read(PulseItem.of(pulse))).isEqualTo(HealthSummary.NONE);
    }

    @Property
    void attributes_that_a_later_version_adds_are_skipped(@ForAll("pulses") Pulse pulse) {
        Map<String, AttributeValue> row = new HashMap<>(PulseItem.of(pulse));
        row.put("v", AttributeValue.fromN("2"));
        row.put("new", AttributeValue.fromS("unheard of"));
        row.put("newer", AttributeValue.fromL(List.of()));
        assertThat(PulseItem.read(row)).isEqualTo(pulse);
    }

    @Property
    void no_row_reaches_a_kilobyte(@ForAll("pulses") Pulse pulse, @ForAll("healthSummaries") HealthSummary health) {
        assertThat(Sizes.item(PulseItem.of(pulse, health, LARGEST_LISTED))).isLessThan(1_024);
    }

    @Example
    void not_even_the_largest_row_reaches_975_bytes_or_a_kilobyte_where_workloads_own_and_drain_it() {
        HealthSummary health = new HealthSummary(
                HealthStatus.UNHEALTHY, HealthSummary.MAX_HUNDREDTHS, (1L << 48) - 1, (1L << 48) - 1, NOW);
        Pulse ofKey = largest(KEY_ID);
        assertThat(Sizes.item(PulseItem.of(ofKey, health))).isLessThan(740);
        assertThat(Sizes.item(PulseItem.of(ofKey, health, LARGEST_LISTED))).isBetween(850, 974);
        Pulse ofWorkload = largest(Grant.WORKLOAD + "o".repeat(Grant.MAX_OWNER));
        assertThat(Sizes.item(PulseItem.of(ofWorkload, health, LARGEST_LISTED))).isLessThan(1_024);
    }

    private static Pulse largest(String keyId) {
        return new Pulse(
                "a".repeat(64),
                new PulseNumbers(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE),
                new LifecycleState(
                        LifecycleStatus.DRAINING,
                        NOW,
                        new Drain(
                                NOW,
                                Duration.ofSeconds(86_399),
                                Long.MAX_VALUE - 1,
                                "r".repeat(PendingDrain.MAX_REASON),
                                keyId),
                        new CleanUp(Long.MAX_VALUE, Long.MAX_VALUE - 2, Long.MAX_VALUE - 1, Long.MAX_VALUE),
                        false,
                        new LastEnd(EndedBy.REGISTRY, LifecycleReason.HEARTBEAT_TIMEOUT, NOW)),
                new HeartbeatsSeen(NOW, Long.MAX_VALUE, SeenBy.PROBE),
                new RegistrationTerms(
                        new Owner(keyId, KeyHash.ofKey("key")),
                        new HeartbeatConfig(
                                86_399,
                                1_295_999,
                                2_591_999,
                                new StallConfig(
                                        Arrays.stream(Phase.values()).collect(Collectors.toMap(p -> p, p -> 2_591_999)),
                                        true,
                                        true)),
                        new Coordination(
                                (1L << 48) - 1,
                                Duration.ofSeconds(86_399),
                                new PendingDrain(
                                        "r".repeat(PendingDrain.MAX_REASON), Duration.ofSeconds(86_399), keyId, true),
                                Instant.EPOCH)),
                new ProcessReport(
                        new Workload(999_999, 999_999, Long.MIN_VALUE, 999, 99),
                        new Activity(
                                Phase.HUMAN,
                                NOW,
                                NOW,
                                new Repetition(Repetition.MAX_REPEATS, TOOL, NOW, NOW),
                                Repetition.NONE),
                        NOW,
                        new PersonWait(Integer.MIN_VALUE, NOW)),
                new PublishedFindings(
                        NOW,
                        new PublishedStall(StallLevel.ERROR, Phase.HUMAN, NOW, true, true),
                        true,
                        FailedRun.SHARED,
                        NOW,
                        PublishedLoop.NONE,
                        new PublishedUsage(
                                UsageLevel.EXCEEDED, UsageLimit.EXECUTIONS_PER_HOUR, NOW, OnExceeded.BLOCK)));
    }

    @Example
    void loops_take_the_place_of_the_listed_part_of_an_agent_that_declares_them() {
        Pulse plain = largest(Grant.WORKLOAD + "o".repeat(Grant.MAX_OWNER));
        Repetition most = new Repetition(Repetition.MAX_REPEATS, TOOL, NOW, NOW);
        Pulse looping = new Pulse(
                plain.agentId(),
                plain.numbers(),
                plain.lifecycle(),
                plain.heard(),
                new RegistrationTerms(
                        plain.owner(),
                        plain.config().with(new LoopConfig(LoopConfig.MAX_REPEATS, true, true)),
                        plain.coordination()),
                new ProcessReport(
                        plain.workload(),
                        new Activity(Phase.HUMAN, NOW, NOW, most, most),
                        plain.startedAt(),
                        plain.personWait()),
                new PublishedFindings(
                        NOW,
                        plain.stall(),
                        true,
                        FailedRun.SHARED,
                        NOW,
                        new PublishedLoop(StallLevel.ERROR, Repetition.MAX_REPEATS, TOOL, NOW, true, true),
                        new PublishedUsage(
                                UsageLevel.EXCEEDED, UsageLimit.EXECUTIONS_PER_HOUR, NOW, OnExceeded.BLOCK)));
        int left = ListedAttribute.MAX_BYTES - LoopAttributes.MAX_BYTES;
        ListedProfile listed = new ListedProfile("", "n".repeat(left - 2), "", List.of(), AgentKind.AGENT, false);
        Map<String, AttributeValue> row = PulseItem.of(looping, HealthSummary.NONE, listed);
        assertThat(row).containsKey(PulseItem.LISTED);
        assertThat(Sizes.item(row)).isLessThan(1_024);
        assertThat(Sizes.item(row))
                .isLessThanOrEqualTo(Sizes.item(PulseItem.of(plain, HealthSummary.NONE, LARGEST_LISTED)));
        assertThat(PulseItem.read(row)).isEqualTo(looping);
    }

    @Example
    void a_usual_row_has_at_most_300_bytes_and_a_quiet_one_half_of_it() {
        Pulse quiet = RegistrationRule.first(
                "agent_01J9ZQ4K7M8N2P3R5S6T7V8W9X",
                HeartbeatConfig.DEFAULT,
                5,
                COORDINATION,
                new Owner(KEY_ID, KeyHash.ofKey("key")),
                NOW);
        assertThat(Sizes.item(PulseItem.of(quiet))).isLessThanOrEqualTo(150);
        HealthSummary measured =
                new HealthSummary(HealthStatus.HEALTHY, 9_731, GroupNumber.NONE, GroupNumber.NONE, Instant.EPOCH);
        assertThat(Sizes.item(PulseItem.of(quiet, measured))).isLessThanOrEqualTo(155);
        ListedProfile listed =
                new ListedProfile("billing", "Billing agent 17", "", List.of("invoice", "pdf"), AgentKind.AGENT, false);
        assertThat(Sizes.item(PulseItem.of(quiet, measured, listed))).isLessThanOrEqualTo(210);
        Pulse busy = new Pulse(
                quiet.agentId(),
                new PulseNumbers(17, 42, 4_711),
                new LifecycleState(
                        LifecycleStatus.DRAINING,
                        NOW,
                        new Drain(NOW, Drain.DEFAULT_TIMEOUT, 1_234_000, "maintenance_window", KEY_ID),
                        new CleanUp(16, 0, 0, 16),
                        false,
                        LastEnd.NONE),
                new HeartbeatsSeen(NOW, 1_234_567, SeenBy.HEARTBEAT),
                new RegistrationTerms(quiet.owner(), HeartbeatConfig.DEFAULT, COORDINATION),
                new ProcessReport(new Workload(5, 5, 0x7123456789abcdefL, 5), Activity.NONE, ProcessStart.UNKNOWN),
                new PublishedFindings(NOW, PublishedStall.NONE, false, FailedRun.NONE));
        HealthSummary known = measured.in("acme", "kubernetes");
        assertThat(Sizes.item(PulseItem.of(busy, known))).isLessThanOrEqualTo(300);
    }
}
