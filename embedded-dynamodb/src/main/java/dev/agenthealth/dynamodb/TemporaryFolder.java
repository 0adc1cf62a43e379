package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;

/** A folder for a database that ends with the process. Creating a folder removes the folders of killed processes. */
final class TemporaryFolder implements AutoCloseable {

    private static final String PREFIX = "embedded-dynamodb-";

    /**
     * Marks the folders of this process. It must not open their locks again: closing a file releases every lock of the process on that
     * file.
     */
    private static final String OWN_PREFIX = PREFIX + UUID.randomUUID() + "-";

    private static final String DATABASE = "agent-health.db";
    private static final String LOCK = "lock";
    private static final String UNLOCKED = "unlocked";
    private static final List<String> FILES = List.of(DATABASE, DATABASE + "-wal", DATABASE + "-shm", UNLOCKED, LOCK);

    private final Path folder;
    private final FileChannel lock;

    private TemporaryFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    static TemporaryFolder create() throws IOException {
        Path folder = Files.createTempDirectory(OWN_PREFIX);
        removeAbandoned(folder.getParent());
        Path unlocked = folder.resolve(UNLOCKED);
        FileChannel lock = PrivateFiles.create(unlocked);
        lock.lock();
        // The lock gets its name only after it is locked, so that no other process removes the folder as abandoned.
        Files.move(unlocked, folder.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
        return new TemporaryFolder(folder, lock);
    }

    Path database() {
        return folder.resolve(DATABASE);
    }

    private static void removeAbandoned(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path other : folders) {
                if (!other.getFileName().toString().startsWith(OWN_PREFIX)
                        && Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)) {
                    removeIfAbandoned(other);
                }
            }
        }
    }

    private static void removeIfAbandoned(Path other) {
        try (FileChannel channel =
                FileChannel.open(other.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.tryLock() != null) {
                remove(other);
            }
        } catch (IOException e) {
            // The folder belongs to another user, or another process is removing it.
        }
    }

    private static void remove(Path folder) throws IOException {
        for (String file : FILES) {
            Files.deleteIfExists(folder.resolve(file));
        }
        Files.deleteIfExists(folder);
    }

    @Override
    public void close() {
        try (lock) {
            remove(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be removed", e);
        }
    }
}
