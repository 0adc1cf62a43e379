package dev.agenthealth.template;

import java.time.Duration;

/** Reads one {@code AWS::SQS::Queue}. */
final class QueueReader {

    /** What SQS takes where the template says nothing. */
    private static final int DEFAULT_VISIBILITY_SECONDS = 30;

    private static final int DEFAULT_RETENTION_SECONDS = 345_600;
    private static final int DEFAULT_MAXIMUM_BYTES = 256 * 1024;

    private QueueReader() {}

    /**
     * @param properties resolved
     * @param url what {@code Ref} of the queue returns
     * @param arn what {@code Fn::GetAtt} of its {@code Arn} returns
     */
    static QueueDefinition read(String logicalId, Section properties, String url, String arn) {
        if (properties.flag("FifoQueue")) {
            throw new TemplateException(properties.place() + ".FifoQueue: only standard queues are known here");
        }
        Section redrive = properties.child("RedrivePolicy");
        boolean redrives = !redrive.values().isEmpty();
        int maximumReceives = redrive.number("maxReceiveCount", 0);
        if (redrives && maximumReceives < 1) {
            throw new TemplateException(redrive.place() + ".maxReceiveCount: must be at least 1");
        }
        return new QueueDefinition(
                logicalId,
                properties.optionalText("QueueName").orElse(logicalId),
                url,
                arn,
                Duration.ofSeconds(properties.number("VisibilityTimeout", DEFAULT_VISIBILITY_SECONDS)),
                Duration.ofSeconds(properties.number("MessageRetentionPeriod", DEFAULT_RETENTION_SECONDS)),
                properties.number("MaximumMessageSize", DEFAULT_MAXIMUM_BYTES),
                redrives ? redrive.text("deadLetterTargetArn") : "",
                maximumReceives);
    }
}
