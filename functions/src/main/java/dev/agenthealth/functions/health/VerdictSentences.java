package dev.agenthealth.functions.health;

import dev.agenthealth.functions.runtime.json.Decimals;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.VerdictReason;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.usage.SharedUsage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The reasons of a verdict as sentences with the numbers behind them. */
final class VerdictSentences {

    private static final int RATIO_DECIMALS = 4;

    private final HealthReading reading;
    private final Pulse pulse;
    private final ProbeState probes;
    private final Optional<UpstreamProblem> upstream;
    private final Optional<SharedUsage> shared;

    private VerdictSentences(HealthReading reading, Pulse pulse, ProbeState probes, Facts facts) {
        this.reading = reading;
        this.pulse = pulse;
        this.probes = probes;
        this.upstream = facts.upstream();
        this.shared = facts.decidingShare();
    }

    /**
     * Returns the sentences, the worst reason first.
     *
     * @param probes the results of the probes of an unhealthy or dead agent; {@link ProbeState#NONE} if the agent is not watched
     */
    static List<String> of(Facts facts, HealthReading reading, Pulse pulse, ProbeState probes) {
        VerdictSentences sentences = new VerdictSentences(reading, pulse, probes, facts);
        return facts.reasons().stream().flatMap(sentences::of).toList();
    }

    private Stream<String> of(VerdictReason reason) {
        return switch (reason) {
            case PROVIDER_BLOCKED -> Stream.of("A provider of the agent is blocked.");
            case AGENT_BLOCKED -> Stream.of("The agent is blocked.");
            case AGENT_STOPPED -> Stream.of("An operator stopped the agent.");
            case DEAD ->
                Stream.of("The agent is dead; " + (wasHeard() ? "its " : "there is ") + lastHeartbeat() + "."
                        + failingProbes());
            case DEREGISTERED -> Stream.of("The agent is deregistered.");
            case DISMISSED ->
                Stream.of(
                        pulse.dismissed()
                                ? "The agent was dismissed: it is dead for good."
                                : "The agent is dead for more than " + DownRule.MAX_DOWN.toDays() + " days.");
            case HEALTH_UNHEALTHY -> Stream.of(responseRatioBelow("0.5"));
            case LOW_QUALITY -> Stream.concat(Stream.of(lowQuality()), degraded());
            case HEALTH_DEGRADED -> degraded();
            case SILENT -> Stream.of(silent());
            case REACHABLE_WITHOUT_HEARTBEATS ->
                Stream.of((wasHeard() ? "The " : "There is ") + lastHeartbeat()
                        + "; the agent is not dead because it answers when it is asked.");
            case STALLED, STALLED_TWICE_AS_LONG -> Stream.of(stalled());
            case LOOPING, LOOPING_THREE_TIMES_AS_OFTEN -> Stream.of(looping());
            case OVER_LIMIT -> Stream.of("The " + limit() + " is used up, until " + usageEnds() + ".");
            case NEAR_LIMIT -> Stream.of("At least 80 % of the " + limit() + " is used, until " + usageEnds() + ".");
            case LAST_RUN_FAILED -> Stream.of("The last run failed that a ping reported.");
            case DRAINING ->
                Stream.of("The agent drains until "
                        + Timestamps.text(pulse.drain().deadline()) + " and takes no new work.");
            case SCORE_UNHEALTHY -> Stream.of(scoreBelow("65"));
            case SCORE_DEGRADED -> Stream.of(scoreBelow("85"));
            case RESTARTS -> Stream.of("The agent restarted " + reading.restarts() + " times within an hour.");
            case WAITING_FOR_PERSON ->
                Stream.of("The agent has been waiting for a person since "
                        + Timestamps.text(WaitingRule.since(pulse).orElseThrow()) + ".");
            case UPSTREAM -> upstream.stream().map(VerdictSentences::upstream);
            case NO_SIGN_OF_LIFE ->
                Stream.of("The agent sent no heartbeat since it registered, and fewer than " + Measurement.MIN_SAMPLES
                        + " of its executions are known.");
        };
    }

    private String stalled() {
        Activity activity = pulse.activity();
        return "A task has made no progress " + activity.phase().place() + " since "
                + Timestamps.text(activity.lastProgressAt()) + ", longer than the "
                + pulse.config().stall().after(activity.phase()).orElseThrow().toSeconds()
                + " seconds that the agent declares.";
    }

    private String looping() {
        Repetition repetition = LoopRule.repetition(pulse);
        return "The same calls were repeated " + repetition.repeats() + " times since "
                + Timestamps.text(repetition.since())
                + (repetition.tool().isEmpty() ? "" : ", the last of them of the tool '" + repetition.tool() + "'")
                + "; the agent declares " + pulse.config().loop().maxRepeats() + ".";
    }

    private String limit() {
        return shared.map(usage -> "limit of " + usage.state().limit().words() + " that the agents of "
                        + usage.holder().name() + " share")
                .orElseGet(() -> "limit of " + pulse.usage().limit().words());
    }

    private String usageEnds() {
        return Timestamps.text(
                shared.map(usage -> usage.state().until()).orElse(pulse.usage().until()));
    }

    private static String upstream(UpstreamProblem problem) {
        return "Model provider " + problem.provider() + " fails for many agents since "
                + Timestamps.text(problem.since()) + ", this agent among them: " + problem.problemId() + ".";
    }

    private String silent() {
        String last = (wasHeard() ? "The " : "There is ") + lastHeartbeat() + ", ";
        return last
                + pulse.config()
                        .expectedAfter(pulse.lastHeartbeatAt())
                        .map(expected -> "and the run of " + Timestamps.text(expected) + " did not come.")
                        .orElseGet(() -> "longer ago than the threshold of "
                                + pulse.config().unhealthyAfterSeconds() + " seconds.")
                + failingProbes();
    }

    private boolean wasHeard() {
        return pulse.heartbeatCount() > 0;
    }

    /** Returns the time of the last heartbeat. Without a heartbeat, the time of the registration takes its place. */
    private String lastHeartbeat() {
        return (wasHeard() ? "last heartbeat came at " : "no heartbeat since the registration at ")
                + Timestamps.text(pulse.lastHeartbeatAt());
    }

    private String failingProbes() {
        return probes.isFailing()
                ? " The agent does not answer as expected: " + probes.failure() + " since "
                        + Timestamps.text(probes.since()) + "."
                : "";
    }

    private Stream<String> degraded() {
        Measurement measurement = reading.health().measurement();
        Stream<String> ratio =
                measurement.isBelowHealthyRatio() ? Stream.of(responseRatioBelow("0.95")) : Stream.empty();
        return measurement.isTooSlow() ? Stream.concat(ratio, Stream.of(tooSlow(measurement))) : ratio;
    }

    private String lowQuality() {
        Measurement measurement = reading.health().measurement();
        // Rounded down, so that the number in the sentence is also below the minimum.
        return "The average quality of " + measurement.counts().evaluations() + " evaluations, "
                + BigDecimal.valueOf(measurement.counts().quality().orElse(0))
                        .setScale(RATIO_DECIMALS, RoundingMode.DOWN)
                        .stripTrailingZeros()
                        .toPlainString()
                + ", is below the "
                + BigDecimal.valueOf(measurement.expectations().minQuality().orElse(0))
                        .stripTrailingZeros()
                        .toPlainString()
                + " that the agent declares.";
    }

    private String responseRatioBelow(String limit) {
        BigDecimal ratio = BigDecimal.valueOf(reading.health().measurement().responseRatio());
        // Rounded down, so that the number in the sentence is also below the limit.
        return "Response ratio "
                + ratio.setScale(RATIO_DECIMALS, RoundingMode.DOWN).toPlainString() + " is below " + limit + ".";
    }

    private static String tooSlow(Measurement measurement) {
        long above = measurement.counts().get(OutcomeCounter.ABOVE_BASELINE);
        return above + " of " + measurement.counts().get(OutcomeCounter.LATENCIES)
                + (above == 1 ? " latencies is above " : " latencies are above ")
                + Decimals.rounded(measurement.expectations().latencyLimitMs().orElse(0), Measurement.LATENCY_DECIMALS)
                        .toPlainString()
                + " ms, three times the baseline, which is more than 1 %.";
    }

    private String scoreBelow(String limit) {
        return "Score " + reading.health().score().points().toPlainString() + " is below " + limit + ".";
    }
}
