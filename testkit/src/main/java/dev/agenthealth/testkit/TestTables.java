package dev.agenthealth.testkit;

import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import dev.agenthealth.template.Template;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/**
 * The tables of {@code template.yaml} in a DynamoDB Local of their own, in this JVM and in memory. An event in them that breaks the
 * {@link EventContract} fails the test when they close.
 *
 * <p>They are without time to live: DynamoDB Local would remove items by the machine's clock, while the tests have their own. And they are
 * without a stream unless it is asked for: DynamoDB Local spends a fifth of its time on it.
 */
public final class TestTables implements AutoCloseable {

    /** The logical ids in the template, which serve as physical names here. */
    public static final String PULSES = "PulsesTable";

    public static final String REGISTRY = "RegistryTable";

    /** Read once: the template is long, and almost every test makes tables. */
    private static final List<TableDefinition> WITH_STREAM = Template.find().stack(Resolution.local()).tables().stream()
            .map(table -> reduced(table, table.streamViewType()))
            .toList();

    private static final List<TableDefinition> WITHOUT_STREAM =
            WITH_STREAM.stream().map(table -> reduced(table, "")).toList();

    private final AmazonDynamoDBLocal local;

    private TestTables(AmazonDynamoDBLocal local) {
        this.local = local;
    }

    /** New, empty tables, whose changes no stream tells. */
    public static TestTables create() {
        return create(WITHOUT_STREAM);
    }

    /** New, empty tables with the stream of the template, for who reads {@link #streams()}. */
    public static TestTables withStream() {
        return create(WITH_STREAM);
    }

    private static TestTables create(List<TableDefinition> definitions) {
        AmazonDynamoDBLocal local = DynamoDBEmbedded.create(true);
        Tables.create(local.dynamoDbClient(), definitions);
        return new TestTables(local);
    }

    public DynamoDbClient dynamoDb() {
        return local.dynamoDbClient();
    }

    public DynamoDbStreamsClient streams() {
        return local.dynamoDbStreamsClient();
    }

    private static TableDefinition reduced(TableDefinition table, String streamViewType) {
        return new TableDefinition(
                table.logicalId(),
                table.name(),
                table.keySchema(),
                table.attributeDefinitions(),
                table.indexes(),
                streamViewType,
                "");
    }

    @Override
    public void close() {
        try {
            EventContract.checkStored(dynamoDb(), REGISTRY);
        } finally {
            local.shutdownNow();
        }
    }
}
