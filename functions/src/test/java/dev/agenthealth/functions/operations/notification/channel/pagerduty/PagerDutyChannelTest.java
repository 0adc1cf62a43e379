package dev.agenthealth.functions.operations.notification.channel.pagerduty;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PagerDutyChannelTest {

    static Stream<NotificationMessage> messages() {
        return Stream.of(
                Messages.deaths(1),
                Messages.deaths(5),
                Messages.deaths(37),
                Messages.of(Messages.recovery(1), Messages.death(2)),
                Messages.test(),
                Messages.nasty());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void every_event_is_within_the_limits_of_the_events_api(NotificationMessage message) {
        List<Post> posts = of(message);
        assertThat(posts).isNotEmpty();
        posts.forEach(post -> Messages.check("pagerduty-event", post));
        assertThat(of(message)).usingRecursiveComparison().isEqualTo(posts);
    }

    @Test
    void the_recovery_of_an_agent_resolves_the_alert_of_its_death() {
        JsonNode death = Messages.json(of(Messages.of(Messages.death(1))).get(0));
        assertThat(death.path("event_action").asText()).isEqualTo("trigger");
        assertThat(death.path("dedup_key").asText()).isEqualTo(ProblemId.of("agent:agent_1"));
        assertThat(death.path("payload").path("summary").asText()).isEqualTo("Agent agent_1 is dead.");
        assertThat(death.path("payload").path("severity").asText()).isEqualTo("critical");
        assertThat(death.path("payload").path("source").asText()).isEqualTo("agent_1");
        JsonNode recovery = Messages.json(of(Messages.of(Messages.recovery(1))).get(0));
        assertThat(recovery.path("event_action").asText()).isEqualTo("resolve");
        assertThat(recovery.path("dedup_key")).isEqualTo(death.path("dedup_key"));
    }

    @Test
    void up_to_five_problems_are_an_alert_each_and_more_are_one() {
        assertThat(actions(Messages.deaths(5))).containsExactly("trigger", "trigger", "trigger", "trigger", "trigger");
        assertThat(actions(Messages.deaths(6))).containsExactly("trigger");
        JsonNode one = Messages.json(of(Messages.deaths(37)).get(0));
        assertThat(one.path("dedup_key").asText()).isEqualTo("agent-health:on-call:message:msg_1");
        assertThat(one.path("payload").path("summary").asText()).isEqualTo("37 events: Agent agent_1 is dead.");
        assertThat(one.path("payload").path("custom_details").path("events")).hasSize(20);
    }

    @Test
    void the_alert_of_a_message_is_resolved_once_its_subjects_have_all_recovered() {
        NotificationMessage sent = Messages.deaths(37);
        NotificationMessage over = new NotificationMessage(
                "msg_2",
                "on-call",
                Messages.AT,
                List.of(Messages.recovery(1)),
                1,
                true,
                false,
                0,
                List.of("message:msg_1"),
                "");
        JsonNode trigger = Messages.json(of(sent).get(0));
        JsonNode resolve = Messages.json(of(over).get(0));
        assertThat(actions(over)).containsExactly("resolve");
        assertThat(resolve.path("dedup_key")).isEqualTo(trigger.path("dedup_key"));
        of(over).forEach(post -> Messages.check("pagerduty-event", post));
        NotificationMessage flapped = new NotificationMessage(
                "msg_3", "on-call", Messages.AT, sent.entries(), 74, false, false, 0, List.of(), "");
        assertThat(of(flapped)).as("all recovered before it was sent").isEmpty();
    }

    @Test
    void of_several_events_of_a_subject_the_last_one_counts() {
        assertThat(actions(Messages.of(Messages.death(1), Messages.recovery(1))))
                .containsExactly("resolve");
        assertThat(actions(Messages.of(Messages.recovery(1), Messages.death(1))))
                .containsExactly("trigger");
        assertThat(actions(Messages.of(Messages.death(1), Messages.death(1)))).containsExactly("trigger");
    }

    @Test
    void alerts_of_subjects_that_the_message_does_not_show_are_resolved_unless_it_opens_them_anew() {
        assertThat(actions(ending(Messages.recovery(1)))).containsExactly("resolve", "resolve");
        List<Post> one = of(ending(Messages.death(2)));
        assertThat(one).hasSize(2);
        assertThat(Messages.json(one.get(0)).path("dedup_key").asText()).isEqualTo(ProblemId.of("agent:agent_3"));
        assertThat(Messages.json(one.get(1)).path("event_action").asText()).isEqualTo("trigger");
        NotificationEntry[] many =
                IntStream.rangeClosed(1, 6).mapToObj(Messages::death).toArray(NotificationEntry[]::new);
        assertThat(actions(ending(many))).as("part of one alert").containsExactly("resolve", "resolve", "trigger");
        assertThat(actions(ending())).as("a message without events").containsExactly("resolve", "resolve");
    }

    /** A message that ends the alerts of the agents 2 and 3. */
    private static NotificationMessage ending(NotificationEntry... entries) {
        NotificationMessage message = Messages.of(entries);
        return new NotificationMessage(
                message.messageId(),
                message.rule(),
                message.at(),
                message.entries(),
                message.total(),
                message.recovery(),
                false,
                message.open(),
                List.of("agent:agent_2", "agent:agent_3"),
                "");
    }

    @Test
    void a_long_name_makes_a_key_that_fits_and_differs() {
        JsonNode one = Messages.json(of(Messages.of(Messages.entry("a".repeat(300), "error", "x", false)))
                .get(0));
        JsonNode other = Messages.json(of(Messages.of(Messages.entry("a".repeat(300) + "b", "error", "x", false)))
                .get(0));
        assertThat(one.path("dedup_key")).isNotEqualTo(other.path("dedup_key"));
        assertThat(one.path("dedup_key").asText()).hasSizeLessThanOrEqualTo(255);
    }

    private static List<String> actions(NotificationMessage message) {
        return of(message).stream()
                .map(post -> Messages.json(post).path("event_action").asText())
                .toList();
    }

    private static List<Post> of(NotificationMessage message) {
        String target = "'type':'pagerduty','url':'https://events.pagerduty.com/v2/enqueue','routing_key':'%s'";
        return PagerDutyChannel.render(Messages.target(target.formatted(Messages.ROUTING_KEY)), message);
    }
}
