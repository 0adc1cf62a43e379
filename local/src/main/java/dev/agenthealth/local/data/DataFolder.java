package dev.agenthealth.local.data;

import dev.agenthealth.model.identity.KeyHash;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** The folder with the data that outlives a run, and the hash of its administrator's key. Locked, so that one run uses it at a time. */
public final class DataFolder implements AutoCloseable {

    static final String LOCK_FILE = "lock";

    private static final String KEY_FILE = "administrator-key.sha256";

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates the folder, for its owner only, when it does not exist, and locks it. Call this before the database is opened: DynamoDB Local waits
     * without limit for a file that it cannot open.
     *
     * @throws IOException when the folder cannot be created or written to, another run uses it, a newer version wrote it, or a restore of it
     *     was interrupted
     */
    public static DataFolder take(Path path) throws IOException {
        DataFolder folder = lock(path);
        try {
            Restore.checkComplete(path);
            DataFormat.check(path);
            return folder;
        } catch (IOException e) {
            folder.close();
            throw e;
        }
    }

    /** Locks the folder, whatever is in it. */
    static DataFolder lock(Path path) throws IOException {
        FileChannel lock;
        try {
            Files.createDirectories(path, ownerOnly(path));
            lock = FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException("cannot write to the data folder " + path, e);
        }
        try {
            if (lock.tryLock() != null) {
                return new DataFolder(path, lock);
            }
        } catch (OverlappingFileLockException e) {
            lock.close();
            throw new IOException("the data folder " + path + " is in use by this process", e);
        }
        lock.close();
        throw new IOException("the data folder " + path + " is in use by another run");
    }

    /** Agents' texts are in the folder. A folder that exists keeps its permissions. */
    private static FileAttribute<?>[] ownerOnly(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * The hash of the administrator's key.
     *
     * @param given the key that the run was started with
     * @param prefersKept whether a key that is kept is used instead
     *
     * @throws IOException when what is kept cannot be read
     */
    public KeyHash administratorKey(String given, boolean prefersKept) throws IOException {
        return prefersKept && Files.exists(keyFile()) ? kept() : KeyHash.ofKey(given);
    }

    /**
     * Keeps the hash of the administrator's key for later runs, and the format of the folder. Call this when the system has started: a key that was generated for a start
     * that failed is unknown to everyone.
     *
     * @throws IOException when it cannot be written
     */
    public void keep(KeyHash administratorKey) throws IOException {
        String text = administratorKey.hex() + "\n";
        try {
            DataFormat.write(path);
            if (!Files.exists(keyFile()) || !Files.readString(keyFile()).equals(text)) {
                Path next = path.resolve(KEY_FILE + ".next");
                Files.writeString(next, text);
                Files.move(next, keyFile(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new IOException("cannot write " + keyFile(), e);
        }
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
        return path.resolve(KEY_FILE);
    }

    /** Releases the lock. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
