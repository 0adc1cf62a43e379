package dev.agenthealth.functions.runtime.outbound;

import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.Http1StreamListener;

/** Limits the interim responses (1xx, RFC 9110 §15.2) of one exchange. The HTTP client itself would read them without end. Not thread-safe. */
final class InterimLimit implements Http1StreamListener {

    /** The maximum number of interim responses before the final one. */
    static final int MAX_INTERIM_RESPONSES = 10;

    private int interim;

    /**
     * Counts a response.
     *
     * @throws IllegalStateException if there are too many interim responses; the exception ends the exchange
     */
    @Override
    public void onResponseHead(HttpConnection connection, HttpResponse response) {
        if (response.getCode() < 200 && ++interim > MAX_INTERIM_RESPONSES) {
            throw new IllegalStateException("more than " + MAX_INTERIM_RESPONSES + " interim responses");
        }
    }

    @Override
    public void onRequestHead(HttpConnection connection, HttpRequest request) {
        // Requests need no limit.
    }

    @Override
    public void onExchangeComplete(HttpConnection connection, boolean keepAlive) {
        // The connection is closed in any case.
    }
}
