package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.VerdictReason.Facts;
import java.util.List;

/**
 * The score of an agent with its verdict.
 *
 * @param reasons the reasons of the verdict as sentences, the worst reason first
 */
public record AgentScore(HealthReading reading, Facts facts, List<String> reasons) {

    /** Returns the score as a JSON document. */
    public ObjectNode json() {
        return ScoreJson.of(this);
    }
}
