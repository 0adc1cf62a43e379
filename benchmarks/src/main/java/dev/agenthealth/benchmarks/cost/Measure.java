package dev.agenthealth.benchmarks.cost;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The measures of an operation; the budgets file uses these names in lower case. */
public enum Measure {
    /** Read units of the pulses table and its indexes. */
    @JsonProperty("pulses_read_units")
    PULSES_READ_UNITS("read units, pulses"),
    @JsonProperty("pulses_write_units")
    PULSES_WRITE_UNITS("write units, pulses"),
    @JsonProperty("registry_read_units")
    REGISTRY_READ_UNITS("read units, registry"),
    @JsonProperty("registry_write_units")
    REGISTRY_WRITE_UNITS("write units, registry"),
    /** Bytes of the request's body; 0 without a request. */
    @JsonProperty("request_bytes")
    REQUEST_BYTES("bytes in"),
    /** Bytes of the response's headers and body; 0 without a request. */
    @JsonProperty("response_bytes")
    RESPONSE_BYTES("bytes out"),
    /** Bytes that the function writes to its log, metrics included. */
    @JsonProperty("log_bytes")
    LOG_BYTES("bytes logged"),
    /** Events left in the outbox. */
    @JsonProperty("events")
    EVENTS("events"),
    /** Bytes added to both tables, indexes included. */
    @JsonProperty("stored_bytes")
    STORED_BYTES("bytes stored"),
    /** Bytes of an event on the bus; 0 except for its publication. */
    @JsonProperty("event_bytes")
    EVENT_BYTES("bytes per event");

    private final String title;

    Measure(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
