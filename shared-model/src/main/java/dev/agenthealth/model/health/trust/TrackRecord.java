package dev.agenthealth.model.health.trust;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The invocations of an agent, or of all agents of a provider, through the gateway, and the evidence from them.
 *
 * @param successes the number of successful invocations through the gateway
 * @param failures the number of failed invocations through the gateway, evidence or not
 * @param evidence the evidence that decides the reputation: outcomes seen by the gateway and outcomes reported by coordinators
 * @param evidenceAt the time of the latest evidence; {@link Instant#EPOCH} without evidence
 * @param latest the latest invocations that are evidence, the latest first, at most {@link OnlineStatus#MAX_CALLS}
 * @param lastOther the latest invocation that is no evidence; empty without any
 */
public record TrackRecord(
        long successes,
        long failures,
        EvidenceSums evidence,
        Instant evidenceAt,
        List<Call> latest,
        Optional<Call> lastOther) {

    /** The record before the first invocation. */
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

    /** Returns the sum of this and another part of the record. */
    public TrackRecord plus(TrackRecord other) {
        return new TrackRecord(
                successes + other.successes,
                failures + other.failures,
                evidence.plus(other.evidence),
                evidenceAt.isAfter(other.evidenceAt) ? evidenceAt : other.evidenceAt,
                Stream.concat(latest.stream(), other.latest.stream()).toList(),
                latest(lastOther, other.lastOther));
    }

    /** Returns the latest invocation, evidence or not; empty before the first one. */
    public Optional<Call> last() {
        return latest(latest.stream().findFirst(), lastOther);
    }

    private static Optional<Call> latest(Optional<Call> one, Optional<Call> other) {
        return Stream.concat(one.stream(), other.stream()).max(Comparator.comparing(Call::at));
    }

    /** Returns whether the record is empty. */
    public boolean isNone() {
        return successes + failures == 0 && evidence.isNone();
    }

    /** Returns the share of successes, rounded half up to three decimals; 0 before the first invocation. */
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
