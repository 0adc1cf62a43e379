package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every rule that the project shows or deploys gets, of all that happens in {@link SubscribersStory}, what it is for and nothing else. */
@Tag("SYS-05")
class SubscriptionsTest {

    private static final Predicate<JsonNode> DEATH =
            event -> is(event, "agent.lifecycle") && text(event, "new_status").equals("dead");

    private static final Predicate<JsonNode> FALL = event -> is(event, "agent.health")
            && text(event, "previous_status").equals("healthy")
            && Set.of("degraded", "unhealthy").contains(text(event, "new_status"));

    /** What each rule is for, said without its pattern. */
    private static final Map<String, Predicate<JsonNode>> MEANT = Map.ofEntries(
            Map.entry("AgentDead", DEATH),
            Map.entry("agent-dead", DEATH),
            Map.entry("CoordinatorDead", DEATH.and(event -> text(event, "agent_id")
                    .equals("planner-1"))),
            Map.entry("HealthFell", FALL),
            Map.entry("HealthRule", FALL),
            Map.entry("LifecycleRule", event -> is(event, "agent.lifecycle")),
            Map.entry(
                    "WorkLost",
                    event -> event.path("detail-type").asText().startsWith("lease.")
                            && Set.of("approve", "print", "send", "archive").contains(text(event, "scope"))
                            && !is(event, "lease.acquired")),
            Map.entry("PoolTooSmall", event -> is(event, "pool.below_minimum")),
            Map.entry(
                    "RegistryInTrouble",
                    event -> event.path("detail-type").asText().startsWith("registry.")
                            && !event.path("detail-type").asText().startsWith("registry.stop")),
            Map.entry("BlockDecided", event -> is(event, "agent.trust")),
            Map.entry("DrainRanOut", event -> is(event, "agent.drain_timeout")),
            Map.entry("Everything", event -> true),
            Map.entry("NotificationEvents", event -> true));

    private final List<JsonNode> events = SubscribersStory.events();

    @Test
    @Tag("AHS-13")
    void each_rule_matches_exactly_the_intended_events() {
        List<Subscription> rules = rules();
        assertThat(rules).extracting(Subscription::name).containsExactlyInAnyOrderElementsOf(MEANT.keySet());
        for (Subscription rule : rules) {
            List<String> meant = ids(events.stream().filter(MEANT.get(rule.name())));
            assertThat(meant).as(rule.name()).isNotEmpty();
            assertThat(ids(events.stream().filter(rule::matches)))
                    .as(rule.name())
                    .isEqualTo(meant);
        }
    }

    @Test
    void the_samples_are_events_that_the_system_sent() {
        Map<String, JsonNode> samples = SampleEvents.ofFiles();
        SampleEvents.ofStory()
                .forEach((detailType, event) -> assertThat(SampleEvents.withoutChance(samples.get(detailType)))
                        .as(detailType + " is out of date: run " + GeneratedText.COMMAND)
                        .isEqualTo(SampleEvents.withoutChance(event)));
    }

    @Test
    void only_a_rule_for_everything_matches_all_events() {
        assertThat(rules())
                .filteredOn(rule -> events.stream().allMatch(rule::matches))
                .extracting(Subscription::name)
                .containsExactlyInAnyOrder("Everything", "NotificationEvents");
    }

    @Test
    void events_of_other_systems_match_no_rule() {
        List<Subscription> rules = rules();
        for (JsonNode event : events) {
            JsonNode other = Json.stored(Json.text(event).replace("\"agent-health\"", "\"elsewhere\""));
            assertThat(rules).noneMatch(rule -> rule.matches(other));
        }
    }

    @Test
    void the_patterns_of_commands_match_some_event() {
        for (String pattern : Subscription.patternsOfCommands("docs/events.md")) {
            assertThat(events).as(pattern).anyMatch(new Subscription("command", pattern)::matches);
        }
    }

    /** What a rule cannot deliver is kept, and it may send there. */
    @Test
    void every_target_of_a_documented_rule_has_a_dead_letter_queue() {
        List<String> blocks = Subscription.blocks(ProjectFiles.text("docs/events.md"));
        assertThat(blocks).hasSize(9);
        for (String block : blocks) {
            Map<?, ?> resources = (Map<?, ?>)
                    Template.parse(block, "docs/events.md").document().get("Resources");
            resources.forEach((logicalId, resource) -> {
                if (at(resource, "Type").equals("AWS::Events::Rule")) {
                    Map<?, ?> target = (Map<?, ?>) ((List<?>) at(resource, "Properties", "Targets")).get(0);
                    Object queue = at(target, "DeadLetterConfig", "Arn", "Fn::GetAtt");
                    assertThat(target.containsKey("RetryPolicy")).isTrue();
                    assertThat(queue).as(String.valueOf(logicalId)).isEqualTo(List.of("Undelivered", "Arn"));
                    assertThat(mayBeSentTo(resources, queue, logicalId)).isTrue();
                }
            });
        }
    }

    private static boolean mayBeSentTo(Map<?, ?> resources, Object queue, Object rule) {
        return resources.values().stream()
                .filter(resource -> at(resource, "Type").equals("AWS::SQS::QueuePolicy"))
                .map(resource -> ((List<?>) at(resource, "Properties", "PolicyDocument", "Statement")).get(0))
                .anyMatch(statement -> String.valueOf(at(statement, "Resource")).contains(String.valueOf(queue))
                        && at(statement, "Action").equals("sqs:SendMessage")
                        && at(statement, "Condition", "ArnEquals", "aws:SourceArn", "Fn::GetAtt")
                                .equals(List.of(rule, "Arn")));
    }

    private static Object at(Object value, String... path) {
        Object current = value;
        for (String name : path) {
            current = current instanceof Map<?, ?> map ? map.get(name) : "";
        }
        return current == null ? "" : current;
    }

    private static List<Subscription> rules() {
        List<Subscription> rules = new ArrayList<>(Subscription.ofDocument("docs/events.md"));
        rules.addAll(Subscription.ofDocument("README.md"));
        rules.addAll(Subscription.ofTemplate(Template.find()));
        return rules;
    }

    private static boolean is(JsonNode event, String detailType) {
        return event.path("detail-type").asText().equals(detailType);
    }

    private static String text(JsonNode event, String field) {
        return event.path("detail").path(field).asText();
    }

    private static List<String> ids(Stream<JsonNode> events) {
        return events.map(event -> event.path("detail").path("event_id").asText())
                .collect(Collectors.toList());
    }
}
