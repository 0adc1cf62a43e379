package dev.agenthealth.functions.registry.ping;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.event.RunResult;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The signal of a ping.
 *
 * @param text as it stands in the path; empty for done
 * @param kind what it means
 */
record PingSignal(String text, Kind kind) {

    /** The meaning of a ping. */
    enum Kind {
        START,
        SUCCESS,
        FAILURE
    }

    /** Exit codes have 8 bits in POSIX systems and 32, with or without a sign, in Windows. */
    private static final Pattern EXIT_CODE = Pattern.compile("-?[0-9]{1,10}");

    /**
     * The signal of a path.
     *
     * @throws ApiError 400 where it is none
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

    /** The exit code in the path; empty where it has a word, or nothing. */
    String exitCode() {
        return EXIT_CODE.matcher(text).matches() ? text : "";
    }

    /** The result of the run that it ends. */
    RunResult result() {
        return kind == Kind.FAILURE ? RunResult.FAILED : RunResult.SUCCEEDED;
    }

    boolean isEnd() {
        return kind != Kind.START;
    }
}
