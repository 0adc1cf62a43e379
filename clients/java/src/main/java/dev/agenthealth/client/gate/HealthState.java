package dev.agenthealth.client.gate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The content of an agent's health document (Agent Health State §4.2). Only the status is always present. An agent may leave out other
 * values; a value of a wrong type or out of range counts as absent.
 *
 * @param status the status
 * @param agentId the agent's id; empty if it is absent
 * @param timestamp when the state was computed
 * @param lastHealthyAt the last time at which the status was healthy
 * @param uptime the time since the agent's process started
 * @param responseRatio the share of valid responses, 0 to 1
 * @param errorRatio the share of error responses, 0 to 1
 * @param latencyP50Millis the median latency in milliseconds
 * @param latencyP99Millis the 99th percentile of the latency in milliseconds
 * @param measurementWindow the time over which the metrics were measured
 * @param sampleCount the number of measured requests
 * @param trend the direction of the response ratio
 * @param daysSinceModelChange the days since the agent's model changed
 * @param lastCapabilityUpdate when the agent last declared its capabilities
 */
public record HealthState(
        HealthStatus status,
        String agentId,
        Optional<Instant> timestamp,
        Optional<Instant> lastHealthyAt,
        Optional<Duration> uptime,
        OptionalDouble responseRatio,
        OptionalDouble errorRatio,
        OptionalDouble latencyP50Millis,
        OptionalDouble latencyP99Millis,
        Optional<Duration> measurementWindow,
        OptionalLong sampleCount,
        Optional<Trend> trend,
        OptionalDouble daysSinceModelChange,
        Optional<Instant> lastCapabilityUpdate) {

    /** The minimum number of samples of reliable metrics (§4.4). */
    static final long MIN_SAMPLES = 10;

    boolean hasFewSamples() {
        return sampleCount.isPresent() && sampleCount.getAsLong() < MIN_SAMPLES;
    }
}
