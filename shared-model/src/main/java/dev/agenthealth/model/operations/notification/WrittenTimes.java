package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times in sentences. A sentence has each time in the form of RFC 3339, such as {@code 2026-02-09T01:00:00.000Z}, so that its readers can show the
 * time in their own way. A time that belongs to another time zone is followed by the zone in brackets (RFC 9557).
 */
public final class WrittenTimes {

    private static final Pattern TIME =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z)(?:\\[([\\w/+-]{1,64})])?");

    /** The form of a time in messages, such as {@code 9 Feb 2026, 02:00 Europe/Berlin}. */
    private static final DateTimeFormatter IN_MESSAGES =
            DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm VV", Locale.ENGLISH);

    private WrittenTimes() {}

    /** Returns a time with its time zone; without a zone if the name is unknown or UTC. */
    static String text(Instant at, String zone) {
        return Timestamps.text(at)
                + zone(zone)
                        .filter(known -> !known.getId().equals("UTC"))
                        .map(known -> "[" + known.getId() + "]")
                        .orElse("");
    }

    /** Returns a sentence with its times as messages show them: in the time zone that follows the time, or in {@code zone}. */
    public static String shown(String sentence, ZoneId zone) {
        return TIME.matcher(sentence).replaceAll(time -> Matcher.quoteReplacement(shown(time, zone)));
    }

    private static String shown(MatchResult time, ZoneId zone) {
        try {
            ZoneId own = Optional.ofNullable(time.group(2))
                    .flatMap(WrittenTimes::zone)
                    .orElse(zone);
            return IN_MESSAGES.format(Instant.parse(time.group(1)).atZone(own));
        } catch (DateTimeException e) {
            return time.group();
        }
    }

    private static Optional<ZoneId> zone(String name) {
        try {
            return Optional.of(ZoneId.of(name));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
