package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LoopConfig;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.CapabilityTag;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/** Reads declarations that agents make for themselves, and workflows for the agents of a role. Records errors on the fields. */
public final class DeclaredFields {

    private DeclaredFields() {}

    /** Returns the capabilities without duplicates; empty if absent. Records an error for a tag that cannot be part of a comma-separated list. */
    public static List<String> capabilities(Fields fields) {
        return fields.words(
                "capabilities",
                AgentInterface.MAX_CAPABILITIES,
                CapabilityTag.MAX_LENGTH,
                tag -> CapabilityTag.fitsIntoList(tag)
                        ? Optional.empty()
                        : Optional.of("must be a tag without commas and without spaces at its ends"));
    }

    /**
     * Returns the change of thresholds; absent fields stay. Applying the change records thresholds that contradict each other.
     *
     * @param cleared the values of fields that are null
     */
    public static UnaryOperator<HeartbeatConfig> heartbeat(Fields fields, HeartbeatConfig cleared) {
        int errors = fields.errorCount();
        int threshold = HeartbeatConfig.MAX_THRESHOLD_SECONDS;
        IntUnaryOperator interval =
                seconds(fields, "interval_seconds", HeartbeatConfig.MAX_INTERVAL_SECONDS, cleared.intervalSeconds());
        IntUnaryOperator unhealthyAfter =
                seconds(fields, "unhealthy_after_seconds", threshold, cleared.unhealthyAfterSeconds());
        IntUnaryOperator deadAfter = seconds(fields, "dead_after_seconds", threshold, cleared.deadAfterSeconds());
        UnaryOperator<StallConfig> stall = StallFields.change(fields, cleared.stall());
        UnaryOperator<LoopConfig> loop = LoopFields.change(fields, cleared.loop());
        UnaryOperator<LifeSigns> signs = LifeSignFields.read(fields, cleared.lifeSigns());
        fields.refuseUnknown();
        if (fields.errorCount() > errors) {
            // An unreadable number would make the other fields look inconsistent.
            return UnaryOperator.identity();
        }
        return kept -> {
            HeartbeatConfig config = new HeartbeatConfig(
                    interval.applyAsInt(kept.intervalSeconds()),
                    unhealthyAfter.applyAsInt(kept.unhealthyAfterSeconds()),
                    deadAfter.applyAsInt(kept.deadAfterSeconds()),
                    stall.apply(kept.stall()),
                    signs.apply(kept.lifeSigns()),
                    loop.apply(kept.loop()));
            LifeSignFields.refuseContradiction(fields, config.lifeSigns());
            for (FieldError error : config.errors()) {
                fields.refuse(error.field().substring(error.field().lastIndexOf('.') + 1), error.message());
            }
            return config;
        };
    }

    private static IntUnaryOperator seconds(Fields fields, String name, int maximum, int cleared) {
        int given = fields.integer(name, 1, maximum).orElse(cleared);
        return fields.mentions(name) ? kept -> given : IntUnaryOperator.identity();
    }

    /**
     * Returns the maximum number of tasks in the fields of a capacity.
     *
     * @param otherwise the value if the field is absent or null
     */
    public static int maxTasks(Fields capacity, int otherwise) {
        return capacity.integer("max_concurrent_tasks", 0, Workload.MAX_TASKS).orElse(otherwise);
    }

    /** Puts thresholds. */
    public static void put(ObjectNode json, HeartbeatConfig config) {
        json.put("interval_seconds", config.intervalSeconds());
        json.put("unhealthy_after_seconds", config.unhealthyAfterSeconds());
        json.put("dead_after_seconds", config.deadAfterSeconds());
        StallFields.put(json, config.stall());
        LoopFields.put(json, config.loop());
        LifeSignFields.put(json, config.lifeSigns());
    }

    /** Puts the maximum number of tasks; null if it is not declared. */
    public static void putMaxTasks(ObjectNode capacity, int maximum) {
        capacity.put("max_concurrent_tasks", maximum == Workload.NOT_DECLARED ? null : maximum);
    }
}
