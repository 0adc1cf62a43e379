package dev.agenthealth.emulator.dynamodb;

import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import java.nio.file.Path;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/** DynamoDB Local inside this JVM, with the template's tables. */
public final class EmulatedTables implements AutoCloseable {

    private static final String FILE = "tables.db";

    private static final String LOG4J_FACTORY = "log4j2.loggerContextFactory";

    /** Keeps DynamoDB Local from reporting its start to AWS. */
    private static final boolean NO_TELEMETRY = true;

    static {
        // The full set-up of Log4j takes as long as the start of all functions; the simple one still shows errors.
        if (System.getProperty(LOG4J_FACTORY) == null) {
            System.setProperty(LOG4J_FACTORY, "org.apache.logging.log4j.simple.SimpleLoggerContextFactory");
        }
    }

    private final AmazonDynamoDBLocal local;

    private EmulatedTables(AmazonDynamoDBLocal local, List<TableDefinition> tables) {
        this.local = local;
        Tables.create(local.dynamoDbClient(), tables);
    }

    /** Opens a database in memory, with the tables. */
    public static EmulatedTables inMemory(List<TableDefinition> tables) {
        return new EmulatedTables(DynamoDBEmbedded.create(NO_TELEMETRY), tables);
    }

    /** Opens the database in a folder that no other process uses, and creates the tables that it lacks. */
    public static EmulatedTables inFolder(Path folder, List<TableDefinition> tables) {
        return new EmulatedTables(DynamoDBEmbedded.create(folder.resolve(FILE).toFile(), NO_TELEMETRY), tables);
    }

    public DynamoDbClient client() {
        return local.dynamoDbClient();
    }

    public DynamoDbStreamsClient streams() {
        return local.dynamoDbStreamsClient();
    }

    @Override
    public void close() {
        local.shutdown();
    }
}
