package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The dashboard is valid, refers only to existing resources, and contains every metric. */
@Tag("SYS-03")
class DashboardTest {

    private static final Pattern SEARCH = Pattern.compile(
            "SEARCH\\('\\{AgentHealth,([A-Za-z,]+)} MetricName=\"(\\w+)\" Stack=\"a stack\"', '\\w+', \\d+\\)");

    private final TemplateText text = new TemplateText();
    private String body;
    private JsonNode widgets;

    /** One row of a widget: a metric of a service or of the functions. */
    private record Row(String namespace, String name, Map<String, String> dimensions) {}

    @BeforeEach
    void read() throws JsonProcessingException {
        body = String.valueOf(
                at(text.properties("AWS::CloudWatch::Dashboard").get("Dashboard"), "DashboardBody", "Fn::Sub"));
        String substituted = body.replace("${AWS::StackName}", "a stack");
        for (String name : References.inText(body)) {
            substituted = substituted.replace("${" + name + "}", name.replace(':', '-'));
        }
        widgets = new ObjectMapper().readTree(substituted).path("widgets");
        assertThat(widgets).isNotEmpty();
    }

    @Test
    void all_references_exist() {
        Map<String, Map<String, Object>> resources = text.resources();
        for (String name : References.inText(body)) {
            if (!name.startsWith("AWS::")) {
                String logicalId = name.split("\\.")[0];
                assertThat(resources).as(name).containsKey(logicalId);
                assertThat(resources.get(logicalId))
                        .as(name + " exists for all parameters")
                        .doesNotContainKey("Condition");
            }
        }
    }

    @Test
    void the_dashboard_contains_exactly_the_metrics_of_the_functions() {
        Set<Metric> shown = EnumSet.noneOf(Metric.class);
        for (Row row : rows()) {
            if (row.namespace().equals(Metric.NAMESPACE)) {
                shown.add(OwnMetrics.checked(row.name(), row.dimensions().keySet()));
                assertThat(row.dimensions().get(Metric.STACK)).isEqualTo("a stack");
            } else {
                assertThat(row.namespace()).matches("AWS/.*|AgentHealth/a stack");
            }
        }
        for (String expression : expressions()) {
            Matcher search = SEARCH.matcher(expression);
            assertThat(search.matches()).as(expression).isTrue();
            shown.add(OwnMetrics.checked(search.group(2), Set.of(search.group(1).split(","))));
        }
        assertThat(shown).containsExactlyInAnyOrder(Metric.values());
    }

    @Test
    void statuses_are_the_lifecycle_statuses() {
        for (Row row : rows()) {
            for (String dimension : List.of("Status", "To")) {
                String word = row.dimensions().get(dimension);
                if (word != null) {
                    assertThat(WireNamed.find(LifecycleStatus.class, word))
                            .as(word)
                            .isPresent();
                }
            }
        }
    }

    @Test
    void every_notifying_alarm_that_always_exists_is_at_the_top() {
        List<String> shown = new ArrayList<>();
        JsonNode first = widgets.get(0);
        assertThat(first.path("type").asText()).isEqualTo("alarm");
        assertThat(first.path("y").asInt()).isZero();
        first.path("properties").path("alarms").forEach(alarm -> shown.add(alarm.asText()));
        List<String> waking = text.resources("AWS::CloudWatch::Alarm").entrySet().stream()
                .filter(alarm -> !alarm.getValue().containsKey("Condition"))
                .map(alarm -> alarm.getKey() + ".Arn")
                .toList();
        assertThat(shown).containsExactlyInAnyOrderElementsOf(waking);
    }

    @Test
    void throttling_of_every_table_is_shown() {
        Set<String> shown = new TreeSet<>();
        rows().stream()
                .filter(row -> row.name().endsWith("ThrottleEvents"))
                .forEach(row -> shown.add(row.dimensions().get("TableName") + " " + row.name()));
        Set<String> expected = new TreeSet<>();
        text.properties("AWS::DynamoDB::Table")
                .keySet()
                .forEach(table ->
                        expected.addAll(Set.of(table + " ReadThrottleEvents", table + " WriteThrottleEvents")));
        assertThat(shown).isEqualTo(expected);
    }

    @Test
    void widgets_do_not_overlap() {
        Set<String> taken = new TreeSet<>();
        for (JsonNode widget : widgets) {
            int right = widget.path("x").asInt() + widget.path("width").asInt();
            int bottom = widget.path("y").asInt() + widget.path("height").asInt();
            assertThat(right).isLessThanOrEqualTo(24);
            for (int x = widget.path("x").asInt(); x < right; x++) {
                for (int y = widget.path("y").asInt(); y < bottom; y++) {
                    assertThat(taken.add(x + "/" + y))
                            .as(widget.path("properties").path("title").asText())
                            .isTrue();
                }
            }
        }
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (JsonNode metric : metrics()) {
            if (metric.get(0).isTextual()) {
                List<String> words = new ArrayList<>();
                metric.forEach(word -> {
                    if (word.isTextual()) {
                        words.add(word.asText());
                    }
                });
                assertThat(words.size() % 2).as(metric.toString()).isZero();
                Map<String, String> dimensions = new TreeMap<>();
                for (int i = 2; i < words.size(); i += 2) {
                    dimensions.put(words.get(i), words.get(i + 1));
                }
                rows.add(new Row(words.get(0), words.get(1), dimensions));
            }
        }
        return rows;
    }

    private List<String> expressions() {
        List<String> expressions = new ArrayList<>();
        for (JsonNode metric : metrics()) {
            if (metric.get(0).isObject()) {
                expressions.add(metric.get(0).path("expression").asText());
            }
        }
        return expressions;
    }

    private List<JsonNode> metrics() {
        List<JsonNode> metrics = new ArrayList<>();
        for (JsonNode widget : widgets) {
            if (widget.path("type").asText().equals("metric")) {
                JsonNode properties = widget.path("properties");
                assertThat(properties.path("region").asText()).isEqualTo("AWS--Region");
                assertThat(properties.path("title").asText()).isNotEmpty();
                properties.path("metrics").forEach(metrics::add);
            }
        }
        return metrics;
    }
}
