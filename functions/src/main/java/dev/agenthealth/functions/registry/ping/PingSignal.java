package dev.agenthealth.functions.registry.ping;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.event.RunResult;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The signal of a ping.
 *
 * @param text the signal in the path; empty for done
 * @param kind the meaning
 */
record PingSignal(String text, Kind kind) {

    /** The meaning of a ping. */
    enum Kind {
        START,
        SUCCESS,
        FAILURE
    }

    /** Exit codes have 8 bits in POSIX systems and 32 bits in Windows, with or without a sign. */
    private static final Pattern EXIT_CODE = Pattern.compile("-?[0-9]{1,10}");

    /**
     * Returns the signal in a path.
     *
     * @throws ApiError 400 if the text is not a signal
     */
    static PingSignal of(String text) {
        return switch (text) {
            case "" -> new PingSignal(text, Kind.SUCCESS);
            case "start" -> new PingSignal(text, Kind.START);
            case "fail" -> new PingSignal(text, Kind.FAILURE);
            default -> new PingSignal(text, exit(text));
        };
    }

    private static Kind exit(String text) {
        if (!EXIT_CODE.matcher(text).matches()
                || Long.parseLong(text) < Integer.MIN_VALUE
                || Long.parseLong(text) >= 1L << Integer.SIZE) {
            throw ApiError.invalid(List.of(new FieldError("signal", "must be start, fail or an exit code")));
        }
        return Long.parseLong(text) == 0 ? Kind.SUCCESS : Kind.FAILURE;
    }

    /** Returns the exit code in the path; empty for a word or no text. */
    String exitCode() {
        return EXIT_CODE.matcher(text).matches() ? text : "";
    }

    /** Returns the result of the run that the ping ends. */
    RunResult result() {
        return kind == Kind.FAILURE ? RunResult.FAILED : RunResult.SUCCEEDED;
    }

    boolean isEnd() {
        return kind != Kind.START;
    }
}
