package dev.agenthealth.model.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the subjects of a message that was sent as one alert have all recovered. */
class CollectedTest {

    private static final Instant NOW = Instant.parse(ReceivedEventTest.AT);
    private static final Collected NOTHING = new Collected(Map.of(), Map.of(), Map.of());
    private static final NotificationRule RULE = new NotificationRule(
            "on-call",
            Instant.EPOCH,
            Set.of(EventType.values()),
            NotificationFilter.NONE,
            Duration.ofSeconds(30),
            Optional.empty(),
            true);

    private final int[] ids = new int[1];
    private final Supplier<String> newId = () -> "msg_" + ++ids[0];

    @Test
    void a_message_is_over_with_the_recovery_of_its_last_subject() {
        Collected sent = sent(plus(
                NOTHING,
                IntStream.rangeClosed(1, 7).mapToObj(i -> dead("a" + i, 1)).toList()));
        assertThat(sent.groups()).isEqualTo(Map.of("msg_1", 7));
        Collected six = plus(
                sent,
                IntStream.rangeClosed(1, 6).mapToObj(i -> back("a" + i, 2)).toList());
        assertThat(six.groups()).isEqualTo(Map.of("msg_1", 1));
        assertThat(six.digests().get(Collected.SOON).ended()).isEmpty();
        Collected seven = plus(sent(six), List.of(back("a7", 2)));
        assertThat(seven.groups()).isEqualTo(Map.of("msg_1", 0));
        assertThat(seven.digests().get(Collected.SOON).ended()).containsExactly("message:msg_1");
    }

    @Test
    void subjects_that_recover_before_the_message_is_sent_leave_no_alert_open() {
        List<ReceivedEvent> events = new ArrayList<>();
        IntStream.rangeClosed(1, 7).forEach(i -> events.addAll(List.of(dead("a" + i, 1), back("a" + i, 2))));
        Digest digest = plus(NOTHING, events).digests().get(Collected.SOON);
        assertThat(digest.message("on-call").open()).isZero();
        assertThat(digest.isGroup()).isFalse();
        Digest again = plus(new Collected(Map.of(), Map.of(Collected.SOON, digest), Map.of()), List.of(dead("a1", 3)))
                .digests()
                .get(Collected.SOON);
        assertThat(again.isGroup())
                .as("one problem is left, which is an alert of its own")
                .isFalse();
        assertThat(again.open()).isEqualTo(1);
    }

    @Test
    void a_problem_is_reported_before_its_end_though_the_clock_that_noted_the_end_was_behind() {
        ReceivedEvent dead = at(2, "a1", 1, "dead");
        ReceivedEvent back = at(1, "a1", 2, "active");
        ReceivedEvent other = at(0, "a2", 1, "dead");
        for (List<ReceivedEvent> events : List.of(List.of(dead, back, other), List.of(other, back, dead))) {
            Digest digest = plus(NOTHING, events).digests().get(Collected.SOON);
            assertThat(digest.total()).isEqualTo(3);
            assertThat(digest.open()).isEqualTo(1);
            assertThat(digest.dueAt()).as("the first of all by its time").isEqualTo(NOW.plusSeconds(30));
        }
    }

    @Test
    void a_message_is_due_from_now_where_the_clock_that_noted_the_event_was_ahead() {
        Collected ahead = plus(NOTHING, List.of(at(3_600, "a1", 1, "dead")));
        Instant due = ahead.digests().get(Collected.SOON).dueAt();
        assertThat(due).isEqualTo(NOW.plusSeconds(30));
        assertThat(plus(ahead, List.of(at(1, "a2", 1, "dead")))
                        .digests()
                        .get(Collected.SOON)
                        .dueAt())
                .isEqualTo(due);
    }

    @Test
    void no_alert_is_lost_however_many_end_at_once() {
        int agents = 1_040;
        Collected failed = NOTHING;
        for (int i = 1; i <= agents; i += 4) {
            failed = sent(plus(
                    failed,
                    IntStream.range(i, i + 4).mapToObj(j -> dead("a" + j, 1)).toList()));
        }
        Collected back = plus(
                failed,
                IntStream.rangeClosed(1, agents).mapToObj(i -> back("a" + i, 2)).toList());
        assertThat(back.digests().get(Collected.SOON).entries()).hasSize(NotificationMessage.MAX_ENTRIES);
        assertThat(back.digests().get(Collected.SOON).total()).isEqualTo(agents);
        assertThat(back.digests().values())
                .as("items stay small")
                .allMatch(digest -> digest.ended().size() <= Digest.MAX_ENDED);
        List<String> ended = new ArrayList<>();
        back.digests().values().forEach(digest -> {
            Optional<Digest> rest = Optional.of(digest);
            while (rest.isPresent()) {
                assertThat(rest.get().first().ended()).hasSizeLessThanOrEqualTo(Digest.MAX_ENDED_BY_MESSAGE);
                ended.addAll(rest.get().first().ended());
                rest = rest.get().rest("msg_rest");
                rest.ifPresent(more -> assertThat(more.total()).isZero());
            }
        });
        assertThat(ended)
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, agents)
                        .mapToObj(i -> "agent:a" + i)
                        .toList());
    }

    @Test
    void a_subject_leaves_its_own_alert_where_a_message_of_many_reports_it() {
        Collected alone = sent(plus(NOTHING, List.of(ReceivedEventTest.lifecycle("a1", 1, "unhealthy", ""))));
        Collected many = plus(
                alone,
                IntStream.rangeClosed(1, 6).mapToObj(i -> dead("a" + i, 2)).toList());
        assertThat(many.digests().get(Collected.SOON).ended()).containsExactly("agent:a1");
        Collected over = plus(
                sent(many),
                IntStream.rangeClosed(1, 6).mapToObj(i -> back("a" + i, 3)).toList());
        assertThat(over.digests().get(Collected.SOON).ended()).containsExactly("message:msg_2");
    }

    @Test
    void a_recovery_that_is_held_does_not_end_the_alert_of_a_later_failure() {
        NotificationRule quiet = new NotificationRule(
                "on-call",
                Instant.EPOCH,
                Set.of(EventType.values()),
                NotificationFilter.NONE,
                Duration.ofSeconds(30),
                Optional.of(new QuietTime(
                        NOW.atZone(ZoneOffset.UTC).toLocalTime().minusHours(1),
                        NOW.atZone(ZoneOffset.UTC).toLocalTime().plusHours(1),
                        ZoneOffset.UTC,
                        Set.of(Severity.ERROR))),
                true);
        Collected reported = sent(plus(NOTHING, List.of(ReceivedEventTest.lifecycle("a1", 1, "unhealthy", ""))));
        Collected held = reported.plus(quiet, List.of(ReceivedEventTest.lifecycle("a1", 2, "active", "")), NOW, newId);
        assertThat(held.digests().get(Collected.HELD).ended()).containsExactly("agent:a1");
        Collected again = held.plus(quiet, List.of(dead("a1", 3)), NOW, newId);
        assertThat(again.digests().get(Collected.SOON).entries()).hasSize(1);
        assertThat(again.digests().get(Collected.HELD).ended()).isEmpty();
    }

    @Test
    void a_subject_that_fails_further_belongs_to_the_message_that_reports_it_last() {
        Collected unhealthy = sent(plus(
                NOTHING,
                IntStream.rangeClosed(1, 6)
                        .mapToObj(i -> ReceivedEventTest.lifecycle("a" + i, 1, "unhealthy", ""))
                        .toList()));
        Collected dead = plus(
                unhealthy,
                IntStream.rangeClosed(1, 6).mapToObj(i -> dead("a" + i, 2)).toList());
        assertThat(dead.groups()).isEqualTo(Map.of("msg_1", 0));
        assertThat(dead.digests().get(Collected.SOON).ended()).containsExactly("message:msg_1");
        assertThat(sent(dead).groups()).isEqualTo(Map.of("msg_2", 6));
    }

    /** Whatever happens in whatever order: the count of each message is the number of subjects that were reported in it last and are not over. */
    @Test
    void counts_are_those_of_the_noted_subjects() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < Integer.getInteger("tries", 50); round++) {
            Collected collected = NOTHING;
            List<String> over = new ArrayList<>();
            int[] sequences = new int[12];
            for (int step = 0; step < 30; step++) {
                List<ReceivedEvent> events = new ArrayList<>();
                for (int i = random.nextInt(10); i > 0; i--) {
                    int agent = random.nextInt(sequences.length);
                    int sequence = Math.max(1, ++sequences[agent] - random.nextInt(2));
                    events.add(
                            switch (random.nextInt(4)) {
                                case 0 -> back("a" + agent, sequence);
                                case 1 -> ReceivedEventTest.lifecycle("a" + agent, sequence, "draining", "");
                                default -> dead("a" + agent, sequence);
                            });
                }
                collected = plus(collected, events);
                Map<String, Integer> counted = new HashMap<>(collected.groups());
                collected.digests().values().forEach(digest -> counted.put(digest.id(), digest.open()));
                Map<String, SubjectState> subjects = collected.subjects();
                counted.forEach((id, open) -> assertThat((long) open)
                        .as("seed %d, %s", seed, id)
                        .isEqualTo(subjects.values().stream()
                                .filter(state -> state.messageId().equals(id))
                                .count()));
                if (random.nextInt(3) == 0) {
                    collected
                            .digests()
                            .values()
                            .forEach(digest -> over.addAll(digest.ended().stream()
                                    .filter(alert -> alert.startsWith("message:"))
                                    .toList()));
                    collected = sent(collected);
                }
            }
            assertThat(over).as("seed %d", seed).doesNotHaveDuplicates();
        }
    }

    private Collected plus(Collected before, List<ReceivedEvent> events) {
        return before.plus(RULE, events, NOW, newId);
    }

    /** What is noted once the open digests are sent. */
    private static Collected sent(Collected before) {
        Map<String, Integer> groups = new HashMap<>(before.groups());
        groups.values().removeIf(open -> open == 0);
        before.digests().values().stream()
                .filter(Digest::isGroup)
                .forEach(digest -> groups.put(digest.id(), digest.open()));
        return new Collected(before.subjects(), Map.of(), groups);
    }

    private static ReceivedEvent at(int second, String agentId, int sequence, String status) {
        Map<String, String> detail = Map.of(
                "agent_id",
                agentId,
                "sequence",
                String.valueOf(sequence),
                "event_id",
                agentId + ":" + sequence,
                "new_status",
                status,
                "timestamp",
                NOW.plusSeconds(second).toString());
        return ReceivedEvent.of(EventType.AGENT_LIFECYCLE, detail).get(0);
    }

    private static ReceivedEvent dead(String agentId, int sequence) {
        return ReceivedEventTest.lifecycle(agentId, sequence, "dead", "heartbeat_timeout");
    }

    private static ReceivedEvent back(String agentId, int sequence) {
        return ReceivedEventTest.lifecycle(agentId, sequence, "active", "re_registered");
    }
}
