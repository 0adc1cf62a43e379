package dev.agenthealth.model.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each event means for notifications: the table of docs/guides/notifications.md. */
class ReceivedEventTest {

    static final String AT = "2026-02-08T10:00:00Z";

    @Test
    void a_message_names_the_key_that_expires() {
        Map<String, String> key =
                Map.of("key_id", "key_1", "name", "billing", "expires_at", "2026-02-16T10:00:00.000Z");
        assertThat(reading(EventType.KEY_EXPIRING, key).entry().summary())
                .isEqualTo("Key key_1 (billing) expires at 2026-02-16T10:00:00.000Z.");
    }

    @ParameterizedTest
    @CsvSource({
        "unhealthy, heartbeat_timeout, PROBLEM, degraded",
        "dead, heartbeat_timeout, PROBLEM, down",
        "dead, drain_timeout, PROBLEM, down",
        "dead, drain_completed, RECOVERY, down",
        "active, registered, NOTICE, ok",
        "active, re_registered, RECOVERY, ok",
        "active, heartbeat_resumed, RECOVERY, ok",
        "draining, drain_initiated, NOTICE, degraded",
        "deregistered, deregistered, RECOVERY, gone",
        "dead, a_word_of_a_later_version, PROBLEM, down"
    })
    void a_change_of_the_lifecycle_status_has_a_meaning(String status, String reason, EventKind kind, String verdict) {
        ReceivedEvent reading = lifecycle("agent_1", 7, status, reason);
        assertThat(reading.entry().kind()).isEqualTo(kind);
        assertThat(reading.verdict().orElseThrow().wireName()).isEqualTo(verdict);
        assertThat(reading.entry().subject()).isEqualTo("agent:agent_1");
        assertThat(reading.entry().summary()).contains("gent agent_1 ").endsWith(".");
        assertThat(reading.entry().to()).isEqualTo(status);
        assertThat(reading.entry().recovery()).isEqualTo(kind == EventKind.RECOVERY);
    }

    @ParameterizedTest
    @CsvSource({
        "unhealthy, 2026-02-08T09:58:59Z, Agent a does not answer as expected: HTTP 503 since 2026-02-08T09:58:59.000Z.",
        "unhealthy, '', Agent a does not answer as expected: HTTP 503.",
        "dead, 2026-02-08T00:00:00Z, Agent a is dead: HTTP 503 since 2026-02-08T00:00:00.000Z.",
        "dead, '', Agent a is dead: HTTP 503.",
        "active, 2026-02-08T09:58:59Z, Agent a is active again."
    })
    void a_silent_agent_that_is_watched_has_the_reason_of_its_probes(String status, String since, String sentence) {
        ReceivedEvent reading = reading(
                EventType.AGENT_LIFECYCLE,
                Map.of(
                        "agent_id",
                        "a",
                        "new_status",
                        status,
                        "probe_failure",
                        "HTTP 503",
                        "probe_failing_since",
                        since));
        assertThat(reading.entry().summary()).isEqualTo(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_HEALTH, new_status, healthy, RECOVERY, ok",
        "AGENT_HEALTH, new_status, degraded, PROBLEM, degraded",
        "AGENT_HEALTH, new_status, unhealthy, PROBLEM, down",
        "AGENT_HEALTH, new_status, unknown, NOTICE, unknown",
        "AGENT_SCORE, new_state, Healthy, RECOVERY, ok",
        "AGENT_SCORE, new_state, Degraded, PROBLEM, degraded",
        "AGENT_SCORE, new_state, Unhealthy, PROBLEM, degraded",
        "AGENT_SCORE, new_state, Inactive, NOTICE, ''",
        "AUDIT_RECORDED, action, key.issued, NOTICE, ''",
        "AGENT_TRUST, action, blocked, PROBLEM, blocked",
        "AGENT_TRUST, action, unblocked, RECOVERY, ok",
        "AGENT_DISMISSED, note, scrapped, RECOVERY, gone",
        "AGENT_RUN_FAILED, exit_code, 3, PROBLEM, down",
        "AGENT_RUN_RECOVERED, role_id, r, RECOVERY, ok",
        "AGENT_CLOCK_DRIFT, drift_ms, 90000, PROBLEM, ''",
        "AGENT_DRAIN_TIMEOUT, current_load, 2, PROBLEM, ''",
        "AGENT_CERTIFICATE_EXPIRING, severity, error, PROBLEM, ''",
        "AGENT_DECLARATION_CHANGED, altered, model, PROBLEM, ''",
        "AGENT_DECLARATION_CHANGED, altered, '', RECOVERY, ''",
        "LEASE_ACQUIRED, scope, s, RECOVERY, ''",
        "LEASE_RELEASED, scope, s, NOTICE, ''",
        "LEASE_EXPIRED, scope, s, PROBLEM, ''",
        "LEASE_REVOKED, scope, s, PROBLEM, ''",
        "KEY_EXPIRING, key_id, key_1, PROBLEM, ''",
        "POOL_BELOW_MINIMUM, role_id, r, PROBLEM, ''",
        "REGISTRY_BLACKOUT, canaries_sent, 3, PROBLEM, ''",
        "REGISTRY_BLACKOUT_OVER, since, x, RECOVERY, ''",
        "REGISTRY_MASS_SILENCE, silent_agents, 40, PROBLEM, ''",
        "POOL_RECOVERED, role_id, r, RECOVERY, ''",
        "REGISTRY_MASS_SILENCE_OVER, silent_agents, 1, RECOVERY, ''",
        "REGISTRY_MASS_RESTART, restarted_agents, 600, PROBLEM, ''",
        "REGISTRY_MASS_RESTART_OVER, restarted_agents, 1, RECOVERY, ''",
        "REGISTRY_PROBES_INCONCLUSIVE, failing_agents, 30, PROBLEM, ''",
        "REGISTRY_PROBES_INCONCLUSIVE_OVER, failing_agents, 1, RECOVERY, ''",
        "REGISTRY_CLOCK_STEPPED, step_ms, 7200000, PROBLEM, ''",
        "REGISTRY_CLOCK_STEADY, since, 2026-02-08T10:00:00.000Z, RECOVERY, ''"
    })
    void every_other_event_has_a_meaning(EventType type, String field, String value, EventKind kind, String verdict) {
        ReceivedEvent reading = reading(type, Map.of("agent_id", "agent_1", field, value));
        assertThat(reading.entry().kind()).isEqualTo(kind);
        assertThat(reading.verdict().map(found -> found.wireName()).orElse("")).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"warning, WARNING", "error, ERROR", "'', WARNING"})
    void a_problem_is_as_severe_as_the_event_says(String severity, Severity expected) {
        Map<String, String> detail = Map.of("agent_id", "a", "new_status", "dead", "severity", severity);
        assertThat(reading(EventType.AGENT_LIFECYCLE, detail).entry().severity())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "exceeded, none, PROBLEM, 'Agent a is over its limit: 9 of 10 tokens per hour, until u.'",
        "warning, none, NOTICE, 'Agent a is near its limit: 9 of 10 tokens per hour, until u.'",
        "warning, exceeded, RECOVERY, 'Agent a is near its limit: 9 of 10 tokens per hour, until u.'",
        "none, exceeded, RECOVERY, Agent a is within its limit again: tokens per hour.",
        "none, warning, NOTICE, Agent a is within its limit again: tokens per hour."
    })
    void only_a_limit_that_is_used_up_is_a_problem(String level, String before, EventKind kind, String summary) {
        NotificationEntry entry = reading(
                        EventType.AGENT_USAGE,
                        Map.of(
                                "agent_id", "a",
                                "level", level,
                                "previous_level", before,
                                "limit", "tokens_per_hour",
                                "used", "9",
                                "maximum", "10",
                                "until", "u"))
                .entry();
        assertThat(entry.kind()).isEqualTo(kind);
        assertThat(entry.summary()).isEqualTo(summary);
    }

    @ParameterizedTest
    @CsvSource({
        "role_id, exceeded, none, PROBLEM, 'Role a is over its limit: 9 of 10 tokens per hour, until u. Its agents share the limit.'",
        "key_id, exceeded, none, PROBLEM, 'Owner a is over its limit: 9 of 10 tokens per hour, until u. Its agents share the limit.'",
        "role_id, warning, none, NOTICE, 'Role a is near its limit: 9 of 10 tokens per hour, until u. Its agents share the limit.'",
        "role_id, warning, exceeded, RECOVERY, 'Role a is near its limit: 9 of 10 tokens per hour, until u. Its agents share the limit.'",
        "key_id, none, exceeded, RECOVERY, Owner a is within its limit again: tokens per hour.",
        "role_id, none, warning, NOTICE, Role a is within its limit again: tokens per hour."
    })
    void a_limit_of_a_role_or_an_owner_is_a_problem_of_no_agent(
            String holder, String level, String before, EventKind kind, String summary) {
        ReceivedEvent reading = reading(
                EventType.SHARED_USAGE,
                Map.of(
                        holder,
                        "a",
                        "level",
                        level,
                        "previous_level",
                        before,
                        "limit",
                        "tokens_per_hour",
                        "used",
                        "9",
                        "maximum",
                        "10",
                        "until",
                        "u"));
        assertThat(reading.entry().kind()).isEqualTo(kind);
        assertThat(reading.entry().summary()).isEqualTo(summary);
        assertThat(reading.entry().subject())
                .isEqualTo("shared.usage:" + (holder.equals("role_id") ? "role/a" : "owner/a"));
        assertThat(reading.verdict()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"warning, DEGRADED", "error, DOWN"})
    void an_agent_that_is_stalled_twice_as_long_is_down(String severity, Verdict verdict) {
        assertThat(reading(EventType.AGENT_STALLED, Map.of("agent_id", "a", "severity", severity))
                        .verdict())
                .contains(verdict);
    }

    @Test
    void a_silent_agent_has_the_time_of_its_last_heartbeat() {
        Map<String, String> detail =
                Map.of("agent_id", "a", "new_status", "dead", "last_heartbeat_at", "2026-02-08T09:58:59Z");
        assertThat(reading(EventType.AGENT_LIFECYCLE, detail).entry().summary())
                .isEqualTo("Agent a is dead: no heartbeat arrived since 2026-02-08T09:58:59.000Z.");
    }

    @Test
    void a_certificate_that_ends_says_when() {
        Map<String, String> detail = Map.of("agent_id", "a", "certificate_ends_at", "2026-02-15T09:30:00Z");
        ReceivedEvent reading = reading(EventType.AGENT_CERTIFICATE_EXPIRING, detail);
        assertThat(reading.entry().summary())
                .isEqualTo("Agent a has a certificate that ends at 2026-02-15T09:30:00.000Z.");
    }

    @Test
    void a_changed_declaration_says_what_was_added_removed_and_altered() {
        Map<String, String> detail = Map.of(
                "agent_id", "a", "added", "tool:a, tool:b, tool:c, tool:d, tool:e, tool:f, tool:g", "altered", "model");
        ReceivedEvent reading = reading(EventType.AGENT_DECLARATION_CHANGED, detail);
        assertThat(reading.entry().summary())
                .isEqualTo(
                        "Agent a declares something else than what was accepted: added tool:a, tool:b, tool:c, tool:d,"
                                + " tool:e and 2 more; altered model.");
    }

    @Test
    void a_problem_and_its_recovery_have_one_subject_and_other_things_have_others() {
        assertThat(reading(EventType.REGISTRY_BLACKOUT, Map.of()).entry().subject())
                .isEqualTo(reading(EventType.REGISTRY_BLACKOUT_OVER, Map.of())
                        .entry()
                        .subject());
        assertThat(reading(EventType.REGISTRY_MASS_SILENCE, Map.of()).entry().subject())
                .isEqualTo(reading(EventType.REGISTRY_MASS_SILENCE_OVER, Map.of())
                        .entry()
                        .subject());
        Map<String, String> pool = Map.of("role_id", "r", "min_instances", "0");
        assertThat(reading(EventType.POOL_BELOW_MINIMUM, pool).entry().subject())
                .isEqualTo(reading(EventType.POOL_RECOVERED, pool).entry().subject());
        assertThat(reading(EventType.POOL_RECOVERED, pool).entry().summary())
                .isEqualTo("Pool r has no minimum any more.");
        Map<String, String> lease = Map.of("agent_id", "a", "intent_id", "i", "scope", "s");
        assertThat(reading(EventType.LEASE_EXPIRED, lease).entry().subject())
                .isEqualTo(reading(EventType.LEASE_ACQUIRED, lease).entry().subject());
        Set<String> subjects = new HashSet<>();
        for (EventType type : Set.of(
                EventType.AGENT_LIFECYCLE,
                EventType.AGENT_HEALTH,
                EventType.AGENT_SCORE,
                EventType.AGENT_TRUST,
                EventType.AGENT_CERTIFICATE_EXPIRING,
                EventType.AGENT_DECLARATION_CHANGED,
                EventType.AGENT_CLOCK_DRIFT,
                EventType.AGENT_DRAIN_TIMEOUT)) {
            subjects.add(reading(type, Map.of("agent_id", "a")).entry().subject());
        }
        subjects.add(reading(EventType.AGENT_TRUST, Map.of("provider_id", "a"))
                .entry()
                .subject());
        assertThat(subjects).hasSize(9);
    }

    @ParameterizedTest
    @CsvSource({
        "unhealthy, dead, Agent a is dead.",
        "degraded, unhealthy, Agent a is unhealthy: no sign of life arrives."
    })
    void health_that_falls_because_the_agent_died_is_part_of_the_death(
            String status, String lifecycle, String sentence) {
        ReceivedEvent reading = health("healthy", status, "lifecycle", lifecycle);
        assertThat(reading.partOf()).contains(EventType.AGENT_LIFECYCLE);
        assertThat(reading.entry().summary()).isEqualTo(sentence);
        assertThat(health("healthy", status, "executions", "active").partOf()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "unhealthy, 2026-02-08T01:00:00.000Z, Europe/Berlin, is unhealthy: it did not run at 2026-02-08T01:00:00.000Z[Europe/Berlin].",
        "dead, 2026-02-07T23:30:00.000Z, Europe/Berlin, is dead: it did not run at 2026-02-07T23:30:00.000Z[Europe/Berlin].",
        "dead, 2026-07-07T23:30:00.000Z, UTC, is dead: it did not run at 2026-07-07T23:30:00.000Z.",
        "dead, 2026-07-07T23:30:00.000Z, Mars/Olympus, is dead: it did not run at 2026-07-07T23:30:00.000Z.",
        "dead, +1000000000-12-31T23:59:59Z, Europe/Berlin, is dead: no heartbeat arrived.",
        "unhealthy, '', '', is unhealthy: no heartbeat arrives.",
        "dead, '', '', is dead: no heartbeat arrived."
    })
    void a_run_that_did_not_come_is_named_in_the_time_zone_of_its_schedule(
            String status, String expectedAt, String timeZone, String sentence) {
        Map<String, String> detail = Map.of(
                "agent_id",
                "a",
                "new_status",
                status,
                "reason",
                "heartbeat_timeout",
                "expected_at",
                expectedAt,
                "time_zone",
                timeZone);
        assertThat(reading(EventType.AGENT_LIFECYCLE, detail).entry().summary()).isEqualTo("Agent a " + sentence);
    }

    @ParameterizedTest
    @CsvSource({"tool, in a tool", "model, in a model call", "human, waiting for a person", "other, in its own code"})
    void a_stall_is_reported_with_its_phase_and_its_beginning(String phase, String place) {
        Map<String, String> detail = Map.of(
                "agent_id",
                "a",
                "phase",
                phase,
                "stalled_since",
                "2026-02-08T09:50:41.000Z",
                "no_progress_seconds",
                "1459",
                "severity",
                "warning");
        assertThat(reading(EventType.AGENT_STALLED, detail).entry().summary())
                .isEqualTo("Agent a has been stalled " + place + " since 2026-02-08T09:50:41.000Z.");
        Map<String, String> over = Map.of("agent_id", "a", "phase", phase, "stalled_seconds", "60");
        assertThat(reading(EventType.AGENT_STALL_OVER, over).entry().summary())
                .isEqualTo("Agent a is no longer stalled " + place + ", after 60 s.");
    }

    @Test
    void a_status_that_is_not_known_any_more_ends_one_that_was_bad() {
        assertThat(health("unhealthy", "unknown", "executions", "active")
                        .entry()
                        .kind())
                .isEqualTo(EventKind.RECOVERY);
        assertThat(health("healthy", "unknown", "executions", "active").entry().kind())
                .isEqualTo(EventKind.NOTICE);
        Map<String, String> inactive = Map.of("agent_id", "a", "new_state", "Inactive", "previous_state", "Degraded");
        assertThat(reading(EventType.AGENT_SCORE, inactive).entry().kind()).isEqualTo(EventKind.RECOVERY);
    }

    static ReceivedEvent health(String before, String after, String reason, String lifecycle) {
        return reading(
                EventType.AGENT_HEALTH,
                Map.of(
                        "agent_id",
                        "a",
                        "previous_status",
                        before,
                        "new_status",
                        after,
                        "reason",
                        reason,
                        "lifecycle_status",
                        lifecycle));
    }

    @ParameterizedTest
    @CsvSource({
        "deregistered, deregistered, 6",
        "deregistered, drain_completed, 6",
        "deregistered, replaced, 4",
        "active, re_registered, 4",
        "active, registered, 1",
        "active, heartbeat_resumed, 1",
        "dead, heartbeat_timeout, 1"
    })
    void problems_without_an_end_of_their_own_end_with_the_registration(String status, String reason, int readings) {
        List<ReceivedEvent> all = ReceivedEvent.of(
                EventType.AGENT_LIFECYCLE,
                Map.of(
                        "event_id",
                        "e",
                        "timestamp",
                        AT,
                        "agent_id",
                        "a",
                        "new_status",
                        status,
                        "reason",
                        reason.equals("replaced") ? "deregistered" : reason,
                        "replaced",
                        reason.equals("replaced") ? "true" : ""));
        assertThat(all).hasSize(readings);
        assertThat(all.stream().skip(1)).allMatch(reading -> reading.entry().recovery());
        if (readings > 1) {
            assertThat(all.stream().skip(1))
                    .extracting(reading -> reading.entry().subject())
                    .startsWith("agent.clock_drift:a", "agent.drain_timeout:a", "agent.run:a");
        }
        if (readings == 6) {
            assertThat(all.stream().skip(4))
                    .extracting(reading -> reading.entry().subject())
                    .containsExactly("agent.certificate_expiring:a", "agent.declaration_changed:a");
        }
    }

    @Test
    void a_dismissal_ends_the_death_and_every_problem_of_the_agent() {
        List<ReceivedEvent> all =
                ReceivedEvent.of(EventType.AGENT_DISMISSED, Map.of("event_id", "e", "timestamp", AT, "agent_id", "a"));
        assertThat(all).allMatch(reading -> reading.entry().recovery());
        assertThat(all)
                .extracting(reading -> reading.entry().subject())
                .containsExactly(
                        "agent:a",
                        "agent.clock_drift:a",
                        "agent.drain_timeout:a",
                        "agent.run:a",
                        "agent.certificate_expiring:a",
                        "agent.declaration_changed:a");
        assertThat(EventType.AGENT_DISMISSED.ends()).containsExactly(EventType.AGENT_LIFECYCLE);
    }

    /** The two events, their numbers, and how much later the second one is by the clock of its server, in milliseconds. */
    @ParameterizedTest
    @CsvSource({
        "AGENT_LIFECYCLE, AGENT_LIFECYCLE, sequence, 9, 10, 0",
        "AGENT_LIFECYCLE, AGENT_DISMISSED, sequence, 9, 10, -700",
        "AGENT_RUN_FAILED, AGENT_RUN_RECOVERED, sequence, 9, 10, -700",
        "AGENT_STALLED, AGENT_STALL_OVER, sequence, 99, 100, -3600000",
        "AGENT_TRUST, AGENT_TRUST, revision, 9, 10, -700",
        "LEASE_REVOKED, LEASE_ACQUIRED, fencing_token, 9, 10, -700",
        "LEASE_ACQUIRED, LEASE_EXPIRED, fencing_token, 9, 9, 0",
        "LEASE_ACQUIRED, LEASE_REVOKED, fencing_token, 9, 9, -700",
        "LEASE_EXPIRED, LEASE_ACQUIRED, fencing_token, 9, 10, 0",
        "POOL_BELOW_MINIMUM, POOL_RECOVERED, none, '', '', 1",
        "REGISTRY_BLACKOUT, REGISTRY_BLACKOUT_OVER, none, '', '', 1"
    })
    void of_two_events_the_later_one_has_the_larger_order(
            EventType one, EventType other, String name, String number, String nextNumber, long later) {
        Map<String, String> before = Map.of(name, number, "timestamp", AT);
        Map<String, String> after = Map.of(
                name,
                nextNumber,
                "timestamp",
                Instant.parse(AT).plusMillis(later).toString());
        assertThat(ReceivedEvent.LATER.compare(
                        reading(other, after).order(), reading(one, before).order()))
                .isPositive();
    }

    @Test
    void a_decision_about_a_registered_agent_follows_those_from_before_it_registered() {
        Map<String, String> before = Map.of("agent_id", "a", "revision", "5");
        Map<String, String> after = Map.of("agent_id", "a", "revision", "6", "sequence", "2");
        assertThat(ReceivedEvent.LATER.compare(
                        reading(EventType.AGENT_TRUST, after).order(),
                        reading(EventType.AGENT_TRUST, before).order()))
                .isPositive();
    }

    @Test
    void every_event_is_later_than_none() {
        assertThat(ReceivedEvent.LATER.compare("", lifecycle("a", 1, "dead", "").order()))
                .isNegative();
    }

    @Test
    void a_detail_without_id_or_time_is_no_event() {
        assertThat(ReceivedEvent.of(EventType.AGENT_HEALTH, Map.of("timestamp", AT)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "soon, 0",
        "0000-01-01T00:00:00Z, 1",
        "9999-12-31T23:59:59.999Z, 1",
        "+10000-01-01T00:00:00Z, 0",
        "-0001-12-31T23:59:59.999Z, 0",
        "+999999999-12-31T23:59:59.999999999Z, 0",
        "-999999999-01-01T00:00:00Z, 0",
        "+1000000000-12-31T23:59:59.999999999Z, 0"
    })
    void a_time_that_the_registry_cannot_have_written_is_none(String timestamp, int readings) {
        assertThat(ReceivedEvent.of(EventType.AGENT_HEALTH, Map.of("event_id", "e", "timestamp", timestamp)))
                .hasSize(readings);
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_HEALTH, event_id, 256, 257",
        "AGENT_HEALTH, agent_id, 243, 244",
        "AGENT_HEALTH, role_id, 256, 257",
        "AGENT_HEALTH, previous_status, 256, 257",
        "AGENT_HEALTH, new_status, 256, 257",
        "AGENT_LIFECYCLE, sequence, 241, 242",
        "AGENT_LIFECYCLE, probe_failure, 1983, 1984",
        "LEASE_EXPIRED, scope, 249, 250"
    })
    void a_text_that_is_longer_than_those_of_the_registry_is_of_no_event(
            EventType type, String field, int fits, int tooLong) {
        Map<String, String> detail = new HashMap<>(Map.of("event_id", "e", "timestamp", AT, "new_status", "dead"));
        detail.put(field, "9".repeat(fits));
        assertThat(ReceivedEvent.of(type, detail)).hasSize(1);
        detail.put(field, "9".repeat(tooLong));
        assertThat(ReceivedEvent.of(type, detail)).isEmpty();
    }

    static ReceivedEvent lifecycle(String agentId, int sequence, String status, String reason) {
        return reading(
                EventType.AGENT_LIFECYCLE,
                Map.of(
                        "agent_id",
                        agentId,
                        "sequence",
                        String.valueOf(sequence),
                        "event_id",
                        "agent:" + agentId + ":" + sequence,
                        "new_status",
                        status,
                        "reason",
                        reason,
                        "severity",
                        status.equals("dead") ? "error" : "warning"));
    }

    static ReceivedEvent reading(EventType type, Map<String, String> detail) {
        Map<String, String> all = new HashMap<>(Map.of("event_id", "e", "timestamp", AT));
        all.putAll(detail);
        return ReceivedEvent.of(type, all).get(0);
    }

    @ParameterizedTest
    @EnumSource
    void every_type_has_a_sentence_and_a_subject(EventType type) {
        NotificationEntry entry = reading(type, Map.of("agent_id", "a")).entry();
        assertThat(entry.summary()).matches("[A-Z ][^{}\\[\\]]*\\.");
        assertThat(entry.subject()).matches("[a-z_.]+:[a-z_/]*");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AUDIT_RECORDED      | action=key.issued             | The audit log has key.issued.",
                "AUDIT_RECORDED      | action=agent.deleted agent_id=a | The audit log has agent.deleted of agent a.",
                "AGENT_RUN_FAILED    | agent_id=a                    | Agent a failed in its last run.",
                "AGENT_RUN_FAILED    | agent_id=a exit_code=3        | Agent a failed in its last run with exit code 3.",
                "AGENT_RUN_RECOVERED | agent_id=a result=succeeded   | Agent a succeeded in its last run.",
                "AGENT_RUN_RECOVERED | agent_id=a result=address_revoked | Agent a has no ping address any more: its runs are no longer known.",
                "AGENT_HEALTH | agent_id=a new_status=unknown lifecycle_status=active | Agent a has too few executions: its health is unknown.",
                "AGENT_HEALTH | agent_id=a new_status=unknown lifecycle_status=deregistered | Agent a deregistered: its health is no longer measured.",
                "AGENT_TRUST  | agent_id=a action=blocked            | Agent a was blocked.",
                "AGENT_TRUST  | provider_id=p action=unblocked       | Provider p was unblocked.",
                "AGENT_TRUST  | agent_id=a action=unblocked until=x  | Agent a is no longer blocked: the time of its block is over.",
                "LEASE_EXPIRED | agent_id=a scope=s intent_id=i      | The lease on s of intent i expired; its agent: a.",
                "REGISTRY_PROBES_INCONCLUSIVE_OVER | failing_agents=1 sampled_agents=20 hosts=3 | Probes are conclusive again: those of 1 of 20 sampled agents on 3 hosts fail.",
                "AGENT_DECLARATION_CHANGED | agent_id=a added=a,_b,_c,_d,_e | Agent a declares something else than what was accepted: added a, b, c, d, e.",
                "AGENT_DECLARATION_CHANGED | agent_id=a added=a,_b,_c,_d,_e,_f | Agent a declares something else than what was accepted: added a, b, c, d, e and 1 more."
            })
    void a_message_is_one_sentence(EventType type, String fields, String sentence) {
        Map<String, String> detail = new HashMap<>();
        for (String field : fields.split(" ")) {
            String[] parts = field.split("=");
            detail.put(parts[0], parts[1].replace('_', parts[0].equals("added") ? ' ' : '_'));
        }
        assertThat(reading(type, detail).entry().summary()).isEqualTo(sentence);
    }
}
