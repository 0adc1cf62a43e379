package dev.agenthealth.model.health;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.usage.SharedUsage;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.sweep.SecondOpinionRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A reason for a verdict that is worse than {@link Verdict#OK}. The constants start with the worst reason. */
public enum VerdictReason implements WireNamed {
    DEREGISTERED(Verdict.GONE),
    /** The agent is dead, and an operator dismissed it or 30 days have passed. */
    DISMISSED(Verdict.GONE),
    PROVIDER_BLOCKED(Verdict.BLOCKED),
    AGENT_BLOCKED(Verdict.BLOCKED),
    /** An operator stopped the agent, and it has no block of its own. */
    AGENT_STOPPED(Verdict.BLOCKED),
    DEAD(Verdict.DOWN),
    /** Fewer than half of the executions succeeded. */
    HEALTH_UNHEALTHY(Verdict.DOWN),
    /** The last run that a ping reported has failed. */
    LAST_RUN_FAILED(Verdict.DOWN),
    /** A task is without progress for longer than twice the time that the agent declares. */
    STALLED_TWICE_AS_LONG(Verdict.DOWN) {
        @Override
        public String wireName() {
            return STALLED.wireName();
        }
    },
    /** Calls were repeated at least three times as often as the agent declares. */
    LOOPING_THREE_TIMES_AS_OFTEN(Verdict.DOWN) {
        @Override
        public String wireName() {
            return LOOPING.wireName();
        }
    },
    /** A limit of tokens, calls or executions is used up: of the agent, its role or its owner. */
    OVER_LIMIT(Verdict.DOWN),
    /** The agent sent no heartbeats for longer than its threshold. */
    SILENT(Verdict.DEGRADED),
    /** The agent sent no heartbeats for so long that it would be dead, but it still answers the registry's requests. */
    REACHABLE_WITHOUT_HEARTBEATS(Verdict.DEGRADED),
    /** The agent takes no new work. */
    DRAINING(Verdict.DEGRADED),
    /** A task is without progress for longer than the agent declares. */
    STALLED(Verdict.DEGRADED),
    /** Calls were repeated at least as often as the agent declares. */
    LOOPING(Verdict.DEGRADED),
    /** At least 80 % of a limit of tokens, calls or executions is used. */
    NEAR_LIMIT(Verdict.DEGRADED),
    /** The evaluated executions are worse than the agent declares. This reason replaces {@link #HEALTH_DEGRADED}. */
    LOW_QUALITY(Verdict.DEGRADED),
    /** Too few executions succeeded, or too many were slow. */
    HEALTH_DEGRADED(Verdict.DEGRADED),
    SCORE_UNHEALTHY(Verdict.DEGRADED),
    SCORE_DEGRADED(Verdict.DEGRADED),
    /** The agent restarted too often within an hour. */
    RESTARTS(Verdict.DEGRADED),
    /** The agent sent no heartbeat since its registration, and too few executions are known for a health status. */
    NO_SIGN_OF_LIFE(Verdict.UNKNOWN),
    /** A task needs an answer of a person. */
    WAITING_FOR_PERSON(Verdict.OK),
    /** Calls of a model provider fail for many agents at once, and for this agent. The cause is not the agent. */
    UPSTREAM(Verdict.OK);

    private static final List<VerdictReason> WORST_FIRST = List.of(values());

    private final Verdict verdict;

    VerdictReason(Verdict verdict) {
        this.verdict = verdict;
    }

    public Verdict verdict() {
        return verdict;
    }

    /**
     * The facts about an agent that lead to a verdict.
     *
     * @param blocks the blocks in force
     * @param lifecycle the lifecycle status
     * @param gone whether the agent is {@linkplain DownRule gone}
     * @param health the health by the outcomes alone, and the usage
     * @param signs the signs of a live agent that works
     * @param upstream the problem of a provider that concerns the agent; empty without one
     * @param shared the nearly or wholly used limit that the agent shares with others; empty without one
     */
    public record Facts(
            Blocks blocks,
            LifecycleStatus lifecycle,
            boolean gone,
            Health health,
            Signs signs,
            Optional<UpstreamProblem> upstream,
            Optional<SharedUsage> shared) {

        /** Creates the facts about an agent that no problem of a provider and no shared limit concerns. */
        public Facts(Blocks blocks, LifecycleStatus lifecycle, boolean gone, Health health, Signs signs) {
            this(blocks, lifecycle, gone, health, signs, Optional.empty(), Optional.empty());
        }

        /**
         * The blocks in force.
         *
         * @param provider whether a provider of the agent is blocked
         * @param agent whether the agent is blocked
         * @param stopped whether an operator stopped the agent
         */
        public record Blocks(boolean provider, boolean agent, boolean stopped) {

            /** Creates the blocks of an agent that is not stopped. */
            public Blocks(boolean provider, boolean agent) {
                this(provider, agent, false);
            }
        }

        /**
         * The health of an agent by its outcomes alone, and its usage.
         *
         * @param measured the health status
         * @param score the score state
         * @param usage the part of its own limits that the agent has used
         * @param lowQuality whether the quality of the executions is below the minimum that the agent declares
         */
        public record Health(HealthStatus measured, ScoreState score, UsageLevel usage, boolean lowQuality) {

            /** Creates the health of an agent whose quality is not too low. */
            public Health(HealthStatus measured, ScoreState score, UsageLevel usage) {
                this(measured, score, usage, false);
            }
        }

        /**
         * The signs of an agent that is alive and works.
         *
         * @param restartsTooOften whether restarts alone make the agent degraded
         * @param sentHeartbeat whether the agent sent a heartbeat in this incarnation
         * @param stall how long the agent has been without progress
         * @param loop how often the agent has repeated the same calls
         * @param reachable whether only the agent's answers show that it is alive
         * @param runFailed whether the last run that a ping reported has failed
         * @param waiting whether the agent waits for a person
         */
        public record Signs(
                boolean restartsTooOften,
                boolean sentHeartbeat,
                StallLevel stall,
                StallLevel loop,
                boolean reachable,
                boolean runFailed,
                boolean waiting) {}

        /**
         * Returns the facts about an agent from its row.
         *
         * @param summary the summary of the agent's health on its row
         */
        public static Facts of(
                boolean providerBlocked, boolean agentBlocked, Pulse pulse, HealthSummary summary, Instant now) {
            return new Facts(
                    new Blocks(providerBlocked, agentBlocked),
                    pulse.status(),
                    DownRule.isOver(pulse, now),
                    new Health(
                            summary.measured(),
                            summary.isInactive() ? ScoreState.INACTIVE : ScoreState.ofHundredths(summary.hundredths()),
                            pulse.usage().levelAt(now),
                            summary.lowQuality()),
                    new Signs(
                            ClockRule.holds(summary.restartsDegradeUntil(), Restarts.PERIOD, now),
                            pulse.heartbeatCount() > 0,
                            StallRule.level(pulse),
                            LoopRule.level(pulse),
                            SecondOpinionRule.isReachable(pulse, now),
                            pulse.runFailed(),
                            WaitingRule.since(pulse).isPresent()));
        }

        /** Returns these facts with a measurement that is newer than the agent's row. */
        public Facts measured(Measurement measurement, ScoreState state) {
            return new Facts(
                    blocks,
                    lifecycle,
                    gone,
                    new Health(
                            measurement.status(LifecycleStatus.ACTIVE),
                            state,
                            health.usage(),
                            measurement.isLowQuality()),
                    signs,
                    upstream,
                    shared);
        }

        /** Returns these facts with whether an operator stopped the agent. */
        public Facts stopped(boolean stopped) {
            return new Facts(
                    new Blocks(blocks.provider(), blocks.agent(), stopped),
                    lifecycle,
                    gone,
                    health,
                    signs,
                    upstream,
                    shared);
        }

        /** Returns these facts with the problem of a provider that concerns the agent. */
        public Facts with(Optional<UpstreamProblem> problem) {
            return new Facts(blocks, lifecycle, gone, health, signs, problem, shared);
        }

        /**
         * Returns these facts with the limit that the agent shares with others.
         *
         * @param usage the use of the limit, which holds now
         */
        public Facts sharing(Optional<SharedUsage> usage) {
            return new Facts(blocks, lifecycle, gone, health, signs, upstream, usage);
        }

        /** Returns the shared limit if more of it is used than of the agent's own limits; empty otherwise. */
        public Optional<SharedUsage> decidingShare() {
            return shared.isEmpty()
                    ? shared
                    : shared.filter(usage -> usage.state().level().compareTo(health.usage()) > 0);
        }

        private UsageLevel usage() {
            Optional<SharedUsage> deciding = decidingShare();
            return deciding.isPresent() ? deciding.get().state().level() : health.usage();
        }

        /** Returns whether the agent is stalled. */
        public boolean isStalled() {
            return signs.stall() != StallLevel.NONE;
        }

        /** Returns whether the agent waits for a person. */
        public boolean isWaiting() {
            return signs.waiting();
        }

        /** Returns whether the agent is looping. */
        public boolean isLooping() {
            return signs.loop() != StallLevel.NONE;
        }

        /** Returns whether calls of the agent are refused. */
        public boolean isBlocked() {
            return blocks.provider() || blocks.agent() || blocks.stopped();
        }

        /** Returns the health status under the lifecycle status (Agent Health State §4.3). */
        public HealthStatus healthStatus() {
            return health.measured().under(lifecycle);
        }

        /** Returns the verdict of the worst reason; {@link Verdict#OK} without any reason. */
        public Verdict verdict() {
            for (VerdictReason reason : WORST_FIRST) {
                if (holds(reason)) {
                    return reason.verdict();
                }
            }
            return Verdict.OK;
        }

        /** Returns all reasons that hold, the worst first. Measurements count only if the agent is neither dead nor deregistered. */
        public List<VerdictReason> reasons() {
            List<VerdictReason> reasons = new ArrayList<>();
            for (VerdictReason reason : WORST_FIRST) {
                if (holds(reason)) {
                    reasons.add(reason);
                }
            }
            return List.copyOf(reasons);
        }

        private boolean holds(VerdictReason reason) {
            boolean present = !lifecycle.hasEnded();
            return switch (reason) {
                case PROVIDER_BLOCKED -> blocks.provider();
                case AGENT_BLOCKED -> blocks.agent();
                case AGENT_STOPPED -> blocks.stopped() && !blocks.agent();
                case DEAD -> lifecycle == LifecycleStatus.DEAD;
                case DEREGISTERED -> lifecycle == LifecycleStatus.DEREGISTERED;
                case DISMISSED -> gone && lifecycle == LifecycleStatus.DEAD;
                case SILENT -> lifecycle == LifecycleStatus.UNHEALTHY && !signs.reachable();
                case REACHABLE_WITHOUT_HEARTBEATS -> signs.reachable();
                case DRAINING -> lifecycle == LifecycleStatus.DRAINING;
                case HEALTH_UNHEALTHY -> present && health.measured() == HealthStatus.UNHEALTHY;
                case LOW_QUALITY -> present && health.lowQuality();
                case HEALTH_DEGRADED -> present && health.measured() == HealthStatus.DEGRADED && !health.lowQuality();
                case SCORE_UNHEALTHY -> present && health.score() == ScoreState.UNHEALTHY;
                case SCORE_DEGRADED -> present && health.score() == ScoreState.DEGRADED;
                case LAST_RUN_FAILED -> present && signs.runFailed();
                case STALLED_TWICE_AS_LONG -> signs.stall() == StallLevel.ERROR;
                case STALLED -> signs.stall() == StallLevel.WARNING;
                case LOOPING_THREE_TIMES_AS_OFTEN -> signs.loop() == StallLevel.ERROR;
                case LOOPING -> signs.loop() == StallLevel.WARNING;
                case OVER_LIMIT -> present && usage() == UsageLevel.EXCEEDED;
                case NEAR_LIMIT -> present && usage() == UsageLevel.WARNING;
                case RESTARTS -> present && signs.restartsTooOften();
                case NO_SIGN_OF_LIFE -> present && !signs.sentHeartbeat() && health.measured() == HealthStatus.UNKNOWN;
                case WAITING_FOR_PERSON -> signs.waiting();
                case UPSTREAM -> present && upstream.isPresent();
            };
        }
    }
}
