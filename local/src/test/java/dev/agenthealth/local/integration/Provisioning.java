package dev.agenthealth.local.integration;

import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.Target;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Makes the tables, buses, rules and queues of a stack where there is no CloudFormation to do it, all with the stack's name in front of
 * theirs, and removes them again.
 */
final class Provisioning implements AutoCloseable {

    private final String prefix;
    private final DynamoDbClient dynamoDb;
    private final EventBridgeClient eventBridge;
    private final SqsClient sqs;
    private final Deque<Runnable> removals = new ArrayDeque<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, String> queueArns = new HashMap<>();

    /** @param stackName the prefix of all names; unique */
    Provisioning(String stackName, DynamoDbClient dynamoDb, EventBridgeClient eventBridge, SqsClient sqs) {
        this.prefix = stackName + "-";
        this.dynamoDb = dynamoDb;
        this.eventBridge = eventBridge;
        this.sqs = sqs;
    }

    /** Makes everything. What was made until a failure is removed by {@link #close} all the same. */
    void create(Stack stack) {
        stack.tables().forEach(this::createTable);
        // Dead-letter queues first: the other queues refer to them.
        stack.queues().stream()
                .sorted(Comparator.comparing(queue -> !queue.deadLetterArn().isEmpty()))
                .forEach(this::createQueue);
        for (String bus : stack.eventBuses()) {
            eventBridge.createEventBus(request -> request.name(bus));
            removals.push(() -> eventBridge.deleteEventBus(request -> request.name(bus)));
        }
        stack.rules().forEach(this::createRule);
    }

    /** The names here, by the name of a table, or the URL of a queue, that the stack made up. */
    Map<String, String> names() {
        return Map.copyOf(names);
    }

    /** The queue that gets what a rule matches. */
    String subscriberQueue(String ruleId) {
        return names.get(ruleId);
    }

    private void createTable(TableDefinition table) {
        String name = prefix + table.name();
        Tables.create(
                dynamoDb,
                List.of(new TableDefinition(
                        table.logicalId(),
                        name,
                        table.keySchema(),
                        table.attributeDefinitions(),
                        table.indexes(),
                        table.streamViewType(),
                        table.ttlAttribute())));
        removals.push(() -> dynamoDb.deleteTable(request -> request.tableName(name)));
        dynamoDb.waiter().waitUntilTableExists(request -> request.tableName(name));
        names.put(table.name(), name);
    }

    private void createQueue(QueueDefinition queue) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        attributes.put(
                QueueAttributeName.VISIBILITY_TIMEOUT,
                String.valueOf(queue.visibilityTimeout().toSeconds()));
        attributes.put(
                QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                String.valueOf(queue.retention().toSeconds()));
        if (!queue.deadLetterArn().isEmpty()) {
            attributes.put(
                    QueueAttributeName.REDRIVE_POLICY,
                    "{\"deadLetterTargetArn\":\"" + queueArns.get(queue.deadLetterArn()) + "\",\"maxReceiveCount\":"
                            + queue.maximumReceives() + "}");
        }
        String url = createQueue(queue.name(), attributes);
        names.put(queue.url(), url);
        queueArns.put(queue.arn(), arn(url));
    }

    private void createRule(RuleDefinition rule) {
        String name = prefix + rule.logicalId();
        String queue = createQueue(rule.logicalId() + "-subscriber", Map.of());
        names.put(rule.logicalId(), queue);
        String ruleArn = eventBridge
                .putRule(request ->
                        request.name(name).eventBusName(rule.eventBus()).eventPattern(rule.eventPattern()))
                .ruleArn();
        removals.push(() -> eventBridge.deleteRule(request -> request.name(name).eventBusName(rule.eventBus())));
        sqs.setQueueAttributes(request -> request.queueUrl(queue)
                .attributes(Map.of(QueueAttributeName.POLICY, mayBeSentBy(ruleArn, arn(queue)))));
        eventBridge.putTargets(request -> request.rule(name)
                .eventBusName(rule.eventBus())
                .targets(Target.builder().id("subscriber").arn(arn(queue)).build()));
        removals.push(() -> eventBridge.removeTargets(
                request -> request.rule(name).eventBusName(rule.eventBus()).ids("subscriber")));
    }

    private String createQueue(String name, Map<QueueAttributeName, String> attributes) {
        String url = sqs.createQueue(request -> request.queueName(prefix + name).attributes(attributes))
                .queueUrl();
        removals.push(() -> sqs.deleteQueue(request -> request.queueUrl(url)));
        return url;
    }

    private String arn(String queueUrl) {
        return sqs.getQueueAttributes(
                        request -> request.queueUrl(queueUrl).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN);
    }

    private static String mayBeSentBy(String ruleArn, String queueArn) {
        return "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{\"Service\":"
                + "\"events.amazonaws.com\"},\"Action\":\"sqs:SendMessage\",\"Resource\":\"" + queueArn
                + "\",\"Condition\":{\"ArnEquals\":{\"aws:SourceArn\":\"" + ruleArn + "\"}}}]}";
    }

    /** Removes what was made, the newest first; tries everything and throws the first failure, with the others in it. */
    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        while (!removals.isEmpty()) {
            try {
                removals.pop().run();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            failures.subList(1, failures.size()).forEach(failures.get(0)::addSuppressed);
            throw failures.get(0);
        }
    }
}
