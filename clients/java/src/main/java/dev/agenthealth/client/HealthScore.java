package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalDouble;

/** The score of an agent, with every number from which it is computed (Agent Health Model). */
public final class HealthScore extends Document {

    HealthScore(JsonNode json) {
        super(json);
    }

    /** Returns the score from 0 to 100; empty while nothing is measured. */
    public OptionalDouble score() {
        return Json.number(node(), "score");
    }

    /** Returns {@code Healthy}, {@code Degraded}, {@code Unhealthy} or {@code Inactive}. */
    public String state() {
        return Json.text(node(), "state");
    }

    /** Returns {@code healthy}, {@code degraded}, {@code unhealthy} or {@code unknown}. */
    public String healthStatus() {
        return Json.text(node(), "health_status");
    }

    /** Returns {@code blocked}, {@code down}, {@code degraded}, {@code unknown} or {@code ok}. */
    public String verdict() {
        return Json.text(node(), "verdict");
    }

    /** Returns the reasons for the verdict, as sentences. */
    public List<String> reasons() {
        return Json.texts(node(), "reasons");
    }

    /** Returns the score of a dimension, from 0 to 1: reliability, performance, stability or operational. */
    public OptionalDouble dimension(String name) {
        return Json.number(node().path("dimensions").path(name), "score");
    }
}
