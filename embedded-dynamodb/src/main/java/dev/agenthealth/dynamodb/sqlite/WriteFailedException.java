package dev.agenthealth.dynamodb.sqlite;

import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/** SQLite could not write. Nothing was changed. */
public final class WriteFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean diskFull;

    WriteFailedException(SQLException cause) {
        super(cause.getMessage(), cause);
        diskFull = (cause.getErrorCode() & 0xff) == SQLiteErrorCode.SQLITE_FULL.code;
    }

    /** True where the disk is full. */
    public boolean isDiskFull() {
        return diskFull;
    }
}
