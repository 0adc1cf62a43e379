package dev.agenthealth.testkit;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import dev.agenthealth.template.Template;
import java.time.Clock;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/**
 * The tables of {@code template.yaml} in their own embedded database. They are in their own DynamoDB Local if the system property {@value
 * #DATABASE} is {@value #DYNAMODB_LOCAL}. Closing them fails if a stored event breaks the {@link EventContract}.
 *
 * <p>Items do not expire. The tables have a stream only on request, because most tests do not read it.
 */
public final class TestTables implements AutoCloseable {

    /** The logical ids in the template, which are the physical names here. */
    public static final String PULSES = "PulsesTable";

    public static final String REGISTRY = "RegistryTable";

    private static final String DATABASE = "test.database";
    private static final String EMBEDDED = "embedded";
    private static final String DYNAMODB_LOCAL = "dynamodb-local";

    /** The definitions, read once: the template is long and almost every test creates tables. */
    private static final List<TableDefinition> WITH_STREAM = Template.find().stack(Resolution.local()).tables().stream()
            .map(table -> reduced(table, table.streamViewType()))
            .toList();

    static final List<TableDefinition> WITHOUT_STREAM =
            WITH_STREAM.stream().map(table -> reduced(table, "")).toList();

    private final DynamoDbClient client;
    private final DynamoDbStreamsClient streams;
    private final Runnable shutdown;

    private TestTables(List<TableDefinition> definitions) {
        String database = System.getProperty(DATABASE, EMBEDDED);
        switch (database) {
            case EMBEDDED -> {
                EmbeddedDynamoDb embedded = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
                client = embedded.client();
                streams = embedded.streams();
                shutdown = embedded::close;
            }
            case DYNAMODB_LOCAL -> {
                AmazonDynamoDBLocal local = DynamoDBEmbedded.create();
                client = local.dynamoDbClient();
                streams = local.dynamoDbStreamsClient();
                shutdown = local::shutdownNow;
            }
            default -> throw new IllegalArgumentException(DATABASE + " is " + database);
        }
        Tables.create(client, definitions);
    }

    /** Returns new, empty tables without a stream. */
    public static TestTables create() {
        return new TestTables(WITHOUT_STREAM);
    }

    /** Returns new, empty tables with the template's stream, for tests that read {@link #streams()}. */
    public static TestTables withStream() {
        return new TestTables(WITH_STREAM);
    }

    public DynamoDbClient dynamoDb() {
        return client;
    }

    public DynamoDbStreamsClient streams() {
        return streams;
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
            shutdown.run();
        }
    }
}
