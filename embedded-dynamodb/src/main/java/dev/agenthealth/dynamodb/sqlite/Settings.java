package dev.agenthealth.dynamodb.sqlite;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Location and durability of a database.
 *
 * @param file the database; SQLite keeps two more files beside it
 * @param mustExist true to fail if the file is missing or empty, false to create it
 * @param sync the commits that wait for the disk
 * @param usableBytes supplies the free bytes of the file's disk
 */
public record Settings(Path file, boolean mustExist, Sync sync, LongSupplier usableBytes) {

    /** Selects the commits that survive a loss of power. */
    public enum Sync {
        /** No commit: the data ends with the process. */
        NEVER,
        /** All commits, except the caller's exceptions, which are synced a second later. */
        MOST,
        ALWAYS
    }

    /** Measures the free bytes of the file's own disk. */
    public Settings(Path file, boolean mustExist, Sync sync) {
        this(file, mustExist, sync, () -> file.toFile().getUsableSpace());
    }
}
