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

    /** The form that most clients send, with a zero for each digit; a fraction and the zone follow. */
    private static final String USUAL_FORM = "0000-00-00T00:00:00";

    private ClientTimestamp() {}

    /**
     * Returns the moment in whole milliseconds; empty if the text is no date and time. A time without a zone is UTC. A leap second counts as the
     * next second.
     */
    public static Optional<Instant> read(String text) {
        if (isUsual(text)) {
            return moment(
                    new Day(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)),
                    number(text, 11, 13),
                    number(text, 14, 16),
                    number(text, 17, 19),
                    millis(usualFraction(text)),
                    0);
        }
        Matcher parts = FORM.matcher(text.strip());
        return parts.matches()
                ? moment(
                        new Day(number(parts, "year"), number(parts, "month"), number(parts, "day")),
                        number(parts, "hour"),
                        number(parts, "minute"),
                        number(parts, "second"),
                        millis(parts.group("fraction") == null ? "" : parts.group("fraction")),
                        zoneMinutes(parts))
                : Optional.empty();
    }

    private record Day(int year, int month, int day) {}

    /** Returns whether the text is a time in UTC in the usual form, which needs no regular expression. */
    private static boolean isUsual(String text) {
        int form = USUAL_FORM.length();
        int last = text.length() - 1;
        if (last < form || text.charAt(last) != 'Z' || last > form && (text.charAt(form) != '.' || last == form + 1)) {
            return false;
        }
        for (int i = 0; i < last; i++) {
            char expected = i < form ? USUAL_FORM.charAt(i) : i == form ? '.' : '0';
            char c = text.charAt(i);
            if (expected == '0' ? c < '0' || c > '9' : c != expected) {
                return false;
            }
        }
        return true;
    }

    private static String usualFraction(String text) {
        int begin = USUAL_FORM.length() + 1;
        return text.length() > begin ? text.substring(begin, text.length() - 1) : "";
    }

    private static Optional<Instant> moment(Day day, int hour, int minute, int second, int millis, int zoneMinutes) {
        int secondOfDay = hour * 3_600 + minute * 60 + second;
        // Second 60 is a leap second, and 24:00 is the end of the day.
        if (minute > 59 || second > 60 || secondOfDay > SECONDS_PER_DAY) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.of(day.year(), day.month(), day.day())
                    .atStartOfDay()
                    .plusSeconds(secondOfDay)
                    .toInstant(zoneMinutes == 0 ? ZoneOffset.UTC : ZoneOffset.ofTotalSeconds(60 * zoneMinutes))
                    .plusMillis(millis));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int zoneMinutes(Matcher parts) {
        int minutes = number(parts, "zoneHour") * 60 + number(parts, "zoneMinute");
        return "-".equals(parts.group("sign")) ? -minutes : minutes;
    }

    /** @param fraction the digits of the fraction of a second; empty for none */
    private static int millis(String fraction) {
        return fraction.isEmpty() ? 0 : Integer.parseInt((fraction + "00").substring(0, 3));
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }

    private static int number(Matcher parts, String name) {
        String digits = parts.group(name);
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
