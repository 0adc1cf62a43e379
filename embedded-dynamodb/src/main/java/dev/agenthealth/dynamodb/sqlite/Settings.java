package dev.agenthealth.dynamodb.sqlite;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Where the database is and how it is written.
 *
 * @param file the database; SQLite keeps two more files beside it
 * @param mustExist whether a missing or empty file is an error, or a new database
 * @param sync which commits wait until the disk has them
 * @param usableBytes what the disk has left for the file
 */
public record Settings(Path file, boolean mustExist, Sync sync, LongSupplier usableBytes) {

    /** Which commits survive a loss of power. */
    public enum Sync {
        /** None: the data ends with the process. */
        NEVER,
        /** Each but those that the caller excepts, which the disk has a second later. */
        MOST,
        ALWAYS
    }

    /** The disk is the one of the file. */
    public Settings(Path file, boolean mustExist, Sync sync) {
        this(file, mustExist, sync, () -> file.toFile().getUsableSpace());
    }
}
