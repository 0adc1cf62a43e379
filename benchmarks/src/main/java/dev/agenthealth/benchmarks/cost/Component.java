package dev.agenthealth.benchmarks.cost;

/** What a bill lists. */
public enum Component {
    API_GATEWAY("API Gateway"),
    DATA_TRANSFER("Data transfer out"),
    LAMBDA("Lambda"),
    DYNAMODB("DynamoDB"),
    EVENTBRIDGE("EventBridge"),
    SCHEDULER("Scheduler"),
    SQS("SQS"),
    LOGS("CloudWatch logs"),
    METRICS("CloudWatch metrics, alarms, dashboard"),
    TRACES("X-Ray");

    private final String words;

    Component(String words) {
        this.words = words;
    }

    /** As a reader sees it. */
    public String words() {
        return words;
    }
}
