package dev.agenthealth.local.integration;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Stack;
import dev.agenthealth.testkit.TestSqs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Services at an endpoint, with a stack's resources that it makes there and removes again. */
final class EndpointBackend implements Backend {

    private static final int MAX_AT_ONCE = 10;
    private static final int WAIT_SECONDS = 1;
    private static final int WAITS = 15;

    private final DynamoDbClient dynamoDb;
    private final DynamoDbStreamsClient streams;
    private final EventBridgeClient eventBridge;
    private final SqsClient sqs;
    private final Provisioning provisioning;
    private final List<FunctionDefinition> functions;
    private final Set<Deviation> deviations;

    /** @param stackName in front of the names of everything that is made; the stack's own */
    EndpointBackend(Clients clients, String stackName, Stack stack) {
        this.dynamoDb = clients.client(DynamoDbClient.builder());
        this.streams = clients.client(DynamoDbStreamsClient.builder());
        this.eventBridge = clients.client(EventBridgeClient.builder());
        this.sqs = clients.client(SqsClient.builder());
        this.provisioning = new Provisioning(stackName, dynamoDb, eventBridge, sqs);
        this.deviations = Deviation.of(clients.endpoint());
        try {
            provisioning.create(stack);
        } catch (RuntimeException e) {
            try {
                close();
            } catch (RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
        this.functions = stack.functions().stream()
                .map(function -> Renaming.of(function, provisioning.names()))
                .toList();
    }

    @Override
    public List<FunctionDefinition> functions() {
        return functions;
    }

    @Override
    public String tableName(String logicalId) {
        return provisioning.names().get(logicalId);
    }

    @Override
    public String subscriberQueue(String ruleId) {
        return provisioning.subscriberQueue(ruleId);
    }

    @Override
    public List<TestSqs.Message> receive(String queueUrl, int expected) {
        List<TestSqs.Message> received = new ArrayList<>();
        for (int waits = 0; waits < WAITS && received.size() < expected; waits++) {
            List<Message> came = sqs.receiveMessage(request -> request.queueUrl(queueUrl)
                            .maxNumberOfMessages(MAX_AT_ONCE)
                            .waitTimeSeconds(WAIT_SECONDS))
                    .messages();
            came.forEach(message -> received.add(
                    new TestSqs.Message(queueUrl, message.messageId(), message.body(), message.receiptHandle())));
        }
        return received;
    }

    @Override
    public void delete(TestSqs.Message message) {
        sqs.deleteMessage(request -> request.queueUrl(message.queueUrl()).receiptHandle(message.receiptHandle()));
    }

    @Override
    public DynamoDbClient dynamoDb() {
        return dynamoDb;
    }

    @Override
    public DynamoDbStreamsClient streams() {
        return streams;
    }

    @Override
    public EventBridgeClient eventBridge() {
        return eventBridge;
    }

    @Override
    public SqsClient sqs() {
        return sqs;
    }

    @Override
    public boolean deviates(Deviation deviation) {
        return deviations.contains(deviation);
    }

    @Override
    public void close() {
        try (dynamoDb;
                streams;
                eventBridge;
                sqs) {
            provisioning.close();
        }
    }
}
