package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalDouble;

/** The score of an agent with every number that it is computed from (Agent Health Model). */
public final class HealthScore extends Document {

    HealthScore(JsonNode json) {
        super(json);
    }

    /** The score from 0 to 100; empty while nothing is measured. */
    public OptionalDouble score() {
        return Json.number(node(), "score");
    }

    /** {@code Healthy}, {@code Degraded}, {@code Unhealthy} or {@code Inactive}. */
    public String state() {
        return Json.text(node(), "state");
    }

    /** {@code healthy}, {@code degraded}, {@code unhealthy} or {@code unknown}. */
    public String healthStatus() {
        return Json.text(node(), "health_status");
    }

    /** {@code blocked}, {@code down}, {@code degraded}, {@code unknown} or {@code ok}. */
    public String verdict() {
        return Json.text(node(), "verdict");
    }

    /** The reasons for the verdict, as sentences. */
    public List<String> reasons() {
        return Json.texts(node(), "reasons");
    }

    /** The score of one of the dimensions reliability, performance, stability and operational, from 0 to 1. */
    public OptionalDouble dimension(String name) {
        return Json.number(node().path("dimensions").path(name), "score");
    }
}
