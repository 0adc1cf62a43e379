package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.files.PrivateFiles;
import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.identity.KeyHash;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The folder with the data that outlives a run, and the hash of its administrator's key. It is locked, so that one run uses it at a time.
 */
public final class DataFolder implements AutoCloseable {

    private static final long MEGABYTE = 1024 * 1024;

    /** The name of the database in the folder. */
    public static final String DATABASE = "agent-health.db";

    /** The name of the file with the key that encrypts secrets. */
    public static final String SECRETS_KEY = "secrets.key";

    /** The name of the file with the key that signs agent cards. */
    static final String CARD_KEY = "card.key";

    private final Path path;
    private final FolderLock lock;
    private boolean isKept;

    private DataFolder(Path path, FolderLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Locks the folder, and creates it for its owner only if it does not exist. Call this before the database is opened.
     *
     * @throws IOException if no registry may start on the folder, it cannot be created or written to, or another run uses it; the message
     *     says what to do
     */
    public static DataFolder take(Path path) throws IOException {
        // A folder with other files stays unchanged, without a lock.
        FolderState.of(path);
        DataFolder folder = new DataFolder(path, FolderLock.take(path));
        try {
            FolderState.of(path);
            FolderFiles.delete(path.resolve(Restore.STAGE));
            return folder;
        } catch (IOException e) {
            folder.close();
            throw e;
        }
    }

    /**
     * Opens the database of the folder; creates it in a new folder.
     *
     * @param sync the commits that wait for the disk
     * @param usableBytes returns the free bytes on a file's disk
     * @throws dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException if the database is damaged, of another program or of a newer
     *     version
     * @throws IOException if the key that decrypts its secrets is missing
     */
    public EmbeddedDynamoDb open(Settings.Sync sync, ToLongFunction<Path> usableBytes, Clock clock) throws IOException {
        Path file = path.resolve(DATABASE);
        // Other files are written after the database, so that a folder with such files is not new.
        boolean mustExist = FolderFiles.names(path).stream()
                .anyMatch(name -> FolderFiles.isOwn(name) && !name.startsWith(DATABASE));
        // The previous run may have ended after a failed sync.
        try {
            DatabaseFile.rewriteLog(file);
        } catch (IOException e) {
            throw new IOException("the disk fails to read or to write what " + file + " was changed by last: " + e, e);
        }
        Settings settings = new Settings(file, mustExist, sync, () -> usableBytes.applyAsLong(file));
        EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(settings, PulseItem.HEARTBEAT_ATTRIBUTES, clock);
        try {
            checkSecretsKey(path, database);
            return database;
        } catch (IOException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Checks that the key of the secrets exists. An empty database has no secrets: the first start may have ended before it wrote the key.
     */
    static void checkSecretsKey(Path folder, EmbeddedDynamoDb database) throws IOException {
        Path file = folder.resolve(SECRETS_KEY);
        if (!Files.exists(file) && !database.isEmpty()) {
            throw new IOException(
                    file + " is missing, without which stored secrets cannot be decrypted; " + SecretsKey.remedy(file));
        }
    }

    /**
     * Removes the permissions of other users from the files that a registry wrote into the folder. The folder itself keeps its mode, since an
     * operator may share it on purpose.
     *
     * @return warnings with remedies, about files of another user and about a folder that other users may use
     */
    public List<String> protect() throws IOException {
        List<String> warnings = new ArrayList<>();
        for (Path file : FolderFiles.own(path)) {
            try {
                PrivateFiles.protect(file);
            } catch (NoSuchFileException e) {
                // A concurrent backup has ended, and SQLite removed its file.
                continue;
            } catch (FileSystemException e) {
                warnings.add("Other users may read or write " + file
                        + ", which belongs to another user: sudo chown $(id -un) " + file);
            }
        }
        if (PrivateFiles.mayBeUsedByOthers(path)) {
            warnings.add(
                    "The mode of the data folder " + path + " lets other users into it. The registry's files are for"
                            + " their owner only. To close the folder too: chmod 700 " + path);
        }
        return warnings;
    }

    /**
     * Returns a warning if the disk has too little space for requests that write.
     *
     * @param neededBytes the free bytes below which such requests are refused
     */
    public Optional<String> shortage(long neededBytes) throws IOException {
        long free = Files.getFileStore(path).getUsableSpace();
        return free >= neededBytes
                ? Optional.empty()
                : Optional.of("The disk of the data folder " + path + " has " + free / MEGABYTE
                        + " MB free. Requests that write are refused below " + neededBytes / MEGABYTE + " MB.");
    }

    /**
     * Returns the hash of the administrator's key.
     *
     * @param given the key at the start of the run
     * @param prefersKept whether a stored key takes precedence
     * @throws IOException if the stored hash cannot be read
     */
    public KeyHash administratorKey(String given, boolean prefersKept) throws IOException {
        return prefersKept && Files.exists(keyFile()) ? kept() : KeyHash.ofKey(given);
    }

    /**
     * Stores the hash of the administrator's key for later runs. Call this after the system has started: nobody knows a generated key of a
     * failed start, and {@link #close} removes a new folder without a hash.
     *
     * @throws IOException if it cannot be written
     */
    public void keep(KeyHash administratorKey) throws IOException {
        String text = administratorKey.hex() + "\n";
        try {
            if (!Files.exists(keyFile()) || !Files.readString(keyFile()).equals(text)) {
                write(keyFile(), text);
            }
            isKept = true;
        } catch (IOException e) {
            throw new IOException("cannot write " + keyFile(), e);
        }
    }

    /**
     * Writes a file that only its owner can read. It is first written beside the target, so that neither a crash nor a loss of power leaves
     * a partial file.
     */
    public static void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        try (FileChannel channel = PrivateFiles.create(next)) {
            Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        FolderFiles.sync(file.getParent());
    }

    private KeyHash kept() throws IOException {
        try {
            return KeyHash.ofHex(Files.readString(keyFile()).strip());
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    keyFile() + " cannot be read as the hash of a key; AGENT_HEALTH_ADMIN_KEY replaces it", e);
        }
    }

    private Path keyFile() {
        return path.resolve(FolderFiles.ADMINISTRATOR_KEY);
    }

    /**
     * Releases the lock. If this run created the folder and never called {@link #keep}, its start has failed: then the folder is removed,
     * unless it has files of something else.
     */
    @Override
    public void close() throws IOException {
        if (isKept) {
            lock.close();
        } else {
            lock.closeAndRemove();
        }
    }
}
