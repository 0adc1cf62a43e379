package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.observation.Metric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Alarms that notify an operator or stop a deployment. */
@Tag("SYS-03")
class AlarmsTest {

    private static final Pattern IDENTIFIER = Pattern.compile("\\b[a-z][A-Za-z0-9]*\\b");
    private static final Pattern ROUTE = Pattern.compile("\\$\\.route = \"([^\"]+)\"");
    private static final Set<String> STOPPED_BY_SILENCE =
            Set.of("SweepLate", "MeasurementLate", "NotificationsStopped", "SourcesStopped");

    private static final Set<String> EVERYWHERE = Set.of(
            "SweepLate",
            "DetectionLate",
            "SelfCheckFailing",
            "DeathsDelayed",
            "MeasurementLate",
            "OutboxLate",
            "EventsUnpublished",
            "NotificationsLate",
            "NotificationsStopped",
            "NotificationsUnsent",
            "ProbesLate",
            "WorkGivenUp",
            "SourcesStopped",
            "RequestsThrottled",
            "InvocationsLate",
            "ApiFailing");

    private final TemplateText text = new TemplateText();
    private final Map<String, Map<String, Object>> alarms = text.properties("AWS::CloudWatch::Alarm");
    private final Map<String, Map<String, Object>> composites = text.properties("AWS::CloudWatch::CompositeAlarm");

    /** One metric of an alarm. */
    private record Watched(String namespace, String name, Map<String, Object> dimensions) {}

    @Test
    void every_alarm_notifies_an_operator_or_stops_a_deployment_or_is_part_of_one_that_notifies() {
        Set<String> guarding = new TreeSet<>();
        composites.values().forEach(composite -> guarding.addAll(References.in(composite.get("AlarmRule"))));
        text.properties("AWS::Serverless::Function")
                .values()
                .forEach(function -> guarding.addAll(References.in(at(function, "DeploymentPreference", "Alarms"))));
        alarms.forEach((logicalId, alarm) -> {
            boolean notifies = !list(alarm.get("AlarmActions")).isEmpty();
            assertThat(notifies).as(logicalId).isNotEqualTo(guarding.contains(logicalId));
            if (notifies) {
                assertThat(References.in(alarm.get("AlarmActions"))).containsExactly("AlarmTopic");
            }
        });
        assertThat(composites).isNotEmpty().allSatisfy((logicalId, composite) -> assertThat(
                        References.in(composite.get("AlarmActions")))
                .containsExactly("AlarmTopic"));
    }

    @Test
    void every_notifying_alarm_is_described_and_documented() {
        String section = Documents.section("docs/operations/alarms.md", "## Alarms");
        notifying().forEach((logicalId, alarm) -> {
            String description = String.valueOf(alarm.get("AlarmDescription"));
            assertThat(description).as(logicalId).endsWith("See docs/operations/alarms.md.");
            assertThat(section).as("docs/operations/alarms.md on " + logicalId).contains("### `" + logicalId + "`");
        });
        assertThat(section.lines().filter(line -> line.startsWith("### ")).count())
                .as("the document describes no other alarm")
                .isEqualTo(notifying().size());
    }

    @Test
    void at_most_twenty_alarms_notify_an_operator() {
        assertThat(notifying()).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void every_metric_of_an_alarm_exists() {
        alarms.forEach((logicalId, alarm) -> {
            for (Watched watched : watched(alarm)) {
                if (watched.namespace().equals(Metric.NAMESPACE)) {
                    Metric metric = OwnMetrics.checked(
                            watched.name(), watched.dimensions().keySet());
                    assertThat(References.in(watched.dimensions().get(Metric.STACK)))
                            .as(logicalId)
                            .containsExactly("AWS::StackName");
                    assertThat(metric.unit()).isNotNull();
                } else if (!watched.namespace().startsWith("AWS/")) {
                    assertThat(filtered()).as(logicalId).contains(watched);
                } else {
                    assertThat(References.in(watched.dimensions()))
                            .as(logicalId + " looks at something of this stack")
                            .isNotEmpty();
                }
            }
        });
    }

    @Test
    void the_access_log_counts_what_the_throttles_of_the_agents_routes_refuse() {
        Map<String, Object> throttles =
                map(text.properties("AWS::Serverless::HttpApi").get("HttpApi").get("RouteSettings"));
        assertThat(filtered())
                .extracting(metric -> String.valueOf(metric.dimensions().get("Route")))
                .hasSize(4)
                .isSubsetOf(throttles.keySet());
    }

    /** The metrics of filters of log lines: one for each route that a pattern names. */
    private Set<Watched> filtered() {
        Set<Watched> metrics = new HashSet<>();
        text.properties("AWS::Logs::MetricFilter").values().forEach(filter -> {
            Object made = list(filter.get("MetricTransformations")).get(0);
            assertThat(String.valueOf(filter.get("FilterPattern"))).startsWith("{ ($.status = \"429\") && (");
            assertThat(map(list(at(made, "Dimensions")).get(0))).containsEntry("Value", "$.route");
            Matcher routes = ROUTE.matcher(String.valueOf(filter.get("FilterPattern")));
            while (routes.find()) {
                metrics.add(new Watched(
                        String.valueOf(at(made, "MetricNamespace")),
                        String.valueOf(at(made, "MetricName")),
                        Map.of("Route", routes.group(1))));
            }
        });
        return metrics;
    }

    @Test
    void missing_data_raises_an_alarm_only_for_functions_that_run_by_the_clock() {
        alarms.forEach((logicalId, alarm) -> {
            boolean silenceIsTrouble = STOPPED_BY_SILENCE.contains(logicalId);
            assertThat(alarm.get("TreatMissingData"))
                    .as(logicalId)
                    .isEqualTo(silenceIsTrouble ? "breaching" : "notBreaching");
            assertThat("LessThanThreshold".equals(alarm.get("ComparisonOperator")))
                    .as(logicalId)
                    .isEqualTo(silenceIsTrouble);
        });
    }

    @Test
    void an_expression_uses_exactly_the_metrics_of_its_alarm() {
        alarms.forEach((logicalId, alarm) -> {
            Set<String> fetched = new TreeSet<>();
            List<String> returned = new ArrayList<>();
            Set<String> used = new TreeSet<>();
            for (Object metric : list(alarm.get("Metrics"))) {
                Map<String, Object> query = map(metric);
                if (query.containsKey("Expression")) {
                    Matcher matcher = IDENTIFIER.matcher(String.valueOf(query.get("Expression")));
                    while (matcher.find()) {
                        used.add(matcher.group());
                    }
                    returned.add(String.valueOf(query.get("Id")));
                } else {
                    fetched.add(String.valueOf(query.get("Id")));
                    assertThat(query.get("ReturnData")).as(logicalId).isEqualTo(false);
                }
            }
            assertThat(used).as(logicalId).isEqualTo(fetched);
            assertThat(returned).as(logicalId).hasSizeLessThanOrEqualTo(1);
        });
    }

    @Test
    void only_messages_that_an_operator_must_act_upon_keep_an_alarm_active() {
        Set<String> watched = new HashSet<>();
        alarms.values().stream()
                .flatMap(alarm -> watched(alarm).stream())
                .filter(metric -> metric.name().equals("ApproximateNumberOfMessagesVisible"))
                .forEach(metric -> watched.addAll(References.in(metric.dimensions())));
        assertThat(watched)
                .as(
                        "the events of PublisherDeadLetters must be published again, and work that was given up shows a worker that fails; a notification that was given up is reported once")
                .containsExactlyInAnyOrder(
                        "PublisherDeadLetters.QueueName",
                        "InvocationDeadLetters.QueueName",
                        "ProbeDeadLetters.QueueName");
    }

    @Test
    void alarms_of_the_registry_itself_exist_everywhere_and_the_others_where_deployments_are_gradual() {
        text.resources("AWS::CloudWatch::Alarm").forEach((logicalId, alarm) -> assertThat(alarm.get("Condition"))
                .as(logicalId)
                .isEqualTo(EVERYWHERE.contains(logicalId) ? null : "DeploysGradually"));
    }

    @Test
    void cloud_watch_may_publish_and_mail_is_sent_only_if_an_address_is_configured() {
        Map<String, Object> topic = text.properties("AWS::SNS::Topic").get("AlarmTopic");
        Object statement = list(at(
                        text.properties("AWS::SNS::TopicPolicy").get("AlarmTopicPolicy"),
                        "PolicyDocument",
                        "Statement"))
                .get(0);
        assertThat(at(statement, "Principal", "Service")).isEqualTo("cloudwatch.amazonaws.com");
        assertThat(at(statement, "Action")).isEqualTo("sns:Publish");
        assertThat(References.in(at(statement, "Condition"))).containsExactly("AWS::AccountId");
        assertThat(text.resources("AWS::SNS::Subscription").get("AlarmSubscription"))
                .containsEntry("Condition", "MailsAlarms");
    }

    private Map<String, Map<String, Object>> notifying() {
        Map<String, Map<String, Object>> waking = new LinkedHashMap<>(alarms);
        waking.putAll(composites);
        waking.values().removeIf(alarm -> !alarm.containsKey("AlarmActions"));
        return waking;
    }

    private static List<Watched> watched(Map<String, Object> alarm) {
        if (alarm.containsKey("MetricName")) {
            return List.of(watchedBy(alarm));
        }
        return list(alarm.get("Metrics")).stream()
                .filter(metric -> map(metric).containsKey("MetricStat"))
                .map(metric -> watchedBy(map(at(metric, "MetricStat", "Metric"))))
                .toList();
    }

    private static Watched watchedBy(Map<String, Object> metric) {
        Map<String, Object> dimensions = new LinkedHashMap<>();
        for (Object dimension : list(metric.get("Dimensions"))) {
            dimensions.put(String.valueOf(at(dimension, "Name")), at(dimension, "Value"));
        }
        return new Watched(
                String.valueOf(metric.get("Namespace")), String.valueOf(metric.get("MetricName")), dimensions);
    }
}
