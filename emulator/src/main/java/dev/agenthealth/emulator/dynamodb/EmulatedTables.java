package dev.agenthealth.emulator.dynamodb;

import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Function;
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
    private final DynamoDbClient client;
    private final Runnable afterwards;

    private EmulatedTables(AmazonDynamoDBLocal local, DynamoDbClient client, Runnable afterwards) {
        this.local = local;
        this.client = client;
        this.afterwards = afterwards;
    }

    /** Opens a database in memory, with the tables. */
    public static EmulatedTables inMemory(List<TableDefinition> tables) {
        AmazonDynamoDBLocal local = DynamoDBEmbedded.create(NO_TELEMETRY);
        Tables.create(local.dynamoDbClient(), tables);
        return new EmulatedTables(local, local.dynamoDbClient(), () -> {});
    }

    /**
     * Opens the database in a folder that no other process uses, and creates the tables that it lacks. It refuses writes when the disk is
     * nearly full or fails.
     *
     * @param refusal makes what a refused write throws, of the reason
     * @throws IllegalStateException when the database cannot be used
     */
    public static EmulatedTables inFolder(
            Path folder, List<TableDefinition> tables, Function<String, RuntimeException> refusal) {
        Path file = folder.resolve(FILE);
        DiskErrors errors = DiskErrors.watched();
        try {
            // DynamoDB Local waits without limit for a file that it cannot open.
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
            AmazonDynamoDBLocal local = DynamoDBEmbedded.create(file.toFile(), NO_TELEMETRY);
            DynamoDbClient database = local.dynamoDbClient();
            Tables.create(database, tables);
            String table = tables.get(0).name();
            DiskGuard.Disk disk = new DiskGuard.Disk(
                    file.toFile()::getUsableSpace,
                    errors::happened,
                    // DynamoDB Local works in the order of the calls.
                    () -> database.scan(request -> request.tableName(table).limit(1)));
            return new EmulatedTables(local, DiskGuard.guarded(database, disk, refusal), errors::close);
        } catch (IOException | RuntimeException e) {
            errors.close();
            throw new IllegalStateException("the database " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    public DynamoDbClient client() {
        return client;
    }

    public DynamoDbStreamsClient streams() {
        return local.dynamoDbStreamsClient();
    }

    @Override
    public void close() {
        local.shutdown();
        afterwards.run();
    }
}
