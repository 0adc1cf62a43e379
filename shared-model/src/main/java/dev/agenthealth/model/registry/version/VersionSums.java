package dev.agenthealth.model.registry.version;

import dev.agenthealth.model.registry.outcome.LatencyBuckets;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import dev.agenthealth.model.registry.usage.UsageSource;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The sums of the executions of one version. Sums of parts add up to the sums of the whole.
 *
 * @param successes the number of successful executions
 * @param failures the number of failed executions, without failures because of a model provider
 * @param latencies the distribution of the latencies
 * @param tokens the tokens that each source reported
 */
public record VersionSums(
        long successes, long failures, LatencyHistogram latencies, Map<UsageSource, TokenSums> tokens) {

    public static final VersionSums NONE = new VersionSums(0, 0, LatencyHistogram.EMPTY, Map.of());

    public VersionSums {
        Map<UsageSource, TokenSums> present = new EnumMap<>(UsageSource.class);
        present.putAll(tokens);
        present.values().removeIf(TokenSums::isNone);
        tokens = Collections.unmodifiableMap(present);
    }

    /** Returns the sums of one outcome, without its tokens. A trigger failure and a failure because of a model provider count for no version. */
    public static VersionSums of(Outcome outcome) {
        if (outcome.result() == OutcomeResult.TRIGGER_FAILURE || outcome.isUpstreamFailure()) {
            return NONE;
        }
        boolean success = outcome.result() == OutcomeResult.SUCCESS;
        LatencyHistogram latency = outcome.hasLatency()
                ? LatencyHistogram.of(Map.of(LatencyBuckets.of(outcome.latencyMs()), 1L))
                : LatencyHistogram.EMPTY;
        return new VersionSums(success ? 1 : 0, success ? 0 : 1, latency, Map.of());
    }

    /** Returns these sums with the usage of one execution. */
    public VersionSums with(UsageSource source, Usage ofExecution) {
        return with(source, ofExecution, ofExecution.tokens(true));
    }

    /**
     * Returns these sums with the tokens and executions of a usage.
     *
     * @param ofExecution the tokens of the whole execution, which say how much executions differ; 0 if they are unknown
     */
    public VersionSums with(UsageSource source, Usage usage, long ofExecution) {
        TokenSums sums = new TokenSums(
                usage.tokens(true),
                (double) ofExecution * ofExecution,
                usage.total().get(UsageCounter.EXECUTIONS));
        return sums.isNone() ? this : plus(new VersionSums(0, 0, LatencyHistogram.EMPTY, Map.of(source, sums)));
    }

    /** Returns the sum of two sums. */
    public VersionSums plus(VersionSums other) {
        Map<UsageSource, TokenSums> sums = new EnumMap<>(UsageSource.class);
        sums.putAll(tokens);
        other.tokens.forEach((source, more) -> sums.merge(source, more, TokenSums::plus));
        return new VersionSums(
                successes + other.successes, failures + other.failures, latencies.plus(other.latencies), sums);
    }

    /** Returns the difference to an earlier part of these sums. The numbers of tokens may be negative. */
    public VersionSums minus(VersionSums part) {
        Map<UsageSource, TokenSums> rest = new EnumMap<>(UsageSource.class);
        rest.putAll(tokens);
        part.tokens.forEach((source, less) -> rest.merge(source, less.negative(), TokenSums::plus));
        return new VersionSums(
                successes - part.successes, failures - part.failures, latencies.minus(part.latencies), rest);
    }

    /** Returns these sums with the tokens of one source: the source with the most tokens, so that an execution counts once. */
    public VersionSums counted() {
        return new VersionSums(successes, failures, latencies, Map.of(UsageSource.SELF, tokensThatCount()));
    }

    /** Returns the tokens of the source with the most tokens. */
    public TokenSums tokensThatCount() {
        return tokens.values().stream().max(TokenSums.BY_TOKENS).orElse(TokenSums.NONE);
    }

    /** Returns the number of executions. */
    public long executions() {
        return successes + failures;
    }

    /** Returns whether all numbers are 0. */
    public boolean isNone() {
        return executions() == 0 && latencies.total() == 0 && tokens.isEmpty();
    }
}
