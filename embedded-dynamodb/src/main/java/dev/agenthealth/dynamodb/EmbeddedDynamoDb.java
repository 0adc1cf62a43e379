package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.dynamodb.table.StreamFilter;
import dev.agenthealth.dynamodb.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * DynamoDB in this process, stored in one SQLite file. Thread-safe.
 *
 * <p>It supports the operations, parameters and expressions that the system uses, and throws {@link UnsupportedOperationException} for
 * others, with their names. A single process may write to a file; other processes may copy and check it meanwhile.
 */
public final class EmbeddedDynamoDb implements AutoCloseable {

    private final Engine engine;
    private final Tokens tokens;
    private final Runnable afterwards;
    private final Maintenance maintenance;

    private EmbeddedDynamoDb(DatabaseFile file, Clock clock, Set<String> unsyncedAttributes, Runnable afterwards) {
        this.engine = Engine.of(file, clock, unsyncedAttributes, 0);
        this.tokens = new Tokens(clock);
        this.maintenance = new Maintenance(engine);
        this.afterwards = afterwards;
    }

    /**
     * Opens an empty database in a temporary file and never syncs it. {@link #close} removes the file; if this process is killed, the next
     * process does.
     */
    public static EmbeddedDynamoDb inTemporaryFile(Clock clock) {
        try {
            TemporaryFolder folder = TemporaryFolder.create();
            DatabaseFile file = DatabaseFile.open(new Settings(folder.database(), false, Settings.Sync.NEVER));
            return new EmbeddedDynamoDb(file, clock, Set.of(), folder::close);
        } catch (IOException e) {
            throw new UncheckedIOException("a temporary file cannot be created", e);
        }
    }

    /**
     * Opens a database that outlives the process. A completed write survives a loss of power.
     *
     * @param mustExist true to fail if the file is missing, false to create it
     * @param unsyncedAttributes updates that change only these attributes, in a table without a stream, are synced within a second; a loss
     *     of power may undo them
     * @throws dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException if the file is missing, damaged, of another program or of a newer
     *     version
     */
    public static EmbeddedDynamoDb inFile(Path file, boolean mustExist, Set<String> unsyncedAttributes, Clock clock) {
        return inFile(new Settings(file, mustExist, Settings.Sync.MOST), unsyncedAttributes, clock);
    }

    /**
     * Opens a database that outlives the process.
     *
     * @param unsyncedAttributes updates that change only these attributes, in a table without a stream, are never refused for lack of
     *     space, and are the exception of {@link Settings.Sync#MOST}
     * @throws dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException if the file is missing, damaged, of another program or of a newer
     *     version
     */
    public static EmbeddedDynamoDb inFile(Settings settings, Set<String> unsyncedAttributes, Clock clock) {
        DatabaseFile file = DatabaseFile.open(settings);
        try {
            return new EmbeddedDynamoDb(file, clock, unsyncedAttributes, () -> {});
        } catch (RuntimeException e) {
            try {
                file.close();
            } catch (SQLException suppressed) {
                e.addSuppressed(suppressed);
            }
            String damaged =
                    "the database " + settings.file() + " is damaged (" + e.getMessage() + "); restore a backup";
            throw new DatabaseUnusableException(
                    DatabaseFile.diskFault(settings.file()).orElse(damaged), e);
        }
    }

    /** Returns the client; closing it does nothing. */
    public DynamoDbClient client() {
        return client(0);
    }

    /**
     * Returns a client that refuses writes with {@code InternalServerError} while the file's disk has less than {@code freeBytes} left. It
     * never refuses updates of unsynced attributes alone. Closing the client does nothing.
     */
    public DynamoDbClient client(long freeBytes) {
        return new Client(engine.withFreeBytes(freeBytes), tokens);
    }

    /** Returns the client of the streams; closing it does nothing. */
    public DynamoDbStreamsClient streams() {
        return new StreamReads(engine);
    }

    /**
     * Leaves later changes out of the streams that the filter does not store. Until then, the streams store every change. A filter must
     * store each change that a consumer takes, because other changes are lost to all consumers.
     */
    public void filterStreams(StreamFilter filter) {
        engine.streamFilter().set(filter);
    }

    public Checkpoints checkpoints() {
        return new Checkpoints(engine);
    }

    public Messages messages() {
        return new Messages(engine);
    }

    /**
     * Runs the reads of the calling thread on one snapshot, and returns the result of {@code reads}. The snapshot has every earlier commit,
     * and no commit after the first read, so that {@code reads} must not read what it writes. If a read fails, the others run alone.
     */
    public <T> T together(Supplier<T> reads) {
        engine.file().writer().commitBeforeRead();
        return engine.file().readers().together(reads);
    }

    /** Runs an action in the thread of a write before it waits for the disk, or for a write of others that takes long. */
    public void beforeWaiting(Runnable action) {
        engine.file().writer().beforeWaiting(action);
    }

    /**
     * Lets later updates of unsynced attributes by the calling thread return before their commit. The thread must call
     * {@link #commitDeferred} before it publishes a result.
     */
    public void defer() {
        engine.file().writer().defer();
    }

    /** Returns true if the calling thread has deferred an update since its last {@link #commitDeferred}. */
    public boolean hasDeferred() {
        return engine.file().writer().hasDeferred();
    }

    /** Returns true if another commit has included every deferred update of the calling thread. */
    public boolean isCommitted() {
        return engine.file().writer().isCommitted();
    }

    /** Commits the deferred updates of the calling thread. Returns false if one of them is lost. */
    public boolean commitDeferred() {
        return engine.file().writer().commitDeferred();
    }

    /**
     * Starts the background work: syncs unsynced writes, removes expired items and delivered stream records, and gives free space back.
     *
     * @param failures receives exceptions of this work, which is then retried
     */
    public void maintain(Consumer<Exception> failures) {
        maintenance.start(failures);
    }

    /** Removes expired items and returns their number. */
    public int expire() {
        return new Expiry(engine).removeItems();
    }

    /** Does all background work once, now. */
    public void maintainOnce() throws IOException, SQLException {
        maintenance.runAll();
    }

    /** Writes a compact copy of the database as of now, while others read and write. The file must not exist. */
    public void copyTo(Path copy) throws IOException {
        try {
            engine.file().copyTo(copy);
        } catch (SQLException e) {
            throw new IOException("the copy " + copy + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Reads the whole file and returns a sentence per problem; empty if the database is undamaged. */
    public List<String> check() {
        return inspect().problems();
    }

    /** Reads and checks the whole file as of now, while others read and write. */
    public CheckReport inspect() {
        return new Check(engine).report();
    }

    /** Returns true if the table exists. Unlike a request, this loads no classes of descriptions, so that a start is faster. */
    public boolean hasTable(String name) {
        return engine.catalogue().find(name).isPresent();
    }

    /** Returns the ARN of a table's stream; empty if the table does not exist or has no stream. */
    public Optional<String> streamArn(String tableName) {
        return engine.catalogue().find(tableName).filter(Table::hasStream).map(Table::streamArn);
    }

    /** Returns true if no table has an item. */
    public boolean isEmpty() {
        return engine.catalogue().all().stream()
                .allMatch(table -> engine.file().readers().read(session -> Rows.isEmpty(session, table)));
    }

    /** Waits for requests in progress; later requests fail. */
    @Override
    public void close() {
        maintenance.close();
        try {
            engine.file().close();
        } catch (SQLException e) {
            throw new IllegalStateException("the database cannot be closed", e);
        } finally {
            afterwards.run();
        }
    }
}
