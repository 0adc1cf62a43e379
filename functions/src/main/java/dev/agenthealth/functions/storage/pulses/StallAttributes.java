package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;

import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.PublishedStall;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores activity and stalls in short attributes, because each heartbeat pays for their bytes. */
public final class StallAttributes {

    private static final int DIGIT = 10;
    private static final int BASE = 36;
    private static final String RELEASES_LEASES = "l";
    private static final String RESTARTS = "r";

    /** Phases by their digit, and the order of their times in a text. */
    private static final List<Phase> PHASES = List.of(Phase.OTHER, Phase.MODEL, Phase.TOOL, Phase.HUMAN);

    /** Levels by their digit, to which flags are added. */
    private static final List<StallLevel> LEVELS = List.of(StallLevel.values());

    /** Added to the digit of a level if leases still have to be ended. */
    private static final int WITH_LEASES = LEVELS.size();

    /** Added to the digit of a level if the stall is a part of the problem of a model provider. A level is at least 1. */
    private static final int SHARED = 5;

    private static final int SHARED_WITH_LEASES = SHARED + 2;

    private StallAttributes() {}

    static void put(Map<String, AttributeValue> item, Pulse pulse) {
        if (pulse.activity().isRunning()) {
            item.put(PulseItem.ACTIVITY, activity(pulse.activity()));
            putNumber(item, PulseItem.SPAN_ENDED, pulse.activity().spanEndedAt().toEpochMilli(), 0);
        }
        putText(item, PulseItem.STALL_CONFIG, text(pulse.config().stall()));
        PublishedStall stall = pulse.stall();
        if (stall.isOpen()) {
            int flags = stall.shared()
                    ? stall.releasesLeases() ? SHARED_WITH_LEASES : SHARED
                    : stall.releasesLeases() ? WITH_LEASES : 0;
            long level = LEVELS.indexOf(stall.level()) + flags;
            item.put(PulseItem.STALL, n((stall.since().toEpochMilli() * DIGIT + digit(stall.phase())) * DIGIT + level));
        }
    }

    /** Returns the attribute of an activity of a running task. */
    static AttributeValue activity(Activity activity) {
        return n(activity.reportedAt().toEpochMilli() * DIGIT + digit(activity.phase()));
    }

    static Activity activity(Map<String, AttributeValue> item) {
        Repetition inSpans = LoopAttributes.inSpans(Values.text(item, PulseItem.REPEATED_IN_SPANS));
        if (!item.containsKey(PulseItem.ACTIVITY)) {
            return Activity.NONE.withRepetitionInSpans(inSpans);
        }
        long number = number(item, PulseItem.ACTIVITY, 0);
        Instant reportedAt = Instant.ofEpochMilli(number / DIGIT);
        return new Activity(
                phase(number),
                reportedAt,
                moment(item, PulseItem.SPAN_ENDED, Activity.NO_SPAN),
                LoopAttributes.reported(Values.text(item, PulseItem.REPEATED), reportedAt),
                inSpans);
    }

    static PublishedStall published(Map<String, AttributeValue> item) {
        if (!item.containsKey(PulseItem.STALL)) {
            return PublishedStall.NONE;
        }
        long number = number(item, PulseItem.STALL, 0);
        int digit = (int) (number % DIGIT);
        boolean shared = digit > SHARED;
        boolean releases = shared ? digit > SHARED_WITH_LEASES : digit >= WITH_LEASES;
        int flags = shared ? releases ? SHARED_WITH_LEASES : SHARED : releases ? WITH_LEASES : 0;
        return new PublishedStall(
                LEVELS.get(digit - flags),
                phase(number / DIGIT),
                Instant.ofEpochMilli(number / DIGIT / DIGIT),
                releases,
                shared);
    }

    /** Returns the text of a declaration: times in seconds in base 36, separated by commas, and letters. Empty if nothing is declared. */
    public static String text(StallConfig config) {
        if (config.equals(StallConfig.NONE)) {
            return "";
        }
        String letters = (config.releasesLeases() ? RELEASES_LEASES : "") + (config.restarts() ? RESTARTS : "");
        return PHASES.stream()
                        .map(phase -> config.after(phase)
                                .map(after -> Long.toString(after.toSeconds(), BASE))
                                .orElse(""))
                        .collect(Collectors.joining(","))
                + (letters.isEmpty() ? "" : "," + letters);
    }

    /** Returns the declaration of a text. */
    public static StallConfig config(String text) {
        if (text.isEmpty()) {
            return StallConfig.NONE;
        }
        String[] parts = text.split(",", -1);
        Map<Phase, Integer> times = new EnumMap<>(Phase.class);
        for (int i = 0; i < PHASES.size(); i++) {
            if (!parts[i].isEmpty()) {
                times.put(PHASES.get(i), Integer.parseInt(parts[i], BASE));
            }
        }
        String letters = parts.length > PHASES.size() ? parts[PHASES.size()] : "";
        return new StallConfig(times, letters.contains(RELEASES_LEASES), letters.contains(RESTARTS));
    }

    private static int digit(Phase phase) {
        return PHASES.indexOf(phase);
    }

    private static Phase phase(long number) {
        return PHASES.get((int) (number % DIGIT) % PHASES.size());
    }
}
