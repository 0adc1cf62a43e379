package dev.agenthealth.client;

import java.util.Locale;

/** The reason why an execution failed (Agent Health State §4.4). */
public enum ErrorType {
    CLIENT_ERROR,
    SERVER_ERROR,
    TIMEOUT,
    MALFORMED,
    /** A model provider limited the rate of calls, was unavailable or did not answer in time; see {@link Upstream}. */
    UPSTREAM,
    OTHER;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the type of an exception: {@link #TIMEOUT} for a timeout, otherwise {@link #SERVER_ERROR}. */
    public static ErrorType of(Throwable failure) {
        boolean timeout = failure instanceof java.util.concurrent.TimeoutException
                || failure instanceof java.net.http.HttpTimeoutException
                || failure instanceof java.net.SocketTimeoutException;
        return timeout ? TIMEOUT : SERVER_ERROR;
    }
}
