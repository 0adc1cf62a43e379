package dev.agenthealth.local;

import dev.agenthealth.emulator.RuleTargets;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.emulator.eventbridge.EmulatedEventBridge;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.EmulatedSqs;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.local.testing.QueueReader;
import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.Stack;
import dev.agenthealth.testkit.TestSqs;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The services that a local run is made of, without its functions: database, event buses and queues. */
public final class LocalServices implements AutoCloseable {

    private final EmulatedTables database;
    private final EventBuses buses;
    private final Clock clock;
    private final EmulatedQueues queues;

    /**
     * @param rules instead of those of the stack
     * @param queues instead of those of the stack
     */
    public LocalServices(Stack stack, List<RuleDefinition> rules, List<QueueDefinition> queues, Clock clock) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        EmulatorLog log = EmulatorLog.none();
        this.queues = EmulatedQueues.inMemory(queues, clock);
        RuleTargets targets = new RuleTargets(List.of(), rules, this.queues, Runnable::run, nowhere, log);
        this.buses = new EventBuses(stack.eventBuses(), rules, targets);
        this.clock = clock;
        this.database = EmulatedTables.temporary(stack.tables());
    }

    public DynamoDbClient dynamoDb() {
        return database.client();
    }

    public DynamoDbStreamsClient streams() {
        return database.streams();
    }

    public EventBridgeClient eventBridge() {
        return new EmulatedEventBridge(buses, clock);
    }

    public SqsClient sqs() {
        return new EmulatedSqs(queues);
    }

    /** Receives the messages of a queue that are there. */
    public List<TestSqs.Message> receive(String queueUrl) {
        return QueueReader.receive(queues, queueUrl);
    }

    /** Deletes a message that was received. */
    public void delete(TestSqs.Message message) {
        QueueReader.delete(queues, message);
    }

    @Override
    public void close() {
        database.close();
    }
}
