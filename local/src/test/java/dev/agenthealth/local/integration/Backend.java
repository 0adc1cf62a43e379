package dev.agenthealth.local.integration;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.testkit.TestSqs;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The services that functions use, with the template's tables, bus, rules and queues in them. What the template's rules match goes to a
 * queue of each rule's own, in place of the template's targets. Closing it removes what it made.
 */
sealed interface Backend extends AutoCloseable permits EmbeddedBackend, EndpointBackend {

    /** The template's functions, with the names that tables, bus and queues have here. */
    List<FunctionDefinition> functions();

    /** The name that a table of the template has here. */
    String tableName(String logicalId);

    /** The queue that gets what a rule of the template matches. */
    String subscriberQueue(String ruleId);

    /**
     * Receives messages. Waits a limited time for this number of them.
     *
     * @return what came, which may be less or more
     */
    List<TestSqs.Message> receive(String queueUrl, int expected);

    /** Deletes a message that was received. */
    void delete(TestSqs.Message message);

    DynamoDbClient dynamoDb();

    DynamoDbStreamsClient streams();

    EventBridgeClient eventBridge();

    SqsClient sqs();

    /** Returns true where this backend differs from AWS so; the tests that would notice are skipped on it. */
    boolean deviates(Deviation deviation);

    @Override
    void close();
}
