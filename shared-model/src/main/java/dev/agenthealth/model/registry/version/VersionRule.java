package dev.agenthealth.model.registry.version;

import dev.agenthealth.model.registry.usage.HourUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which versions of a role are worse than the version before them.
 *
 * <p>The versions are compared while their executions arrive, so a comparison is repeated many times. A version is therefore worse only if the
 * intervals of both versions with a confidence of 99 % are apart. All comparisons of two equal versions together then give a false alarm in fewer than
 * 3 % of cases. A problem ends later than it begins, so that it does not come and go with single executions.
 */
public final class VersionRule {

    /** The minimum number of executions of a version that is compared. */
    public static final long MIN_EXECUTIONS = 30;

    private static final double P99_SHARE = 0.01;

    private VersionRule() {}

    /**
     * The bounds of a comparison.
     *
     * @param deviations the standard deviations of the confidence intervals
     * @param factor the factor of latencies and tokens
     */
    private record Bounds(double deviations, double factor) {}

    private static final Bounds BEGINS = new Bounds(WilsonInterval.CONFIDENCE_99, 1.5);
    private static final Bounds STAYS = new Bounds(1, 1.25);

    /**
     * A problem that begins or ends.
     *
     * @param version the figures of the version
     * @param before the figures of the version before it
     * @param findings the ways in which it is worse; empty if the problem ends
     * @param ended the problem that ends; empty if the problem begins
     */
    public record Change(
            VersionFigures version, VersionFigures before, Set<VersionFinding> findings, Optional<WorseVersion> ended) {

        public Change {
            findings = Set.copyOf(findings);
        }
    }

    /**
     * Returns the problems of a role that begin or end.
     *
     * @param figures the figures of its versions, in any order
     * @param open the open problems by version
     */
    public static List<Change> changes(List<VersionFigures> figures, Map<String, WorseVersion> open) {
        List<VersionFigures> inOrder = inOrder(figures);
        List<Change> changes = new ArrayList<>();
        for (VersionFigures version : inOrder) {
            Optional<WorseVersion> known = Optional.ofNullable(open.get(version.version()));
            Optional<VersionFigures> before = before(inOrder, version);
            Set<VersionFinding> findings = before.filter(other -> isInUse(version, inOrder))
                    .map(other -> findings(version, other, known.isPresent() ? STAYS : BEGINS))
                    .orElseGet(Set::of);
            if (findings.isEmpty() == known.isPresent()) {
                changes.add(new Change(version, before.orElseGet(() -> none(known)), findings, known));
            }
        }
        open.forEach((name, problem) -> {
            if (inOrder.stream().noneMatch(version -> version.version().equals(name))) {
                changes.add(new Change(none(name), none(problem.before()), Set.of(), Optional.of(problem)));
            }
        });
        return changes;
    }

    private static VersionFigures none(Optional<WorseVersion> known) {
        return none(known.map(WorseVersion::before).orElse(""));
    }

    private static VersionFigures none(String version) {
        return new VersionFigures(version, Instant.EPOCH, Instant.EPOCH, VersionSums.NONE);
    }

    /** Returns the versions from the oldest to the newest. The collected further versions are no version. */
    public static List<VersionFigures> inOrder(List<VersionFigures> figures) {
        return figures.stream()
                .filter(version -> !version.version().equals(AgentVersion.OTHER))
                .sorted(Comparator.comparing(VersionFigures::firstSeen)
                        .thenComparing(VersionFigures::lastSeen)
                        .thenComparing(VersionFigures::version))
                .toList();
    }

    /** Returns the version with which a version is compared: the nearest version before it that has enough executions. */
    public static Optional<VersionFigures> before(List<VersionFigures> inOrder, VersionFigures version) {
        return inOrder.subList(0, inOrder.indexOf(version)).stream()
                .filter(earlier -> earlier.sums().executions() >= MIN_EXECUTIONS)
                .reduce((earlier, later) -> later);
    }

    /** Returns whether a version is in use: no other version has an execution two hours after the last execution of this version. */
    static boolean isInUse(VersionFigures version, List<VersionFigures> others) {
        Instant newest = others.stream()
                .map(VersionFigures::lastSeen)
                .max(Comparator.naturalOrder())
                .orElse(version.lastSeen());
        return version.lastSeen().isAfter(newest.minusSeconds(2 * HourUsage.SECONDS));
    }

    /** Returns the ways in which a version is worse than an earlier version. */
    public static Set<VersionFinding> findings(VersionFigures version, VersionFigures before) {
        return findings(version, before, BEGINS);
    }

    private static Set<VersionFinding> findings(VersionFigures version, VersionFigures before, Bounds bounds) {
        Set<VersionFinding> findings = EnumSet.noneOf(VersionFinding.class);
        if (version.sums().executions() < MIN_EXECUTIONS || before.sums().executions() < MIN_EXECUTIONS) {
            return findings;
        }
        if (successes(version, bounds).high() < successes(before, bounds).low()) {
            findings.add(VersionFinding.SUCCESS);
        }
        if (isSlower(version, before, bounds)) {
            findings.add(VersionFinding.LATENCY);
        }
        if (usesMore(version.sums().tokensThatCount(), before.sums().tokensThatCount(), bounds)) {
            findings.add(VersionFinding.TOKENS);
        }
        return findings;
    }

    private static WilsonInterval successes(VersionFigures version, Bounds bounds) {
        return WilsonInterval.of(version.sums().successes(), version.sums().executions(), bounds.deviations());
    }

    /** Returns whether more than 1 % of the executions take longer than the limit, and more of them than of the earlier version. */
    private static boolean isSlower(VersionFigures version, VersionFigures before, Bounds bounds) {
        double limit = bounds.factor() * before.p99Ms();
        long measured = version.sums().latencies().total();
        long measuredBefore = before.sums().latencies().total();
        if (measured < MIN_EXECUTIONS || measuredBefore < MIN_EXECUTIONS) {
            return false;
        }
        WilsonInterval slow = WilsonInterval.of(version.sums().latencies().above(limit), measured, bounds.deviations());
        WilsonInterval slowBefore =
                WilsonInterval.of(before.sums().latencies().above(limit), measuredBefore, bounds.deviations());
        return slow.low() > Math.max(P99_SHARE, slowBefore.high());
    }

    private static boolean usesMore(TokenSums version, TokenSums before, Bounds bounds) {
        if (version.executions() < MIN_EXECUTIONS || before.executions() < MIN_EXECUTIONS || before.tokens() <= 0) {
            return false;
        }
        double ratio = version.mean() / before.mean();
        double uncertainty = Math.sqrt(version.relativeVariance() + before.relativeVariance());
        return ratio >= bounds.factor() && Math.log(ratio) > bounds.deviations() * uncertainty;
    }
}
