package dev.agenthealth.benchmarks.budget;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The measures of an operation; the budgets file uses these names in lower case. */
public enum Measure {
    /** Read units of the pulses table and its indexes. */
    @JsonProperty("pulses_read_units")
    PULSES_READ_UNITS,
    @JsonProperty("pulses_write_units")
    PULSES_WRITE_UNITS,
    @JsonProperty("registry_read_units")
    REGISTRY_READ_UNITS,
    @JsonProperty("registry_write_units")
    REGISTRY_WRITE_UNITS,
    /** Bytes of the request's body; 0 without a request. */
    @JsonProperty("request_bytes")
    REQUEST_BYTES,
    /** Bytes of the response's headers and body; 0 without a request. */
    @JsonProperty("response_bytes")
    RESPONSE_BYTES,
    /** Bytes that the function writes to its log, metrics included. */
    @JsonProperty("log_bytes")
    LOG_BYTES,
    /** Events left in the outbox. */
    @JsonProperty("events")
    EVENTS,
    /** Bytes added to both tables, indexes included. */
    @JsonProperty("stored_bytes")
    STORED_BYTES,
    /** Bytes of an event on the bus; 0 except for its publication. */
    @JsonProperty("event_bytes")
    EVENT_BYTES;
}
