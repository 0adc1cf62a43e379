package dev.agenthealth.emulator.eventbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventBusesTest {

    private static final RuleTarget LOG = new RuleTarget("log", "arn:aws:logs:us-east-1:0:log-group:x:*");
    private static final Instant TIME = Instant.parse("2026-02-08T10:00:00.750Z");

    private final List<JsonNode> delivered = new ArrayList<>();

    private EventBuses buses(String... patterns) {
        List<RuleDefinition> rules = new ArrayList<>();
        for (String pattern : patterns) {
            rules.add(new RuleDefinition("Rule" + rules.size(), "the-bus", pattern, List.of(LOG)));
        }
        return new EventBuses(Set.of("the-bus"), rules, (target, envelopes) -> delivered.addAll(read(envelopes)));
    }

    private static List<JsonNode> read(List<String> envelopes) {
        return envelopes.stream().map(EventBusesTest::read).toList();
    }

    private static JsonNode read(String envelope) {
        try {
            return Json.read(envelope);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static PutResult put(EventBuses buses, BusEntry entry) {
        return buses.put(List.of(entry)).get(0);
    }

    private static BusEntry entry(String source, String detailType, String detail, String bus) {
        return new BusEntry(TIME, true, source, detailType, detail, List.of("arn:r"), bus);
    }

    @Test
    void a_target_gets_the_envelope() {
        EventBuses buses = buses("{\"source\":[\"s\"]}");
        PutResult result = put(buses, entry("s", "t", "{\"a\":{\"b\":1}}", "the-bus"));
        assertThat(delivered).hasSize(1);
        JsonNode envelope = delivered.get(0);
        assertThat(result).isEqualTo(new PutResult.Accepted(envelope.path("id").asText()));
        assertThat(envelope.properties().stream().map(Map.Entry::getKey))
                .containsExactly(
                        "version", "id", "detail-type", "source", "account", "time", "region", "resources", "detail");
        assertThat(envelope.path("version").asText()).isEqualTo("0");
        assertThat(envelope.path("detail-type").asText()).isEqualTo("t");
        assertThat(envelope.path("time").asText()).isEqualTo("2026-02-08T10:00:00Z");
        assertThat(envelope.path("resources").get(0).asText()).isEqualTo("arn:r");
        assertThat(envelope.path("detail").path("a").path("b").asInt()).isEqualTo(1);
        assertThat(buses.events().matched()).containsExactly((ObjectNode) envelope);
    }

    @Test
    void an_event_is_one_line_and_keeps_the_text_of_its_detail() {
        List<String> texts = new ArrayList<>();
        List<RuleDefinition> rules =
                List.of(new RuleDefinition("Rule", "the-bus", "{\"detail-type\":[\"t\"]}", List.of(LOG)));
        EventBuses buses = new EventBuses(Set.of("the-bus"), rules, (target, envelopes) -> texts.addAll(envelopes));
        put(buses, entry("\"s\"", "t", "{\n\"a\":\r\n1.50,\"b\":\"\\n\"}", "the-bus"));
        assertThat(texts).singleElement().satisfies(text -> {
            assertThat(text).doesNotContain("\n", "\r").endsWith(",\"detail\":{ \"a\":  1.50,\"b\":\"\\n\"}}");
            assertThat(read(text).path("detail").path("b").asText()).isEqualTo("\n");
            assertThat(buses.events().matched()).containsExactly((ObjectNode) read(text));
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"source":["s"]}                                         | true
                    {"source":["other"]}                                     | false
                    {"source":["other","s"]}                                 | true
                    {"source":[{"prefix":"s"}],"detail-type":["t"]}          | true
                    {"detail":{"status":["dead"]}}                           | true
                    {"detail":{"status":[{"anything-but":"dead"}]}}          | false
                    {"detail":{"count":[{"numeric":[">",5,"<=",10]}]}}       | true
                    {"detail":{"count":[{"numeric":[">",10]}]}}              | false
                    {"detail":{"tags":["b"]}}                                | true
                    {"detail":{"missing":[{"exists":false}]}}                | true
                    {"detail":{"status":[{"exists":false}]}}                 | false
                    {"$or":[{"source":["x"]},{"detail":{"status":["dead"]}}]}| true
                    """)
    void matches_as_event_bridge_does(String pattern, boolean matches) {
        put(
                buses(pattern),
                entry(
                        "s",
                        "t",
                        """
                {"status":"dead","count":7,"tags":["a","b"]}\
                """,
                        "the-bus"));
        assertThat(delivered).hasSize(matches ? 1 : 0);
    }

    @Test
    void two_rules_with_the_same_target_deliver_once() {
        EventBuses buses = buses("{\"source\":[\"s\"]}", "{\"detail-type\":[\"t\"]}");
        put(buses, entry("s", "t", "{}", "the-bus"));
        assertThat(delivered).hasSize(1);
        assertThat(buses.events().all()).singleElement().satisfies(event -> assertThat(event.rules())
                .containsExactly("Rule0", "Rule1"));
    }

    @Test
    void a_target_gets_the_events_of_a_request_together() {
        List<List<JsonNode>> batches = new ArrayList<>();
        List<RuleDefinition> rules =
                List.of(new RuleDefinition("Rule", "the-bus", "{\"source\":[\"s\"]}", List.of(LOG)));
        EventBuses buses =
                new EventBuses(Set.of("the-bus"), rules, (target, envelopes) -> batches.add(read(envelopes)));
        List<PutResult> results = buses.put(List.of(
                entry("s", "first", "{}", "the-bus"),
                entry("other", "t", "{}", "the-bus"),
                entry("s", "t", "[]", "the-bus"),
                entry("s", "last", "{}", "the-bus")));
        assertThat(batches).singleElement().satisfies(envelopes -> assertThat(envelopes)
                .extracting(envelope -> envelope.path("detail-type").asText())
                .containsExactly("first", "last"));
        assertThat(results)
                .extracting(result -> result instanceof PutResult.Accepted)
                .containsExactly(true, true, false, true);
    }

    @Test
    void an_event_that_no_rule_matches_is_shown_without_rules() {
        EventBuses buses = buses("{\"source\":[\"s\"]}");
        assertThat(put(buses, entry("other", "t", "{}", "the-bus"))).isInstanceOf(PutResult.Accepted.class);
        assertThat(buses.events().matched()).isEmpty();
        assertThat(buses.events().all()).singleElement().satisfies(event -> {
            assertThat(event.envelope().path("source").asText()).isEqualTo("other");
            assertThat(event.rules()).isEmpty();
        });
        assertThat(delivered).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``| t | {}   | the-bus | InvalidArgument
                    s | ``| {}   | the-bus | InvalidArgument
                    s | t | ``   | the-bus | InvalidArgument
                    s | t | []   | the-bus | MalformedDetail
                    s | t | "x"  | the-bus | MalformedDetail
                    s | t | {    | the-bus | MalformedDetail
                    s | t | {},"source":"other"} | the-bus | MalformedDetail
                    s | t | {} {} | the-bus | MalformedDetail
                    s | t | {"a":"\\x"} | the-bus | MalformedDetail
                    s | t | {}   | no-bus  | ResourceNotFoundException
                    """)
    void refuses_what_event_bridge_refuses(String source, String detailType, String detail, String bus, String code) {
        PutResult result = put(buses("{\"source\":[\"s\"]}"), entry(source, detailType, detail, bus));
        assertThat(result).isInstanceOfSatisfying(PutResult.Refused.class, refused -> assertThat(refused.errorCode())
                .isEqualTo(code));
    }

    @Test
    void a_bus_is_named_by_its_arn_as_well() {
        EventBuses buses = buses("{\"source\":[\"s\"]}");
        put(buses, entry("s", "t", "{}", "arn:aws:events:us-east-1:000000000000:event-bus/the-bus"));
        assertThat(delivered).hasSize(1);
    }

    @Test
    void only_the_last_thousand_are_kept() {
        EventBuses buses = buses("{\"source\":[\"s\"]}");
        for (int i = 0; i < 1_005; i++) {
            put(buses, entry("s", i < 1_000 ? "old" : "new", "{\"i\":" + i + "}", "the-bus"));
        }
        List<ObjectNode> all = buses.events().matched();
        assertThat(all).hasSize(1_000);
        assertThat(all.get(0).path("detail").path("i").asInt()).isEqualTo(5);
        assertThat(buses.events().find(Instant.EPOCH, "new", 3)).hasSize(3);
        assertThat(buses.events().find(TIME.plusSeconds(1), "", 3)).isEmpty();
    }

    @Test
    void a_rule_that_cannot_work_is_known_from_the_beginning() {
        assertThatThrownBy(() -> buses("{\"source\":\"not a list\"}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Rule0.EventPattern");
        RuleDefinition lost = new RuleDefinition("Lost", "no-bus", "{\"source\":[\"s\"]}", List.of());
        assertThatThrownBy(() -> new EventBuses(Set.of(), List.of(lost), (target, envelope) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no event bus no-bus");
    }
}
