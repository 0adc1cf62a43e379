package dev.agenthealth.functions.testing;

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
 * <p>They are without time to live: DynamoDB Local would remove items by the machine's clock, while the tests have their own.
 */
public final class TestTables implements AutoCloseable {

    /** The logical ids in the template, which serve as physical names here. */
    public static final String PULSES = "PulsesTable";

    public static final String REGISTRY = "RegistryTable";

    /** Read once: the template is long, and almost every test makes tables. */
    private static final List<TableDefinition> DEFINITIONS = Template.find().stack(Resolution.local()).tables().stream()
            .map(TestTables::withoutTimeToLive)
            .toList();

    private final AmazonDynamoDBLocal local;

    private TestTables(AmazonDynamoDBLocal local) {
        this.local = local;
    }

    /** New, empty tables. */
    public static TestTables create() {
        AmazonDynamoDBLocal local = DynamoDBEmbedded.create(true);
        Tables.create(local.dynamoDbClient(), DEFINITIONS);
        return new TestTables(local);
    }

    public DynamoDbClient dynamoDb() {
        return local.dynamoDbClient();
    }

    public DynamoDbStreamsClient streams() {
        return local.dynamoDbStreamsClient();
    }

    private static TableDefinition withoutTimeToLive(TableDefinition table) {
        return new TableDefinition(
                table.logicalId(),
                table.name(),
                table.keySchema(),
                table.attributeDefinitions(),
                table.indexes(),
                table.streamViewType(),
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
