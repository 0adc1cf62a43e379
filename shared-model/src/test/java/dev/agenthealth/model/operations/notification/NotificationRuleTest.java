package dev.agenthealth.model.operations.notification;

import static dev.agenthealth.model.operations.notification.ReceivedEventTest.lifecycle;
import static dev.agenthealth.model.operations.notification.ReceivedEventTest.reading;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.operations.notification.NotificationRule.Admission;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which events a rule reports, what its digests show, when it is quiet, and when it tries again. */
class NotificationRuleTest {

    private static final Instant NOW = Instant.parse(ReceivedEventTest.AT);
    private static final NotificationRule ALL = rule(NotificationFilter.NONE, true);

    @Test
    void a_problem_is_reported_once_and_its_recovery_afterwards() {
        ReceivedEvent dead = lifecycle("a", 2, "dead", "heartbeat_timeout");
        Admission problem = ALL.admit(dead, SubjectState.UNKNOWN, NOW).orElseThrow();
        assertThat(problem.shown()).isTrue();
        assertThat(ALL.admit(dead, problem.after(), NOW)).isEmpty();
        ReceivedEvent back = lifecycle("a", 3, "active", "re_registered");
        Admission recovery = ALL.admit(back, problem.after(), NOW).orElseThrow();
        assertThat(recovery.shown()).isTrue();
        assertThat(recovery.urgency()).isEqualTo(Severity.ERROR);
        ReceivedEvent later = lifecycle("a", 4, "active", "heartbeat_resumed");
        assertThat(ALL.admit(later, recovery.after(), NOW).orElseThrow().shown())
                .isFalse();
    }

    @Test
    void a_recovery_without_a_reported_problem_is_not_shown_but_overtakes_the_problem() {
        Admission recovery = ALL.admit(lifecycle("a", 3, "active", "heartbeat_resumed"), SubjectState.UNKNOWN, NOW)
                .orElseThrow();
        assertThat(recovery.shown()).isFalse();
        assertThat(ALL.admit(lifecycle("a", 2, "unhealthy", ""), recovery.after(), NOW))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "POOL_BELOW_MINIMUM, POOL_RECOVERED",
        "REGISTRY_MASS_SILENCE, REGISTRY_MASS_SILENCE_OVER",
        "REGISTRY_MASS_RESTART, REGISTRY_MASS_RESTART_OVER",
        "REGISTRY_PROBES_INCONCLUSIVE, REGISTRY_PROBES_INCONCLUSIVE_OVER",
        "REGISTRY_BLACKOUT, REGISTRY_BLACKOUT_OVER",
        "LEASE_EXPIRED, LEASE_ACQUIRED"
    })
    void a_rule_that_names_a_problem_reports_its_end(EventType problem, EventType end) {
        Map<String, String> detail = Map.of("role_id", "r", "intent_id", "i", "scope", "s");
        Map<String, String> later = new HashMap<>(detail);
        later.put("timestamp", "2026-02-08T10:00:00.001Z");
        later.put("fencing_token", "1");
        for (boolean recovery : List.of(true, false)) {
            NotificationRule rule = new NotificationRule(
                    "r",
                    Instant.EPOCH,
                    Set.of(problem),
                    new NotificationFilter(
                            Set.of(), Set.of(Severity.CRITICAL, Severity.ERROR, Severity.WARNING), Set.of()),
                    Duration.ofSeconds(30),
                    Optional.empty(),
                    recovery);
            assertThat(rule.covers(end)).isEqualTo(recovery);
            Admission red = rule.admit(reading(problem, detail), SubjectState.UNKNOWN, NOW)
                    .orElseThrow();
            Optional<Admission> green = rule.admit(reading(end, later), red.after(), NOW);
            assertThat(green.filter(Admission::shown).isPresent()).isEqualTo(recovery);
        }
        assertThat(ALL.covers(end)).isTrue();
    }

    @Test
    void a_rule_may_leave_out_recoveries() {
        NotificationRule rule = rule(NotificationFilter.NONE, false);
        Admission problem = rule.admit(lifecycle("a", 1, "dead", ""), SubjectState.UNKNOWN, NOW)
                .orElseThrow();
        assertThat(rule.admit(lifecycle("a", 2, "active", "re_registered"), problem.after(), NOW)
                        .orElseThrow()
                        .shown())
                .isFalse();
    }

    @Test
    void a_notice_does_not_end_a_problem() {
        Admission problem = ALL.admit(lifecycle("a", 1, "unhealthy", ""), SubjectState.UNKNOWN, NOW)
                .orElseThrow();
        Admission notice = ALL.admit(lifecycle("a", 2, "draining", ""), problem.after(), NOW)
                .orElseThrow();
        assertThat(notice.after().problem()).contains(Severity.WARNING);
    }

    @Test
    void a_filter_admits_by_role_severity_and_verdict_and_a_recovery_needs_none_of_them() {
        NotificationRule errors = rule(new NotificationFilter(Set.of(), Set.of(Severity.ERROR), Set.of()), true);
        assertThat(errors.admit(lifecycle("a", 1, "unhealthy", ""), SubjectState.UNKNOWN, NOW))
                .isEmpty();
        Admission dead = errors.admit(lifecycle("a", 2, "dead", ""), SubjectState.UNKNOWN, NOW)
                .orElseThrow();
        assertThat(errors.admit(lifecycle("a", 3, "active", "re_registered"), dead.after(), NOW)
                        .orElseThrow()
                        .shown())
                .isTrue();
        NotificationRule down = rule(new NotificationFilter(Set.of(), Set.of(), Set.of(Verdict.DOWN)), true);
        assertThat(down.admit(lifecycle("a", 1, "unhealthy", ""), SubjectState.UNKNOWN, NOW))
                .isEmpty();
        assertThat(down.admit(lifecycle("a", 1, "dead", ""), SubjectState.UNKNOWN, NOW))
                .isPresent();
        assertThat(down.admit(reading(EventType.REGISTRY_BLACKOUT, Map.of()), SubjectState.UNKNOWN, NOW))
                .isEmpty();
        NotificationRule role = rule(new NotificationFilter(Set.of("r"), Set.of(), Set.of()), true);
        Map<String, String> pool = Map.of("role_id", "r", "sequence", "1");
        assertThat(role.admit(reading(EventType.POOL_BELOW_MINIMUM, pool), SubjectState.UNKNOWN, NOW))
                .isPresent();
        assertThat(role.admit(lifecycle("a", 1, "dead", ""), SubjectState.UNKNOWN, NOW))
                .isEmpty();
        assertThat(role.admit(reading(EventType.REGISTRY_BLACKOUT, Map.of()), SubjectState.UNKNOWN, NOW))
                .isPresent();
    }

    @Test
    void events_before_the_rule_and_events_of_another_day_are_not_reported() {
        ReceivedEvent dead = lifecycle("a", 1, "dead", "");
        NotificationRule later = new NotificationRule(
                "r",
                NOW.plusMillis(1),
                Set.of(EventType.values()),
                NotificationFilter.NONE,
                Duration.ofSeconds(30),
                Optional.empty(),
                true);
        assertThat(later.admit(dead, SubjectState.UNKNOWN, NOW)).isEmpty();
        assertThat(NotificationRule.isTooOld(dead, NOW.plus(NotificationRule.MAX_AGE)))
                .isFalse();
        assertThat(NotificationRule.isTooOld(
                        dead, NOW.plus(NotificationRule.MAX_AGE).plusMillis(1)))
                .isTrue();
    }

    @Test
    void a_lease_that_a_server_with_a_slower_clock_grants_ends_the_problem_of_the_one_before() {
        Map<String, String> revoked = Map.of("fencing_token", "8", "timestamp", "2026-02-08T10:00:00.700Z");
        Admission red = ALL.admit(reading(EventType.LEASE_REVOKED, revoked), SubjectState.UNKNOWN, NOW)
                .orElseThrow();
        assertThat(ALL.admit(reading(EventType.LEASE_ACQUIRED, Map.of("fencing_token", "9")), red.after(), NOW))
                .hasValueSatisfying(green -> assertThat(green.shown()).isTrue());
    }

    /** However events are ordered and repeated on their way: none is shown twice, and the last one decides what is noted. */
    @Test
    void duplicates_in_any_order_are_shown_at_most_once() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < Integer.getInteger("tries", 50); round++) {
            List<ReceivedEvent> events = new ArrayList<>(IntStream.range(1, 8)
                    .mapToObj(i -> lifecycle("a", i, i % 2 == 0 ? "active" : "dead", "re_registered"))
                    .toList());
            events.addAll(List.copyOf(events));
            Collections.shuffle(events, random);
            SubjectState state = SubjectState.UNKNOWN;
            Map<String, Integer> shown = new HashMap<>();
            for (ReceivedEvent event : events) {
                Optional<Admission> admitted = ALL.admit(event, state, NOW);
                admitted.filter(Admission::shown).ifPresent(one -> shown.merge(event.order(), 1, Integer::sum));
                state = admitted.map(Admission::after).orElse(state);
            }
            assertThat(shown.values()).as("seed %d", seed).allMatch(times -> times == 1);
            assertThat(state.order())
                    .as("seed %d", seed)
                    .isEqualTo(lifecycle("a", 7, "dead", "").order());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "22:00, 07:00, UTC, 2026-02-08T21:59:59Z, ''",
        "22:00, 07:00, UTC, 2026-02-08T22:00:00Z, 2026-02-09T07:00:00Z",
        "22:00, 07:00, UTC, 2026-02-09T06:59:59Z, 2026-02-09T07:00:00Z",
        "22:00, 07:00, UTC, 2026-02-09T07:00:00Z, ''",
        "12:00, 13:00, UTC, 2026-02-09T12:30:00Z, 2026-02-09T13:00:00Z",
        "12:00, 13:00, UTC, 2026-02-09T13:00:00Z, ''",
        "22:00, 07:00, Europe/Berlin, 2026-02-08T21:30:00Z, 2026-02-09T06:00:00Z",
        // The clock is set forward at 02:00, back at 03:00.
        "22:00, 02:30, Europe/Berlin, 2026-03-28T23:00:00Z, 2026-03-29T01:30:00Z",
        "22:00, 02:30, Europe/Berlin, 2026-10-24T23:00:00Z, 2026-10-25T00:30:00Z",
        "22:00, 02:30, Europe/Berlin, 2026-10-25T01:10:00Z, 2026-10-25T01:30:00Z"
    })
    void quiet_hours_end_by_the_clock_of_their_zone(
            String from, String to, String zone, Instant now, String expectedEnd) {
        QuietTime quiet = new QuietTime(LocalTime.parse(from), LocalTime.parse(to), ZoneId.of(zone), Set.of());
        assertThat(quiet.endAt(now).map(Instant::toString).orElse("")).isEqualTo(expectedEnd);
    }

    @Test
    void in_quiet_hours_all_but_the_urgent_is_held() {
        QuietTime quiet = new QuietTime(
                LocalTime.parse("09:00"), LocalTime.parse("11:00"), ZoneId.of("UTC"), Set.of(Severity.CRITICAL));
        NotificationRule rule = new NotificationRule(
                "r",
                Instant.EPOCH,
                Set.of(EventType.values()),
                NotificationFilter.NONE,
                Duration.ofSeconds(30),
                Optional.of(quiet),
                true);
        assertThat(rule.heldUntil(Severity.ERROR, NOW)).contains(Instant.parse("2026-02-08T11:00:00Z"));
        assertThat(rule.heldUntil(Severity.CRITICAL, NOW)).isEmpty();
        assertThat(rule.heldUntil(Severity.ERROR, NOW.plusSeconds(7_200))).isEmpty();
        assertThat(ALL.heldUntil(Severity.INFO, NOW)).isEmpty();
    }

    @Test
    void a_digest_counts_all_and_shows_the_most_severe_in_their_order() {
        Digest digest = Digest.of("msg_1", NOW, List.of());
        for (int i = 1; i <= 37; i++) {
            digest = digest.plus(
                    lifecycle("a" + i, 1, i % 2 == 0 ? "unhealthy" : "dead", "").entry());
        }
        assertThat(digest.total()).isEqualTo(37);
        assertThat(digest.entries()).hasSize(NotificationMessage.MAX_ENTRIES);
        assertThat(digest.entries().stream().filter(entry -> entry.to().equals("dead")))
                .hasSize(19);
        NotificationMessage message = digest.message("on-call");
        assertThat(message.messageId()).isEqualTo("msg_1");
        assertThat(message.total()).isEqualTo(37);
        assertThat(message.recovery()).isFalse();
        assertThat(Digest.of("msg_2", NOW, List.of())
                        .plus(lifecycle("a", 1, "active", "re_registered").entry())
                        .message("on-call")
                        .recovery())
                .isTrue();
    }

    @Test
    void attempts_are_made_over_a_day_with_growing_pauses() {
        Instant now = NOW;
        List<Long> pauses = new ArrayList<>();
        Optional<Instant> next = Optional.of(now);
        for (int made = 0; next.isPresent(); made++) {
            now = next.get();
            next = new DeliveryAttempts(made, NOW).nextAfter(now, Duration.ZERO);
            pauses.add(next.isPresent() ? Duration.between(now, next.get()).toSeconds() : 0L);
        }
        assertThat(pauses.subList(0, 6)).containsExactly(10L, 30L, 120L, 300L, 900L, 900L);
        assertThat(Duration.between(NOW, now)).isBetween(Duration.ofHours(23), Duration.ofHours(24));
    }

    @Test
    void the_pause_that_a_receiver_asks_for_is_followed_up_to_an_hour() {
        DeliveryAttempts first = new DeliveryAttempts(0, NOW);
        assertThat(first.nextAfter(NOW, Duration.ofSeconds(45))).contains(NOW.plusSeconds(45));
        assertThat(first.nextAfter(NOW, Duration.ofSeconds(3))).contains(NOW.plusSeconds(10));
        assertThat(first.nextAfter(NOW, Duration.ofDays(9))).contains(NOW.plusSeconds(3_600));
    }

    private static NotificationRule rule(NotificationFilter filter, boolean recovery) {
        return new NotificationRule(
                "on-call",
                Instant.EPOCH,
                Set.of(EventType.values()),
                filter,
                Duration.ofSeconds(30),
                Optional.empty(),
                recovery);
    }

    @ParameterizedTest(name = "page {0}, agent {1}, {2}")
    @CsvSource({
        "'',                    a b, agent.lifecycle,    -",
        "https://r.example.com, a b, agent.lifecycle,    https://r.example.com/#/agents/a%20b",
        "https://r.example.com, '',  pool.below_minimum, https://r.example.com/#/pools",
        "https://r.example.com, '',  registry.blackout,  https://r.example.com/#/"
    })
    void a_message_links_to_what_it_is_about(String page, String agentId, String type, String link) {
        NotificationEntry entry = new NotificationEntry(
                "e", type, EventKind.PROBLEM, Severity.WARNING, agentId, "", NOW, "", "", "s", "agent:" + agentId);
        NotificationMessage message =
                new NotificationMessage("m", "r", NOW, List.of(entry), 1, false, false, 1, List.of(), "").with(page);
        assertThat(message.link(entry).orElse("-")).isEqualTo(link);
        assertThat(message.page()).isEqualTo(page);
    }

    @ParameterizedTest(name = "{0} problems of {1} events, with recoveries {2}")
    @CsvSource({
        "5, 5, false, false",
        "6, 6, false, true",
        "5, 6, false, true",
        "5, 6, true,  false",
        "6, 6, true,  true"
    })
    void many_problems_or_omitted_ones_are_a_group(int problems, int total, boolean recovery, boolean group) {
        List<NotificationEntry> entries = IntStream.range(0, problems)
                .mapToObj(i -> new NotificationEntry(
                        "e" + i,
                        "agent.lifecycle",
                        EventKind.PROBLEM,
                        Severity.WARNING,
                        "a" + i,
                        "",
                        NOW,
                        "",
                        "",
                        "s",
                        "agent:a" + i))
                .toList();
        assertThat(new NotificationMessage("m", "r", NOW, entries, total, recovery, false, 1, List.of(), "").isGroup())
                .isEqualTo(group);
    }
}
