package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.model.registry.lifecycle.LoopConfig;
import dev.agenthealth.model.registry.lifecycle.PublishedLoop;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores repeated calls and loops in short texts: numbers in base 36, separated by commas. The name of a tool comes last. */
public final class LoopAttributes {

    private static final int BASE = 36;
    private static final String SEPARATOR = ",";
    private static final String RELEASES_LEASES = "l";
    private static final String RESTARTS = "r";
    private static final String SHARED = "s";

    /** The maximum number of bytes that loops add to the row of an agent that declares them, besides the repeated calls of a heartbeat. */
    static final int MAX_BYTES = 137;

    /** Levels by their number. */
    private static final List<StallLevel> LEVELS = List.of(StallLevel.values());

    private LoopAttributes() {}

    static void put(Map<String, AttributeValue> item, Pulse pulse) {
        Repetition reported = pulse.activity().repeated();
        if (pulse.activity().isRunning() && reported.isRepeated()) {
            item.put(PulseItem.REPEATED, reported(reported));
        }
        putInSpans(item, pulse.activity().inSpans());
        putText(item, PulseItem.LOOP_CONFIG, text(pulse.config().loop()));
        PublishedLoop loop = pulse.loop();
        if (loop.isOpen()) {
            String level = LEVELS.indexOf(loop.level())
                    + (loop.releasesLeases() ? RELEASES_LEASES : "")
                    + (loop.shared() ? SHARED : "");
            item.put(
                    PulseItem.LOOP,
                    s(String.join(SEPARATOR, level, number(loop.repeats()), millis(loop.since()), loop.tool())));
        }
    }

    /** Returns the attribute of a repetition that a heartbeat reports. It begins with the last progress. */
    static AttributeValue reported(Repetition repetition) {
        return s(number(repetition.repeats()) + SEPARATOR + repetition.tool());
    }

    static Repetition reported(String text, Instant progressAt) {
        if (text.isEmpty()) {
            return Repetition.NONE;
        }
        String[] parts = text.split(SEPARATOR, 2);
        return new Repetition(Integer.parseInt(parts[0], BASE), parts[1], progressAt, progressAt);
    }

    static void putInSpans(Map<String, AttributeValue> item, Repetition repetition) {
        if (repetition.isRepeated()) {
            item.put(
                    PulseItem.REPEATED_IN_SPANS,
                    s(String.join(
                            SEPARATOR,
                            number(repetition.repeats()),
                            millis(repetition.since()),
                            millis(repetition.lastAt()),
                            repetition.tool())));
        }
    }

    static Repetition inSpans(String text) {
        if (text.isEmpty()) {
            return Repetition.NONE;
        }
        String[] parts = text.split(SEPARATOR, 4);
        return new Repetition(Integer.parseInt(parts[0], BASE), parts[3], moment(parts[1]), moment(parts[2]));
    }

    static PublishedLoop published(String text) {
        if (text.isEmpty()) {
            return PublishedLoop.NONE;
        }
        String[] parts = text.split(SEPARATOR, 4);
        return new PublishedLoop(
                LEVELS.get(parts[0].charAt(0) - '0'),
                Integer.parseInt(parts[1], BASE),
                parts[3],
                moment(parts[2]),
                parts[0].contains(RELEASES_LEASES),
                parts[0].contains(SHARED));
    }

    /** Returns the text of a declaration: the number in base 36, a comma, and letters. Empty if nothing is declared. */
    public static String text(LoopConfig config) {
        return config.equals(LoopConfig.NONE)
                ? ""
                : number(config.maxRepeats())
                        + SEPARATOR
                        + (config.releasesLeases() ? RELEASES_LEASES : "")
                        + (config.restarts() ? RESTARTS : "");
    }

    /** Returns the declaration of a text. */
    public static LoopConfig config(String text) {
        if (text.isEmpty()) {
            return LoopConfig.NONE;
        }
        String[] parts = text.split(SEPARATOR, 2);
        return new LoopConfig(
                Integer.parseInt(parts[0], BASE), parts[1].contains(RELEASES_LEASES), parts[1].contains(RESTARTS));
    }

    private static String number(int number) {
        return Integer.toString(number, BASE);
    }

    private static String millis(Instant moment) {
        return Long.toString(moment.toEpochMilli(), BASE);
    }

    private static Instant moment(String text) {
        return Instant.ofEpochMilli(Long.parseLong(text, BASE));
    }
}
