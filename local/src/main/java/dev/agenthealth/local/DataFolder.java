package dev.agenthealth.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The folder with the data that outlives a run. Locked, so that one run uses it at a time. */
final class DataFolder implements AutoCloseable {

    private final FileChannel lock;

    private DataFolder(FileChannel lock) {
        this.lock = lock;
    }

    /**
     * Creates the folder when it does not exist, and locks it. Call this before the database is opened: DynamoDB Local waits without limit
     * for a file that it cannot open.
     *
     * @throws IOException when the folder cannot be created or written to, or when another run uses it
     */
    static DataFolder take(Path path) throws IOException {
        FileChannel lock;
        try {
            Files.createDirectories(path);
            lock = FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException("cannot write to the data folder " + path, e);
        }
        try {
            if (lock.tryLock() != null) {
                return new DataFolder(lock);
            }
        } catch (OverlappingFileLockException e) {
            lock.close();
            throw new IOException("the data folder " + path + " is in use by this process", e);
        }
        lock.close();
        throw new IOException("the data folder " + path + " is in use by another run");
    }

    /** Releases the lock. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
