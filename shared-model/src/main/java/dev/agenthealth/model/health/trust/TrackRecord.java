package dev.agenthealth.model.health.trust;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The invocations of an agent, or of all agents of a provider, through the gateway, and the evidence about it.
 *
 * @param successes successful invocations through the gateway
 * @param failures failed ones, whether they are evidence or not
 * @param evidence decides the reputation: the gateway's outcomes and those that coordinators reported
 * @param evidenceAt when evidence last came; {@link Instant#EPOCH} for never
 * @param latest the latest invocations that are evidence, the latest first, at most {@link OnlineStatus#MAX_CALLS}; empty only where there was
 *     none ever
 * @param lastOther the latest invocation that is no evidence; empty for none
 */
public record TrackRecord(
        long successes,
        long failures,
        EvidenceSums evidence,
        Instant evidenceAt,
        List<Call> latest,
        Optional<Call> lastOther) {

    /** Nothing is known. */
    public static final TrackRecord NONE =
            new TrackRecord(0, 0, EvidenceSums.NONE, Instant.EPOCH, List.of(), Optional.empty());

    private static final int RATE_DECIMALS = 3;

    public TrackRecord {
        latest = latest.stream()
                .sorted(Comparator.comparing(Call::at).reversed())
                .limit(OnlineStatus.MAX_CALLS)
                .toList();
    }

    /** Returns the record with calls of the log. */
    public TrackRecord with(List<Call> log) {
        return new TrackRecord(successes, failures, evidence, evidenceAt, log, lastOther);
    }

    /** Adds another part of the record. */
    public TrackRecord plus(TrackRecord other) {
        return new TrackRecord(
                successes + other.successes,
                failures + other.failures,
                evidence.plus(other.evidence),
                evidenceAt.isAfter(other.evidenceAt) ? evidenceAt : other.evidenceAt,
                Stream.concat(latest.stream(), other.latest.stream()).toList(),
                latest(lastOther, other.lastOther));
    }

    /** The latest invocation, evidence or not; empty where there was none. */
    public Optional<Call> last() {
        return latest(latest.stream().findFirst(), lastOther);
    }

    private static Optional<Call> latest(Optional<Call> one, Optional<Call> other) {
        return Stream.concat(one.stream(), other.stream()).max(Comparator.comparing(Call::at));
    }

    /** Returns whether nothing was ever recorded. */
    public boolean isNone() {
        return successes + failures == 0 && evidence.isNone();
    }

    /** The share of successes, rounded half up to three decimals; 0 before the first invocation. */
    public BigDecimal successRate() {
        BigDecimal all = BigDecimal.valueOf(successes).add(BigDecimal.valueOf(failures));
        if (all.signum() == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal rate = BigDecimal.valueOf(successes)
                .divide(all, RATE_DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        return rate.scale() < 0 ? rate.setScale(0) : rate;
    }
}
