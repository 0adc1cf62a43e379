package dev.agenthealth.dynamodb.sqlite;

import java.sql.SQLException;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;

/** Thrown if SQLite could not write. Nothing was changed. */
public final class WriteFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Error codes of a full disk. Besides FULL, SQLite reports an exceeded quota, and no space for the shared-memory file. */
    private static final Set<SQLiteErrorCode> FULL = Set.of(
            SQLiteErrorCode.SQLITE_FULL, SQLiteErrorCode.SQLITE_IOERR_WRITE, SQLiteErrorCode.SQLITE_IOERR_SHMSIZE);

    private final boolean diskFull;

    WriteFailedException(SQLException cause) {
        super(cause.getMessage(), cause);
        diskFull = FULL.contains(Session.code(cause));
    }

    /** Returns true if the disk is full or not writable. */
    public boolean isDiskFull() {
        return diskFull;
    }
}
