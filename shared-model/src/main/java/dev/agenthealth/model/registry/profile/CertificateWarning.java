package dev.agenthealth.model.registry.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The last event about the end of a certificate. Events are published 21, 7 and 1 days before the end, each once, and again only for a certificate
 * with a later end. So a host that alternates between several certificates does not cause repeated events.
 *
 * @param endsAt the latest published end of a certificate; {@link Instant#EPOCH} without any event
 * @param days the days before the end at the last event, one of {@link #DAYS}
 */
public record CertificateWarning(Instant endsAt, int days) {

    /** The days before the end of a certificate at which an event is published, the most urgent first. */
    public static final List<Integer> DAYS = List.of(1, 7, 21);

    /** The value before the first event. */
    public static final CertificateWarning NONE = new CertificateWarning(Instant.EPOCH, 0);

    /** Returns the last event after a certificate was seen. It differs from this one if an event is due now. */
    CertificateWarning then(Instant certificateEnds, Instant now) {
        return DAYS.stream()
                .filter(before -> !now.isBefore(certificateEnds.minus(Duration.ofDays(before))))
                .findFirst()
                .filter(before -> certificateEnds.isAfter(endsAt) || before < days)
                .map(before ->
                        new CertificateWarning(certificateEnds.isAfter(endsAt) ? certificateEnds : endsAt, before))
                .orElse(this);
    }

    /** Returns whether the certificate ends within the shortest of these times. */
    public boolean isUrgent() {
        return days == DAYS.get(0);
    }
}
