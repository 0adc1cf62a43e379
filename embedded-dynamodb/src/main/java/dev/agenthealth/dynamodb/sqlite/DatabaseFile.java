package dev.agenthealth.dynamodb.sqlite;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * An open database file: its writer and its readers. Thread-safe.
 *
 * <p>The file stores the number of its format. A version of this project reads its own format and the previous format. Format 1 has no
 * tables of large items; an opened file gets them.
 */
public final class DatabaseFile implements AutoCloseable {

    /** The format that this version writes. */
    public static final int FORMAT = 2;

    /** "AHdb" in ASCII. Distinguishes the file from files of other programs. */
    private static final int APPLICATION_ID = 0x41486462;

    private static final int BUSY_MILLIS = 10_000;

    /** The maximum time for which a checkpoint waits for readers, while writes wait for the checkpoint. */
    private static final int CHECKPOINT_MILLIS = 20;

    /** The cache of the writer; a negative number is in KiB. The cache of the system holds the other pages of the file. */
    private static final int WRITER_CACHE = -8 * 1024;

    private static final int READER_CACHE = -512;

    /** The size of the write-ahead log above which its changes are copied to the database. */
    private static final long MAX_LOG_BYTES = 8L * 1024 * 1024;

    /** The size to which an emptied log is cut. The system writes over a file in half the time in which the file grows. */
    private static final long KEPT_LOG_BYTES = 4 * MAX_LOG_BYTES;

    /** The maximum size of a file that is checked when it is opened, which takes less than half a second. */
    private static final long MAX_CHECKED_BYTES = 256L * 1024 * 1024;

    /** The number of pages in the log at which a commit copies them to the database, if the background work is late. */
    private static final int LATE_CHECKPOINT_PAGES = 20_000;

    private static final long VERY_LARGE_LOG_BYTES = LATE_CHECKPOINT_PAGES * 4L * 1024;

    private static final int BLOCK = 64 * 1024;

    /** The number of free pages that the file keeps for new items. */
    private static final long MIN_FREE_PAGES = 256;

    /** The pages per step of the shrinking; writes wait for a step. */
    private static final int PAGES_PER_STEP = 500;

    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE tables (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, partition_key TEXT NOT NULL,"
                    + " partition_type TEXT NOT NULL, sort_key TEXT, sort_type TEXT, stream_view TEXT NOT NULL, ttl_attribute TEXT NOT NULL,"
                    + " created_at TEXT NOT NULL)",
            "CREATE TABLE indexes (id INTEGER PRIMARY KEY AUTOINCREMENT, table_id INTEGER NOT NULL, name TEXT NOT NULL, partition_key TEXT"
                    + " NOT NULL, partition_type TEXT NOT NULL, sort_key TEXT, sort_type TEXT, projects_all INTEGER NOT NULL)",
            "CREATE TABLE stream (sequence INTEGER PRIMARY KEY AUTOINCREMENT, table_id INTEGER NOT NULL, at INTEGER NOT NULL, event INTEGER"
                    + " NOT NULL, expired INTEGER NOT NULL, old BLOB, new BLOB)",
            "CREATE TABLE checkpoints (consumer TEXT PRIMARY KEY, sequence INTEGER NOT NULL) WITHOUT ROWID");

    /** Has row ids, because a table without row ids puts each row of more than 1,002 bytes into a page of its own. */
    private static final String MESSAGES =
            "CREATE TABLE messages (queue TEXT, sent_at INTEGER, id TEXT, message BLOB NOT NULL,"
                    + " PRIMARY KEY (queue, sent_at, id))";

    private final Settings settings;
    private final Writer writer;
    private final Readers readers;

    private DatabaseFile(Settings settings, Session session) {
        this.settings = settings;
        this.writer = new Writer(session, settings.sync(), logOf(settings.file()));
        this.readers = new Readers(
                this::reader, Readers.maxConnections(Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Opens or creates a database.
     *
     * @throws DatabaseUnusableException if it is missing, damaged, of another program or of a newer version, or if the disk fails to read
     *     it
     */
    public static DatabaseFile open(Settings settings) {
        Path file = settings.file();
        if (settings.mustExist() && !Files.exists(file)) {
            throw new DatabaseUnusableException("the database " + file + " is missing; restore a backup");
        }
        Session session = null;
        try {
            if (!settings.mustExist() && !Files.exists(file)) {
                // SQLite gives its other files the mode of this one.
                PrivateFiles.create(file).close();
            }
            session = new Session(connect(file, !settings.mustExist()));
            prepare(session, settings);
            if (settings.mustExist()) {
                quickCheck(session, file);
            }
            session.leaveTransactions();
            return new DatabaseFile(settings, session);
        } catch (IOException | SQLException | DatabaseUnusableException e) {
            close(session, e);
            throw unusable(file, e);
        }
    }

    private static DatabaseUnusableException unusable(Path file, Exception e) {
        return diskFault(file)
                .map(fault -> new DatabaseUnusableException(fault, e))
                .orElseGet(() -> e instanceof DatabaseUnusableException reason
                        ? reason
                        : new DatabaseUnusableException(
                                "the database " + file + " is damaged or cannot be opened (" + e.getMessage()
                                        + "); restore a backup",
                                e));
    }

    /**
     * Returns a sentence if the disk fails to read the database or its log, which SQLite reports as damage; empty if both are readable.
     * This process must have no connection to them, since closing a file releases the connection's locks.
     */
    public static Optional<String> diskFault(Path file) {
        for (Path each : List.of(file, log(file))) {
            try (InputStream in = Files.newInputStream(each)) {
                in.transferTo(OutputStream.nullOutputStream());
            } catch (FileSystemException e) {
                // The file cannot be opened, or does not exist.
                continue;
            } catch (IOException e) {
                return Optional.of("the disk fails to read " + each + " (" + e.getMessage()
                        + "); check the disk, and restore a backup where it has lost the file");
            }
        }
        return Optional.empty();
    }

    private static void quickCheck(Session session, Path file) throws SQLException {
        if (file.toFile().length() <= MAX_CHECKED_BYTES) {
            List<String> found = damages(session, "PRAGMA quick_check(1)");
            if (!found.isEmpty()) {
                throw new DatabaseUnusableException(
                        "the database " + file + " is damaged (" + found.get(0) + "); restore a backup");
            }
        }
    }

    private static void close(Session session, Exception reason) {
        try {
            if (session != null) {
                session.close();
            }
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    /** @param creates true to create a missing file, false to fail */
    private static Connection connect(Path file, boolean creates) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        if (!creates) {
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        config.setBusyTimeout(BUSY_MILLIS);
        // Otherwise the driver prepares and runs a query for generated keys after each insert.
        config.setGetGeneratedKeys(false);
        return JDBC.createConnection("jdbc:sqlite:" + file.toAbsolutePath(), config.toProperties());
    }

    private static void prepare(Session session, Settings settings) throws SQLException {
        Path file = settings.file();
        long application = session.number("PRAGMA application_id", 0);
        long format = session.number("PRAGMA user_version", 0);
        boolean isNew = session.number("SELECT count(*) FROM sqlite_schema", 0) == 0 && format == 0;
        if (isNew && settings.mustExist()) {
            throw new DatabaseUnusableException("the database " + file + " is empty; restore a backup");
        }
        if (!isNew && application != APPLICATION_ID) {
            throw new DatabaseUnusableException(
                    file + " is not a database of this program; move it away, and restore a backup");
        }
        if (format > FORMAT) {
            throw new DatabaseUnusableException("the database " + file + " has the format " + format
                    + " of a newer version; this version reads up to format " + FORMAT
                    + ". Run the newer version, or restore a backup of this one");
        }
        if (isNew) {
            session.execute("PRAGMA auto_vacuum = INCREMENTAL");
        }
        session.execute("PRAGMA journal_mode = WAL");
        session.execute("PRAGMA synchronous = " + (settings.sync() == Settings.Sync.NEVER ? "OFF" : "NORMAL"));
        if (settings.sync() != Settings.Sync.NEVER) {
            session.execute("PRAGMA wal_autocheckpoint = 0");
        }
        session.execute("PRAGMA cache_size = " + WRITER_CACHE);
        session.execute("PRAGMA temp_store = MEMORY");
        session.execute("PRAGMA journal_size_limit = " + KEPT_LOG_BYTES);
        if (isNew) {
            session.execute("BEGIN IMMEDIATE");
            for (String statement : SCHEMA) {
                session.execute(statement);
            }
            session.execute("PRAGMA application_id = " + APPLICATION_ID);
            session.execute("PRAGMA user_version = " + FORMAT);
            session.execute("COMMIT");
        } else if (format < FORMAT) {
            session.execute("BEGIN IMMEDIATE");
            LargeItems.createMissing(session);
            session.execute("PRAGMA user_version = " + FORMAT);
            session.execute("COMMIT");
        }
        // Earlier versions stored messages in files of their own, and ignore this table.
        if (session.number("SELECT count(*) FROM sqlite_schema WHERE name = 'messages'", 0) == 0) {
            session.execute(MESSAGES);
        }
    }

    private Session reader() throws SQLException {
        Session session = new Session(connect(settings.file(), false));
        try {
            session.execute("PRAGMA query_only = ON");
            session.execute("PRAGMA cache_size = " + READER_CACHE);
            session.execute("PRAGMA temp_store = MEMORY");
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    public Writer writer() {
        return writer;
    }

    public Readers readers() {
        return readers;
    }

    /** Returns the free bytes on the file's disk. */
    public long usableBytes() {
        return settings.usableBytes().getAsLong();
    }

    /** Syncs the commits that are not yet on the disk. */
    public void sync() throws IOException, SQLException {
        writer.secure();
        if (writer.takeUnsynced()) {
            try (FileChannel channel = FileChannel.open(log(settings.file()), StandardOpenOption.WRITE)) {
                channel.force(false);
            } catch (IOException e) {
                writer.syncFailed();
                throw e;
            }
        }
    }

    /**
     * Rewrites the write-ahead log byte by byte and syncs it. After a failed sync the system may assume wrongly that the data is on the
     * disk. Nothing else may write to the database meanwhile.
     */
    public static void rewriteLog(Path database) throws IOException {
        Path log = log(database);
        if (Files.exists(log)) {
            // Not by a channel, which an interrupt of the caller closes, so that the changes of others fail too.
            try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
                byte[] block = new byte[BLOCK];
                long at = 0;
                for (int length = file.read(block); length > 0; length = file.read(block)) {
                    file.seek(at);
                    file.write(block, 0, length);
                    at += length;
                }
                file.getFD().sync();
            }
        }
    }

    private static Writer.Log logOf(Path file) {
        File log = log(file).toFile();
        return new Writer.Log() {

            @Override
            public void rewrite() throws IOException {
                rewriteLog(file);
            }

            @Override
            public boolean isVeryLarge() {
                return log.length() > VERY_LARGE_LOG_BYTES;
            }
        };
    }

    /** Leaves the copying of changes to {@link #checkpoint}. A commit copies them only if the log is very large. */
    public void leaveCheckpoints() throws SQLException {
        if (settings.sync() == Settings.Sync.NEVER) {
            writer.exclusively(session -> session.execute("PRAGMA wal_autocheckpoint = " + LATE_CHECKPOINT_PAGES));
        }
    }

    /** Copies changes to the database if the log has grown, so that the log starts anew. */
    public void checkpoint() throws IOException, SQLException {
        if (log(settings.file()).toFile().length() >= MAX_LOG_BYTES) {
            emptyLog();
        }
    }

    private void emptyLog() throws SQLException {
        writer.secure();
        // Most of it runs beside the writer. The rest runs while the writer waits, so that the log gets no new changes.
        try {
            readers.read(session -> session.number("PRAGMA wal_checkpoint(PASSIVE)", 0));
        } catch (ReadFailedException e) {
            writer.syncFailed();
            throw e;
        }
        writer.exclusively(session -> {
            // A copy of the database reads for long: then the log grows until a later checkpoint.
            session.execute("PRAGMA busy_timeout = " + CHECKPOINT_MILLIS);
            try {
                session.number("PRAGMA wal_checkpoint(RESTART)", 0);
            } finally {
                session.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
            }
        });
    }

    /** Returns unused pages to the file system, in steps between which others write. */
    public void shrink() throws SQLException {
        boolean shrunk = false;
        while (readers.read(session -> session.number("PRAGMA freelist_count", 0)
                > Math.max(MIN_FREE_PAGES, session.number("PRAGMA page_count", 0) / 4))) {
            writer.write((session, effect) -> {
                session.execute("PRAGMA incremental_vacuum(" + PAGES_PER_STEP + ")");
                effect.wrote();
                return PAGES_PER_STEP;
            });
            shrunk = true;
        }
        if (shrunk) {
            emptyLog();
        }
    }

    /** Writes a compact copy of the database as of now, while others read and write. The file must not exist. */
    public void copyTo(Path copy) throws IOException, SQLException {
        try (Session session = new Session(connect(settings.file(), false))) {
            // SQLite writes into an empty file, whose mode stays.
            PrivateFiles.create(copy).close();
            session.update("VACUUM INTO ?", copy.toString());
        }
    }

    /** Returns the findings of SQLite's integrity check; empty if the file is undamaged. */
    public static List<String> damages(Session session) throws SQLException {
        return damages(session, "PRAGMA integrity_check");
    }

    private static List<String> damages(Session session, String check) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = session.statement(check).executeQuery()) {
            while (rows.next()) {
                if (!rows.getString(1).equals("ok")) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    private static Path log(Path file) {
        return file.resolveSibling(file.getFileName() + "-wal");
    }

    @Override
    public void close() throws SQLException {
        readers.close();
        writer.close();
    }
}
