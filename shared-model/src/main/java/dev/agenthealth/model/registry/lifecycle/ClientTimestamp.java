package dev.agenthealth.model.registry.lifecycle;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the time of an agent's own clock (RFC-0016 §4.3). The time only serves to detect drift. So this class reads every form of ISO 8601 that
 * agents are known to send, including forms that other fields refuse.
 */
public final class ClientTimestamp {

    /**
     * The accepted form: date, time to the minute, optional seconds with a fraction of any length, and an optional zone, in extended or basic form.
     */
    private static final Pattern FORM =
            Pattern.compile("(?<year>[0-9]{4}|[+-][0-9]{4,9}(?=-))-?(?<month>[0-9]{2})-?(?<day>[0-9]{2})[Tt ]"
                    + "(?<hour>[0-9]{2}):?(?<minute>[0-9]{2})(:?(?<second>[0-9]{2})([.,](?<fraction>[0-9]+))?)?"
                    + " ?(?<zone>[Zz]|(?<sign>[+-])(?<zoneHour>[0-9]{2}):?(?<zoneMinute>[0-9]{2})?)?");

    private static final int SECONDS_PER_DAY = 86_400;

    private ClientTimestamp() {}

    /**
     * Returns the moment in whole milliseconds; empty if the text is no date and time. A time without a zone is UTC. A leap second counts as the
     * next second.
     */
    public static Optional<Instant> read(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        int minute = number(parts, "minute");
        int second = number(parts, "second");
        int secondOfDay = number(parts, "hour") * 3_600 + minute * 60 + second;
        // Second 60 is a leap second, and 24:00 is the end of the day.
        if (minute > 59 || second > 60 || secondOfDay > SECONDS_PER_DAY) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.of(number(parts, "year"), number(parts, "month"), number(parts, "day"))
                    .atStartOfDay()
                    .plusSeconds(secondOfDay)
                    .toInstant(zone(parts))
                    .plusMillis(millis(parts.group("fraction"))));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static ZoneOffset zone(Matcher parts) {
        int minutes = number(parts, "zoneHour") * 60 + number(parts, "zoneMinute");
        return ZoneOffset.ofTotalSeconds(("-".equals(parts.group("sign")) ? -60 : 60) * minutes);
    }

    private static int millis(String fraction) {
        return fraction == null ? 0 : Integer.parseInt((fraction + "00").substring(0, 3));
    }

    private static int number(Matcher parts, String name) {
        String digits = parts.group(name);
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
