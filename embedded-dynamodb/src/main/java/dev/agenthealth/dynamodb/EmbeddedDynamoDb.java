package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * DynamoDB in this process, in one file of SQLite. Thread-safe.
 *
 * <p>It supports the operations, parameters and expressions that the system uses, and throws {@link UnsupportedOperationException} for others,
 * with their names. One process at a time may write to a file; others may copy and check it meanwhile.
 */
public final class EmbeddedDynamoDb implements AutoCloseable {

    private final Engine engine;
    private final Tokens tokens;
    private final Runnable afterwards;
    private final Maintenance maintenance;

    private EmbeddedDynamoDb(DatabaseFile file, Clock clock, Set<String> unsyncedAttributes, Runnable afterwards) {
        this.engine = new Engine(file, new Catalogue(file), clock, Set.copyOf(unsyncedAttributes), 0);
        this.tokens = new Tokens(clock);
        this.maintenance = new Maintenance(engine);
        this.afterwards = afterwards;
    }

    /**
     * Opens an empty database in a temporary file, which {@link #close} removes, or the next process where this one is killed. It does not wait for
     * the disk.
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
     * Opens a database that outlives the process. A write survives a loss of power when it returns.
     *
     * @param mustExist whether a missing file is an error, or a new database
     * @param unsyncedAttributes updates that change only these attributes, of a table without a stream, survive the end of the process, and a
     *     loss of power a second later
     * @throws dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException where the file is missing, damaged, of another program or of a newer
     *     version
     */
    public static EmbeddedDynamoDb inFile(Path file, boolean mustExist, Set<String> unsyncedAttributes, Clock clock) {
        return inFile(new Settings(file, mustExist, Settings.Sync.MOST), unsyncedAttributes, clock);
    }

    /**
     * Opens a database that outlives the process.
     *
     * @param unsyncedAttributes updates that change only these attributes, of a table without a stream, are never refused for lack of space, and
     *     are what {@link Settings.Sync#MOST} excepts
     * @throws dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException where the file is missing, damaged, of another program or of a newer
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

    /** The client; closing it does nothing. */
    public DynamoDbClient client() {
        return client(0);
    }

    /**
     * A client whose writes are refused with {@code InternalServerError} while the disk of the file has less than {@code freeBytes} left, except
     * updates of unsynced attributes alone. Closing it does nothing.
     */
    public DynamoDbClient client(long freeBytes) {
        return new Client(engine.withFreeBytes(freeBytes), tokens);
    }

    /** The client of the streams; closing it does nothing. */
    public DynamoDbStreamsClient streams() {
        return new StreamReads(engine);
    }

    public Checkpoints checkpoints() {
        return new Checkpoints(engine);
    }

    /**
     * Works in the background from now on: lets the disk have unsynced writes, removes expired items and delivered stream records, gives free
     * space back.
     *
     * @param failures receives what fails there; the work is tried again
     */
    public void maintain(Consumer<Exception> failures) {
        maintenance.start(failures);
    }

    /** Removes the items that have expired; returns their number. */
    public int expire() {
        return new Expiry(engine).removeItems();
    }

    /** Does all work of the background once, now. */
    public void maintainOnce() throws IOException, SQLException {
        maintenance.runAll();
    }

    /** Writes a compact copy as of now, while others read and write. The file must not exist. */
    public void copyTo(Path copy) throws IOException {
        try {
            engine.file().copyTo(copy);
        } catch (SQLException e) {
            throw new IOException("the copy " + copy + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Returns a sentence for each damage; empty where the database is whole. Reads the whole file. */
    public List<String> check() {
        return inspect().problems();
    }

    /** Reads the whole file, as of now, while others read and write. */
    public CheckReport inspect() {
        return new Check(engine).report();
    }

    /** True when no table has an item. */
    public boolean isEmpty() {
        return engine.catalogue().all().stream()
                .allMatch(table -> engine.file().readers().read(session -> Rows.isEmpty(session, table)));
    }

    /** Waits for requests in progress; later ones fail. */
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
