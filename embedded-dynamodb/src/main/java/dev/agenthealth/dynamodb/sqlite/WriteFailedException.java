package dev.agenthealth.dynamodb.sqlite;

import java.sql.SQLException;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;

/** SQLite could not write. Nothing was changed. */
public final class WriteFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The others are what SQLite makes of an exceeded quota, and of no space for the file that its connections share. */
    private static final Set<SQLiteErrorCode> FULL = Set.of(
            SQLiteErrorCode.SQLITE_FULL, SQLiteErrorCode.SQLITE_IOERR_WRITE, SQLiteErrorCode.SQLITE_IOERR_SHMSIZE);

    private final boolean diskFull;

    WriteFailedException(SQLException cause) {
        super(cause.getMessage(), cause);
        diskFull = FULL.contains(Session.code(cause));
    }

    /** True where the disk is full, or cannot be written for another reason. */
    public boolean isDiskFull() {
        return diskFull;
    }
}
