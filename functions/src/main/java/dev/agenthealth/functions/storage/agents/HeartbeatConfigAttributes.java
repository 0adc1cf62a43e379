package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.runtime.schedule.ScheduleText;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.pulses.LoopAttributes;
import dev.agenthealth.functions.storage.pulses.StallAttributes;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LoopConfig;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of a {@link HeartbeatConfig}, under names that an item chooses. Immutable and thread-safe. */
public record HeartbeatConfigAttributes(
        Attribute<Integer> interval,
        Attribute<Integer> unhealthyAfter,
        Attribute<Integer> deadAfter,
        Attribute<StallConfig> stall,
        Attribute<LifeSigns> lifeSigns,
        Attribute<LoopConfig> loop) {

    private static final AttributeType<LoopConfig> LOOP_TYPE =
            TEXT.as(LoopConfig.NONE, LoopAttributes::text, LoopAttributes::config);

    private static final AttributeType<StallConfig> STALL_TYPE =
            TEXT.as(StallConfig.NONE, StallAttributes::text, StallAttributes::config);

    private static final AttributeType<LifeSigns> LIFE_SIGNS_TYPE =
            TEXT.as(LifeSigns.HEARTBEATS, ScheduleText::of, ScheduleText::read);

    /** Declares the attributes as a part of an item, under these names. */
    public static HeartbeatConfigAttributes in(
            Codec<HeartbeatConfig> part,
            String interval,
            String unhealthyAfter,
            String deadAfter,
            String stall,
            String lifeSigns,
            String loop) {
        HeartbeatConfig otherwise = HeartbeatConfig.DEFAULT;
        return new HeartbeatConfigAttributes(
                part.always(interval, INTEGER.or(otherwise.intervalSeconds()), HeartbeatConfig::intervalSeconds),
                part.always(
                        unhealthyAfter,
                        INTEGER.or(otherwise.unhealthyAfterSeconds()),
                        HeartbeatConfig::unhealthyAfterSeconds),
                part.always(deadAfter, INTEGER.or(otherwise.deadAfterSeconds()), HeartbeatConfig::deadAfterSeconds),
                part.optional(stall, STALL_TYPE, HeartbeatConfig::stall),
                part.optional(lifeSigns, LIFE_SIGNS_TYPE, HeartbeatConfig::lifeSigns),
                part.optional(loop, LOOP_TYPE, HeartbeatConfig::loop));
    }

    public HeartbeatConfig of(Map<String, AttributeValue> item) {
        return new HeartbeatConfig(
                interval.of(item),
                unhealthyAfter.of(item),
                deadAfter.of(item),
                stall.of(item),
                lifeSigns.of(item),
                loop.of(item));
    }
}
