package dev.agenthealth.model.schedule;

import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/** Finds time zones by their IANA names, which include links such as {@code US/Pacific} and {@code EST}. */
public final class TimeZones {

    /** The IANA links that JDKs leave out, with the zones that they stand for. */
    private static final Map<String, String> LINKS = Map.of(
            "EST", "America/Panama",
            "MST", "America/Phoenix",
            "HST", "Pacific/Honolulu",
            "ROC", "Asia/Taipei");

    private TimeZones() {}

    /** Returns the time zone of this name; empty for a name that IANA does not have. */
    public static Optional<ZoneId> find(String name) {
        return Optional.of(LINKS.getOrDefault(name, name))
                .filter(ZoneId.getAvailableZoneIds()::contains)
                .map(ZoneId::of);
    }
}
