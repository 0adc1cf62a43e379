package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/** The settings of an agent that the client keeps registered. Not thread-safe. */
public final class AgentBuilder {

    /** Starts an agent of these settings. */
    interface Starter {
        ManagedAgent start(AgentBuilder settings);
    }

    private final Starter starter;
    private Registration registration;
    private Consumer<Drain> onDrain = drain -> {};
    private Optional<Consumer<Drain>> onRestart = Optional.empty();
    private IntConsumer exit = ProcessRestart::exit;
    private Consumer<Death> onDead = death -> {};
    private Consumer<AgentEnd> onEnd = end -> {};
    private Consumer<Outcome> onOutcome = outcome -> {};
    private DeathPolicy deathPolicy = DeathPolicy.REGISTER_AGAIN;
    private boolean replace = true;
    private Duration closeTimeout = Duration.ofSeconds(10);

    AgentBuilder(Starter starter, Registration registration) {
        this.starter = starter;
        this.registration = registration;
    }

    /** Changes what the agent registers as. */
    public AgentBuilder registration(UnaryOperator<Registration> change) {
        registration = change.apply(registration);
        return this;
    }

    /**
     * The callback for a drain: take no more work, and return when nothing is left. The registry regards the agent as
     * working until the callback returns. It runs on a thread of its own while heartbeats go on; after the word of an operator, who {@linkplain
     * Drain.Cause#ENDED ended the agent}, without heartbeats.
     */
    public AgentBuilder onDrain(Consumer<Drain> callback) {
        onDrain = callback;
        return this;
    }

    /**
     * The callback for a request to restart the process, as one that is stuck; called once for each. By default the agent drains for at most the
     * time in the request, and then the process ends with status {@value ProcessRestart#STATUS}, so that its supervisor starts it anew.
     */
    public AgentBuilder onRestart(Consumer<Drain> callback) {
        onRestart = Optional.of(callback);
        return this;
    }

    /** Sets what ends the process with a status. */
    AgentBuilder exit(IntConsumer newExit) {
        exit = newExit;
        return this;
    }

    /** The callback for a death at the registry: stop work under leases. The agent registers again when the callback returned. */
    public AgentBuilder onDead(Consumer<Death> callback) {
        onDead = callback;
        return this;
    }

    /** The callback for the end, after which the client sends nothing more for the agent; see {@link AgentEnd} for the reasons. */
    public AgentBuilder onEnd(Consumer<AgentEnd> callback) {
        onEnd = callback;
        return this;
    }

    /** The callback for every outcome, which is sent all the same; it may count it for the agent's own health document. It must return fast. */
    public AgentBuilder onOutcome(Consumer<Outcome> callback) {
        onOutcome = callback;
        return this;
    }

    /** The policy after the agent's death: by default it registers again, unless an operator ended it. */
    public AgentBuilder deathPolicy(DeathPolicy policy) {
        deathPolicy = policy;
        return this;
    }

    /**
     * Says whether the start takes the id over from a process that uses it, as after a crash or in a rolling restart: true by default. A live
     * process of another {@linkplain Registration#instance instance} first has to end or to be silent for two intervals; until then the agent works,
     * and the client tries again. If false, an id in use is {@link ConflictException}.
     */
    public AgentBuilder replace(boolean takesOver) {
        replace = takesOver;
        return this;
    }

    /** The time for which {@link ManagedAgent#close} and a shutdown of the JVM wait for the drain: 10 s by default. */
    public AgentBuilder closeTimeout(Duration timeout) {
        closeTimeout = timeout;
        return this;
    }

    /**
     * Registers the agent and sends heartbeats from now on. If the registry is away, this returns all the same, and the client goes on
     * trying in the background.
     *
     * @throws UnauthenticatedException for a wrong key
     * @throws ForbiddenException where another key owns the id
     * @throws ConflictException where the id is in use and is not to be replaced
     * @throws UnexpectedAnswerException where the URL is not that of a registry
     * @throws ProblemException for a registration that breaks a rule
     */
    public ManagedAgent start() {
        return starter.start(this);
    }

    Registration registration() {
        Registration named = registration.instanceOr(HostName::read);
        return replace ? named.replace() : named;
    }

    Consumer<Drain> onDrain() {
        return onDrain;
    }

    Optional<Consumer<Drain>> onRestart() {
        return onRestart;
    }

    IntConsumer exit() {
        return exit;
    }

    Consumer<Death> onDead() {
        return onDead;
    }

    Consumer<AgentEnd> onEnd() {
        return onEnd;
    }

    Consumer<Outcome> onOutcome() {
        return onOutcome;
    }

    DeathPolicy deathPolicy() {
        return deathPolicy;
    }

    Duration closeTimeout() {
        return closeTimeout;
    }
}
