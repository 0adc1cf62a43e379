package dev.agenthealth.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Sends one HTTP request. Thread-safe. */
interface Transport {

    /**
     * Returns the answer to a request, with any status.
     *
     * @throws IOException if no answer arrives in time
     */
    Answer send(Request request) throws IOException, InterruptedException;

    /**
     * A request.
     *
     * @param headers without the headers that the transport sets itself
     * @param body empty for none
     */
    record Request(String method, URI uri, Map<String, String> headers, String body, Duration timeout) {}

    /**
     * An answer.
     *
     * @param headers the first value of each header, by name in lower case
     */
    record Answer(int status, Map<String, String> headers, String body) {

        /** Returns the value of a header; empty if it is absent. */
        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }
}
