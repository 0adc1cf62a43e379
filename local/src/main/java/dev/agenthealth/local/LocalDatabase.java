package dev.agenthealth.local;

import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/** DynamoDB Local inside this JVM, with the template's tables. */
final class LocalDatabase implements AutoCloseable {

    private static final String FILE = "tables.db";

    /** DynamoDB Local reports its start to its maker unless told otherwise. */
    private static final boolean NO_TELEMETRY = true;

    private final AmazonDynamoDBLocal local;

    private LocalDatabase(AmazonDynamoDBLocal local, List<TableDefinition> tables) {
        this.local = local;
        Tables.create(local.dynamoDbClient(), tables);
    }

    /** Opens a database in memory, with the tables. */
    static LocalDatabase inMemory(List<TableDefinition> tables) {
        return new LocalDatabase(DynamoDBEmbedded.create(NO_TELEMETRY), tables);
    }

    /**
     * Opens the database in a folder, which is made when it is not there, and creates the tables that it lacks.
     *
     * @throws UncheckedIOException when the folder cannot be written to
     */
    static LocalDatabase inFolder(Path folder, List<TableDefinition> tables) {
        Path file = writable(folder).resolve(FILE);
        return new LocalDatabase(DynamoDBEmbedded.create(file.toFile(), NO_TELEMETRY), tables);
    }

    DynamoDbClient client() {
        return local.dynamoDbClient();
    }

    DynamoDbStreamsClient streams() {
        return local.dynamoDbStreamsClient();
    }

    @Override
    public void close() {
        local.shutdown();
    }

    /** DynamoDB Local waits without end for a file that cannot be opened, so this must be known before. */
    private static Path writable(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the data folder " + folder, e);
        }
        Path file = folder.resolve(FILE);
        boolean usable =
                Files.exists(file) ? Files.isRegularFile(file) && Files.isWritable(file) : Files.isWritable(folder);
        if (!usable) {
            throw new UncheckedIOException(new IOException("cannot write to the data folder " + folder));
        }
        return folder;
    }
}
