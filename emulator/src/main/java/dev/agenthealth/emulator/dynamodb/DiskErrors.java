package dev.agenthealth.emulator.dynamodb;

import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Notices errors of the disk in the log of SQLite. DynamoDB Local commits a transaction without waiting for the result, so that only this
 * log has the error. Thread-safe.
 */
final class DiskErrors extends Handler {

    /** Result codes: read-only, input or output failed, corrupt, full, cannot be opened, not a database. */
    private static final Set<Integer> CODES = Set.of(8, 10, 11, 13, 14, 26);

    private static final Pattern CODE = Pattern.compile("\\[(\\d{1,6})].*", Pattern.DOTALL);

    /** Loggers are weakly referenced. */
    static final Logger SQLITE = Logger.getLogger("com.almworks.sqlite4java");

    private volatile boolean happened;

    /** Reads the log from now on, until it is closed. */
    static DiskErrors watched() {
        DiskErrors errors = new DiskErrors();
        // Every error is thrown as well; standard error shows one line, not stack traces.
        SQLITE.setUseParentHandlers(false);
        SQLITE.addHandler(errors);
        return errors;
    }

    /** True once an error of the disk was logged. */
    boolean happened() {
        return happened;
    }

    @Override
    public void publish(LogRecord logged) {
        Throwable error = logged.getThrown();
        if (error != null && error.getMessage() != null && isOfTheDisk(error.getMessage())) {
            happened = true;
        }
    }

    /** The low byte of an extended result code is the code itself. */
    private static boolean isOfTheDisk(String message) {
        Matcher code = CODE.matcher(message);
        return code.matches() && CODES.contains(Integer.parseInt(code.group(1)) & 0xff);
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        SQLITE.removeHandler(this);
    }
}
