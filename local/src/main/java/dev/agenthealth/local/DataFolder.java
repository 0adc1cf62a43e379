package dev.agenthealth.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A folder that keeps what must outlive a run, used by one run at a time. */
final class DataFolder implements AutoCloseable {

    private final FileChannel lock;

    private DataFolder(FileChannel lock) {
        this.lock = lock;
    }

    /**
     * Makes the folder where it is not there, and takes it. This must come before the database is opened in it: DynamoDB Local
     * waits without end for a file that it cannot open.
     *
     * @throws IOException when the folder cannot be made or written to, or when another run has it
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
            throw new IOException("the data folder " + path + " is in use by this very process", e);
        }
        lock.close();
        throw new IOException("the data folder " + path + " is in use by another run");
    }

    /** Gives the folder free. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
