package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * The alarms of every stack if a function may not be executed, because its concurrency is 0, or if nothing takes the messages of a queue, or
 * if a message is in a dead-letter queue. The data are what CloudWatch then has.
 */
@Tag("SYS-03")
class StoppedFunctionsTest {

    private static final String DATA = "/stopped.csv";

    /** What an idle stack reports as long as everything runs. */
    private static final Map<String, String> RUNNING =
            Map.of("SweepPasses", "1", "MeasurementRuns", "1", "NotificationRuns", "1", "SourceRuns", "1");

    private final TemplateText text = new TemplateText();

    @ParameterizedTest
    @CsvFileSource(resources = DATA, numLinesToSkip = 1)
    void an_alarm_fires_if_it_stops(String stopped, String metrics, String alarms) {
        Map<String, String> reported = new TreeMap<>(RUNNING);
        for (String metric : metrics.split(" ")) {
            int equals = metric.indexOf('=');
            reported.put(metric.substring(0, equals), metric.substring(equals + 1));
        }
        reported.values().removeIf("-"::equals);
        assertThat(raised(reported)).as(stopped).containsExactlyInAnyOrder(alarms.split(" "));
    }

    @Test
    void no_alarm_fires_while_everything_runs() {
        assertThat(raised(RUNNING)).isEmpty();
    }

    @Test
    void every_function_and_every_queue_is_covered() {
        Set<String> covered = ProjectFiles.text("functions/src/test/resources" + DATA)
                .lines()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf(',')))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> expected =
                new TreeSet<>(text.properties("AWS::Serverless::Function").keySet());
        expected.addAll(text.properties("AWS::SQS::Queue").keySet());
        assertThat(covered).isEqualTo(expected);
    }

    private Set<String> raised(Map<String, String> reported) {
        Set<String> raised = new TreeSet<>();
        text.resources("AWS::CloudWatch::Alarm").forEach((logicalId, alarm) -> {
            Map<String, Object> properties = map(alarm.get("Properties"));
            int periods = Integer.parseInt(String.valueOf(properties.get("EvaluationPeriods")));
            String period = period(properties, reported);
            if (!alarm.containsKey("Condition")
                    && RaisedAlarmsTest.isRaised(properties, Collections.nCopies(periods, period))) {
                raised.add(logicalId);
            }
        });
        return raised;
    }

    /** The values of an alarm's metrics in one period, as in the data of the alarms. */
    private static String period(Map<String, Object> alarm, Map<String, String> reported) {
        Map<String, Object> metrics = new LinkedHashMap<>();
        if (alarm.containsKey("MetricName")) {
            metrics.put("value", alarm);
        }
        for (Object metric : list(alarm.get("Metrics"))) {
            if (map(metric).containsKey("MetricStat")) {
                metrics.put(String.valueOf(at(metric, "Id")), at(metric, "MetricStat", "Metric"));
            }
        }
        List<String> values = metrics.entrySet().stream()
                .filter(metric -> reported.containsKey(name(metric.getValue())))
                .map(metric -> metric.getKey() + "=" + reported.get(name(metric.getValue())))
                .toList();
        return values.isEmpty() ? "-" : String.join(" ", values);
    }

    /** The name of a metric, followed by the resource that it is about. */
    private static String name(Object metric) {
        String resource = References.in(at(metric, "Dimensions")).stream()
                .filter(reference -> !reference.startsWith("AWS::"))
                .map(reference -> "/" + reference.replaceFirst("[.].*", ""))
                .collect(Collectors.joining());
        return at(metric, "MetricName") + resource;
    }
}
