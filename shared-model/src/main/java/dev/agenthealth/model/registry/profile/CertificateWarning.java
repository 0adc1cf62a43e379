package dev.agenthealth.model.registry.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The last event about the end of a certificate. One is published 21, 7 and 1 days before the end, each once, and once more for a certificate that
 * ends later. So a host that shows several certificates in turn is not reported each time.
 *
 * @param endsAt the latest end of the certificates that were published; {@link Instant#EPOCH} where none was
 * @param days the days of the last event, of {@link #DAYS}
 */
public record CertificateWarning(Instant endsAt, int days) {

    /** Days before the end of a certificate at which it is published, the most urgent first. */
    public static final List<Integer> DAYS = List.of(1, 7, 21);

    /** No certificate was published. */
    public static final CertificateWarning NONE = new CertificateWarning(Instant.EPOCH, 0);

    /** Returns the last event after a certificate was seen: another one where it is to be published now. */
    CertificateWarning then(Instant certificateEnds, Instant now) {
        return DAYS.stream()
                .filter(before -> !now.isBefore(certificateEnds.minus(Duration.ofDays(before))))
                .findFirst()
                .filter(before -> certificateEnds.isAfter(endsAt) || before < days)
                .map(before ->
                        new CertificateWarning(certificateEnds.isAfter(endsAt) ? certificateEnds : endsAt, before))
                .orElse(this);
    }

    /** Returns whether the certificate ends within the shortest time. */
    public boolean isUrgent() {
        return days == DAYS.get(0);
    }
}
