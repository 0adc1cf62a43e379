package dev.agenthealth.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one {@code AWS::Serverless::Function}. */
final class FunctionReader {

    private static final Pattern HANDLER = Pattern.compile("([\\w.$]+)::(\\w+)");
    private static final Pattern STREAM_ARN = Pattern.compile("arn:[^:]*:dynamodb:[^:]*:[^:]*:table/([^/]+)/stream/.+");

    /** Default of SAM and Lambda. */
    private static final int DEFAULT_TIMEOUT_SECONDS = 3;

    private static final int DEFAULT_MEMORY_MEGABYTES = 128;
    private static final int DEFAULT_STREAM_BATCH_SIZE = 100;
    private static final int DEFAULT_QUEUE_BATCH_SIZE = 10;

    private final String logicalId;
    private final Section properties;
    private final List<Route> routes;
    private final List<ScheduleDefinition> schedules = new ArrayList<>();
    private final List<StreamMapping> streams = new ArrayList<>();
    private final List<QueueMapping> queues = new ArrayList<>();

    private FunctionReader(String logicalId, Section properties, List<Route> routes) {
        this.logicalId = logicalId;
        this.properties = properties;
        this.routes = routes;
    }

    /**
     * @param properties resolved, with the globals merged in
     * @param routes the routes of the API that lead to it
     * @param policies the statements of its role
     */
    static FunctionDefinition read(
            String logicalId, Section properties, List<Route> routes, List<PolicyStatement> policies) {
        return new FunctionReader(logicalId, properties, routes).read(policies);
    }

    private FunctionDefinition read(List<PolicyStatement> policies) {
        Matcher handler = HANDLER.matcher(properties.text("Handler"));
        if (!handler.matches()) {
            throw new TemplateException(properties.place() + ".Handler: must be package.Class::method");
        }
        Section events = properties.child("Events");
        events.values().keySet().forEach(name -> readEvent(name, events.child(name)));
        return new FunctionDefinition(
                logicalId,
                properties.optionalText("FunctionName").orElse(logicalId),
                new FunctionDefinition.Handler(
                        properties.optionalText("CodeUri").orElse(""), handler.group(1), handler.group(2)),
                properties.child("Environment").child("Variables").allTexts(),
                new FunctionDefinition.Instance(
                        Duration.ofSeconds(properties.number("Timeout", DEFAULT_TIMEOUT_SECONDS)),
                        properties.number("MemorySize", DEFAULT_MEMORY_MEGABYTES),
                        properties
                                .child("SnapStart")
                                .optionalText("ApplyOn")
                                .orElse("None")
                                .equals("PublishedVersions")),
                new FunctionDefinition.Triggers(routes, schedules, streams, queues),
                policies);
    }

    private void readEvent(String name, Section event) {
        Section settings = event.child("Properties");
        switch (event.text("Type")) {
            case "ScheduleV2" -> schedules.add(schedule(name, settings));
            case "DynamoDB" -> streams.add(stream(name, settings));
            case "SQS" -> queues.add(queue(name, settings));
            default ->
                throw new TemplateException(
                        event.place() + ".Type: " + event.text("Type") + " is not a supported event");
        }
    }

    private static ScheduleDefinition schedule(String name, Section settings) {
        try {
            return new ScheduleDefinition(
                    name,
                    settings.text("ScheduleExpression"),
                    settings.optionalText("Input").orElse(""));
        } catch (TemplateException e) {
            throw new TemplateException(settings.place() + ": " + e.getMessage(), e);
        }
    }

    private static StreamMapping stream(String name, Section settings) {
        Matcher arn = STREAM_ARN.matcher(settings.text("Stream"));
        if (!arn.matches()) {
            throw new TemplateException(settings.place() + ".Stream: must be the stream of a table");
        }
        // -1, the default, means no limit.
        int maximumAgeSeconds = settings.number("MaximumRecordAgeInSeconds", -1);
        return new StreamMapping(
                name,
                arn.group(1),
                settings.text("StartingPosition"),
                settings.child("FilterCriteria").children("Filters").stream()
                        .map(filter -> filter.text("Pattern"))
                        .toList(),
                settings.number("BatchSize", DEFAULT_STREAM_BATCH_SIZE),
                reportsBatchItemFailures(settings),
                new StreamMapping.Retries(
                        settings.number("MaximumRetryAttempts", -1),
                        Duration.ofSeconds(Math.max(0, maximumAgeSeconds)),
                        settings.flag("BisectBatchOnFunctionError"),
                        settings.child("DestinationConfig")
                                .child("OnFailure")
                                .optionalText("Destination")
                                .orElse("")));
    }

    private static QueueMapping queue(String name, Section settings) {
        if (!settings.child("FilterCriteria").values().isEmpty()) {
            throw new TemplateException(settings.place() + ".FilterCriteria: filters of queues are not supported");
        }
        return new QueueMapping(
                name,
                settings.text("Queue"),
                settings.number("BatchSize", DEFAULT_QUEUE_BATCH_SIZE),
                settings.child("ScalingConfig").number("MaximumConcurrency", 0),
                reportsBatchItemFailures(settings));
    }

    private static boolean reportsBatchItemFailures(Section settings) {
        return settings.texts("FunctionResponseTypes").contains("ReportBatchItemFailures");
    }
}
