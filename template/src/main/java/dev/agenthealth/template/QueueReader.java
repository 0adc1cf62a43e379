package dev.agenthealth.template;

import java.time.Duration;

/** Reads one {@code AWS::SQS::Queue}. */
final class QueueReader {

    private static final int DEFAULT_VISIBILITY_SECONDS = 30;

    private static final int DEFAULT_RETENTION_SECONDS = 345_600;
    private static final int DEFAULT_MAXIMUM_BYTES = 256 * 1024;

    private QueueReader() {}

    /**
     * @param properties resolved
     * @param url the value of {@code Ref} of the queue
     * @param arn the value of {@code Fn::GetAtt} of its {@code Arn}
     */
    static QueueDefinition read(String logicalId, Section properties, String url, String arn) {
        if (properties.flag("FifoQueue")) {
            throw new TemplateException(properties.place() + ".FifoQueue: only standard queues are supported");
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
                new QueueDefinition.Address(url, arn),
                Duration.ofSeconds(properties.number("VisibilityTimeout", DEFAULT_VISIBILITY_SECONDS)),
                Duration.ofSeconds(properties.number("MessageRetentionPeriod", DEFAULT_RETENTION_SECONDS)),
                properties.number("MaximumMessageSize", DEFAULT_MAXIMUM_BYTES),
                new QueueDefinition.Redrive(redrives ? redrive.text("deadLetterTargetArn") : "", maximumReceives));
    }
}
