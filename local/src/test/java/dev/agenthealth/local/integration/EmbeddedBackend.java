package dev.agenthealth.local.integration;

import dev.agenthealth.local.LocalServices;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import dev.agenthealth.template.Stack;
import dev.agenthealth.testkit.TestSqs;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The services that a local run embeds. */
final class EmbeddedBackend implements Backend {

    private static final Duration HIDDEN = Duration.ofSeconds(30);
    private static final Duration KEPT = Duration.ofDays(4);
    private static final int MAX_BYTES = 256 * 1024;

    private final Stack stack;
    private final LocalServices services;

    EmbeddedBackend(Stack stack, Clock clock) {
        this.stack = stack;
        List<RuleDefinition> rules = new ArrayList<>();
        List<QueueDefinition> queues = new ArrayList<>(stack.queues());
        for (RuleDefinition rule : stack.rules()) {
            QueueDefinition queue = subscriber(rule.logicalId());
            queues.add(queue);
            rules.add(new RuleDefinition(
                    rule.logicalId(),
                    rule.eventBus(),
                    rule.eventPattern(),
                    List.of(new RuleTarget("subscriber", queue.arn()))));
        }
        this.services = new LocalServices(stack, rules, queues, clock);
    }

    private static QueueDefinition subscriber(String ruleId) {
        String name = ruleId + "-subscriber";
        return new QueueDefinition(
                name,
                name,
                new QueueDefinition.Address(url(ruleId), "arn:aws:sqs:us-east-1:000000000000:" + name),
                HIDDEN,
                KEPT,
                MAX_BYTES,
                QueueDefinition.Redrive.NONE);
    }

    private static String url(String ruleId) {
        return "https://sqs.us-east-1.amazonaws.com/000000000000/" + ruleId + "-subscriber";
    }

    @Override
    public List<FunctionDefinition> functions() {
        return stack.functions();
    }

    @Override
    public String tableName(String logicalId) {
        return logicalId;
    }

    @Override
    public String subscriberQueue(String ruleId) {
        return url(ruleId);
    }

    /** Nothing is on its way here: what was sent is there. */
    @Override
    public List<TestSqs.Message> receive(String queueUrl, int expected) {
        return services.receive(queueUrl);
    }

    @Override
    public void delete(TestSqs.Message message) {
        services.delete(message);
    }

    @Override
    public DynamoDbClient dynamoDb() {
        return services.dynamoDb();
    }

    @Override
    public DynamoDbStreamsClient streams() {
        return services.streams();
    }

    @Override
    public EventBridgeClient eventBridge() {
        return services.eventBridge();
    }

    @Override
    public SqsClient sqs() {
        return services.sqs();
    }

    @Override
    public boolean deviates(Deviation deviation) {
        return false;
    }

    @Override
    public void close() {
        services.close();
    }
}
