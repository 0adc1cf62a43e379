package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Metric data that raises an alarm, and data just beside it that does not, for every alarm of the template. */
@Tag("SYS-03")
class RaisedAlarmsTest {

    private static final String DATA = "/alarms.csv";

    private final TemplateText text = new TemplateText();
    private final Map<String, Map<String, Object>> alarms = text.properties("AWS::CloudWatch::Alarm");

    /**
     * @param periods one for each period, oldest first: the values of the metrics by id ({@code value} where there is one only), or {@code -} without data
     */
    @ParameterizedTest
    @CsvFileSource(resources = DATA, numLinesToSkip = 1)
    void data_raises_the_alarm_or_does_not(String alarm, String periods, boolean raised) {
        assertThat(isRaised(alarms.get(alarm), List.of(periods.split("\\s*;\\s*"))))
                .isEqualTo(raised);
    }

    @Test
    void every_alarm_has_data_that_raises_it_and_data_that_does_not() {
        Map<String, Set<String>> covered = new HashMap<>();
        ProjectFiles.text("functions/src/test/resources" + DATA)
                .lines()
                .skip(1)
                .forEach(line -> covered.computeIfAbsent(line.substring(0, line.indexOf(',')), alarm -> new TreeSet<>())
                        .add(line.substring(line.lastIndexOf(',') + 1).strip()));
        assertThat(covered.keySet()).isEqualTo(alarms.keySet());
        assertThat(covered.values()).allMatch(Set.of("true", "false")::equals);
    }

    @ParameterizedTest
    @CsvSource({
        "'MAX([a / 4, b])', 'a=8 b=1', 2",
        "'MAX([a / 4, b])', 'b=1', 1",
        "'IF(a >= 20, 100 * b / a, 0)', 'a=20 b=1', 5",
        "'IF(a >= 20, 100 * b / a, 0)', 'a=19 b=9', 0",
        "'SUM([a, b]) * 2', 'a=1 b=2', 6"
    })
    void expressions_are_computed_as_cloud_watch_does(String expression, String values, double expected) {
        assertThat(new Expression(expression, values(values)).value()).isEqualTo(expected);
    }

    /** Returns whether the periods raise the alarm. */
    static boolean isRaised(Map<String, Object> alarm, List<String> periods) {
        int evaluated = Integer.parseInt(String.valueOf(alarm.get("EvaluationPeriods")));
        int needed = Integer.parseInt(String.valueOf(alarm.getOrDefault("DatapointsToAlarm", evaluated)));
        double threshold = Double.parseDouble(String.valueOf(alarm.get("Threshold")));
        boolean isBelow = "LessThanThreshold".equals(alarm.get("ComparisonOperator"));
        assertThat(periods).hasSize(evaluated);
        long breaching = periods.stream()
                .filter(period -> {
                    if (period.equals("-")) {
                        return "breaching".equals(alarm.get("TreatMissingData"));
                    }
                    double value = value(alarm, values(period));
                    return isBelow ? value < threshold : value >= threshold;
                })
                .count();
        return breaching >= needed;
    }

    private static double value(Map<String, Object> alarm, Map<String, Double> values) {
        if (alarm.containsKey("MetricName")) {
            return values.get("value");
        }
        return list(alarm.get("Metrics")).stream()
                .filter(metric -> map(metric).containsKey("Expression"))
                .map(metric -> new Expression(String.valueOf(at(metric, "Expression")), values).value())
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Double> values(String period) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (String one : period.strip().split("\\s+")) {
            int equals = one.indexOf('=');
            values.put(equals < 0 ? "value" : one.substring(0, equals), Double.parseDouble(one.substring(equals + 1)));
        }
        return values;
    }

    /** The part of CloudWatch's metric math that the template uses. Functions of a list leave metrics without data out. */
    private static final class Expression {

        private final String text;
        private final Map<String, Double> values;
        private int at;

        Expression(String text, Map<String, Double> values) {
            this.text = text.replace(" ", "");
            this.values = values;
        }

        double value() {
            double value = comparison();
            assertThat(at).as("all of " + text + " is understood").isEqualTo(text.length());
            return value;
        }

        private double comparison() {
            double left = product();
            return takes(">=") ? (left >= product() ? 1 : 0) : left;
        }

        private double product() {
            double value = factor();
            while (true) {
                if (takes("*")) {
                    value *= factor();
                } else if (takes("/")) {
                    value /= factor();
                } else {
                    return value;
                }
            }
        }

        private double factor() {
            if (takes("MAX([")) {
                return elements().stream().mapToDouble(value -> value).max().orElse(Double.NaN);
            }
            if (takes("SUM([")) {
                return elements().stream().mapToDouble(value -> value).sum();
            }
            if (takes("IF(")) {
                double condition = comparison();
                assertThat(takes(",")).isTrue();
                double then = comparison();
                assertThat(takes(",")).isTrue();
                double otherwise = comparison();
                assertThat(takes(")")).isTrue();
                return condition > 0 ? then : otherwise;
            }
            int start = at;
            while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
                at++;
            }
            String token = text.substring(start, at);
            return Character.isDigit(token.charAt(0))
                    ? Double.parseDouble(token)
                    : values.getOrDefault(token, Double.NaN);
        }

        private List<Double> elements() {
            List<Double> elements = new ArrayList<>();
            do {
                double value = comparison();
                if (!Double.isNaN(value)) {
                    elements.add(value);
                }
            } while (takes(","));
            assertThat(takes("])")).isTrue();
            return elements;
        }

        private boolean takes(String expected) {
            if (text.startsWith(expected, at)) {
                at += expected.length();
                return true;
            }
            return false;
        }
    }
}
