package dev.agenthealth.emulator.dynamodb;

import dev.agenthealth.dynamodb.Checkpoints;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.Messages;
import dev.agenthealth.dynamodb.table.StreamFilter;
import dev.agenthealth.emulator.http.Commits;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The template's tables in an embedded database. Thread-safe. */
public final class EmulatedTables implements Commits, AutoCloseable {

    private final EmbeddedDynamoDb database;

    /** Creates the tables that the database lacks. */
    public EmulatedTables(EmbeddedDynamoDb database, List<TableDefinition> tables) {
        this.database = database;
        Tables.create(
                database.client(),
                tables.stream()
                        .filter(table -> !database.hasTable(table.name()))
                        .toList());
    }

    /** Returns new, empty tables in a temporary file. */
    public static EmulatedTables temporary(List<TableDefinition> tables) {
        return new EmulatedTables(EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC()), tables);
    }

    /** Returns a client that refuses writes for lack of space only if the disk is full. */
    public DynamoDbClient client() {
        return database.client();
    }

    /** Returns a client that refuses writes while the disk has less than {@code freeBytes} left. */
    public DynamoDbClient client(long freeBytes) {
        return database.client(freeBytes);
    }

    public DynamoDbStreamsClient streams() {
        return database.streams();
    }

    /** Returns the ARN of a table's stream; empty if the table does not exist or has no stream. */
    public Optional<String> streamArn(String tableName) {
        return database.streamArn(tableName);
    }

    /** Leaves later changes out of the streams that the filter does not store. */
    public void filterStreams(StreamFilter filter) {
        database.filterStreams(filter);
    }

    public Checkpoints checkpoints() {
        return database.checkpoints();
    }

    public Messages messages() {
        return database.messages();
    }

    /** Runs the reads of the calling thread on one snapshot. They read nothing that they write. */
    public <T> T together(Supplier<T> reads) {
        return database.together(reads);
    }

    /** Runs an action in the thread of a write before it waits for the disk, or for a write of others that takes long. */
    public void beforeWaiting(Runnable action) {
        database.beforeWaiting(action);
    }

    @Override
    public void defer() {
        database.defer();
    }

    @Override
    public boolean hasDeferred() {
        return database.hasDeferred();
    }

    @Override
    public boolean isCommitted() {
        return database.isCommitted();
    }

    @Override
    public boolean commitDeferred() {
        return database.commitDeferred();
    }

    /** Starts to remove expired items and to do the database's other background work. */
    public void maintain(Consumer<Exception> failures) {
        database.maintain(failures);
    }

    @Override
    public void close() {
        database.close();
    }
}
