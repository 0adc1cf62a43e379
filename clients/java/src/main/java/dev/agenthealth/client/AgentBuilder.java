package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/** The settings of an agent that the client keeps registered. Not thread-safe. */
public final class AgentBuilder {

    /** Starts an agent with these settings. */
    interface Starter {
        ManagedAgent start(AgentBuilder settings);
    }

    private final Starter starter;
    private Registration registration;
    private Consumer<Drain> onDrain = drain -> {};
    private Optional<Consumer<Drain>> onRestart = Optional.empty();
    private IntConsumer exit = ProcessRestart::exit;
    private Consumer<Death> onDead = death -> {};
    private Consumer<ProblemException> onRefused = refusal -> {};
    private Consumer<AgentEnd> onEnd = end -> {};
    private Consumer<Outcome> onOutcome = outcome -> {};
    private DeathPolicy deathPolicy = DeathPolicy.REGISTER_AGAIN;
    private boolean replace = true;
    private Duration closeTimeout = Duration.ofSeconds(10);

    AgentBuilder(Starter starter, Registration registration) {
        this.starter = starter;
        this.registration = registration;
    }

    /** Changes the registration of the agent. */
    public AgentBuilder registration(UnaryOperator<Registration> change) {
        registration = change.apply(registration);
        return this;
    }

    /**
     * Sets the callback for a drain. It must take no more work, and return when no work is left. The registry regards the agent as working
     * until the callback returns.
     *
     * <p>The callback runs on its own thread while heartbeats continue. After an operator {@linkplain Drain.Cause#ENDED ended the agent},
     * it runs without heartbeats.
     */
    public AgentBuilder onDrain(Consumer<Drain> callback) {
        onDrain = callback;
        return this;
    }

    /**
     * Sets the callback for a request to restart the process, for example because it is stuck. It is called once per request. By default
     * the agent drains for at most the time in the request. Then the process ends with status {@value ProcessRestart#STATUS}, so that its
     * supervisor starts it again.
     */
    public AgentBuilder onRestart(Consumer<Drain> callback) {
        onRestart = Optional.of(callback);
        return this;
    }

    /** Sets the action that ends the process with a status. */
    AgentBuilder exit(IntConsumer newExit) {
        exit = newExit;
        return this;
    }

    /**
     * Sets the callback for a death at the registry. It must stop work under leases. The agent registers again after the callback returns.
     */
    public AgentBuilder onDead(Consumer<Death> callback) {
        onDead = callback;
        return this;
    }

    /**
     * Sets the callback for the begin of refusals of the key ({@link UnauthenticatedException}), or of what the key may do ({@link
     * ForbiddenException}), at the start or later. By default the agent goes on with its work, and the client retries once per interval. A
     * program that must not run without the registry ends itself here.
     */
    public AgentBuilder onRefused(Consumer<ProblemException> callback) {
        onRefused = callback;
        return this;
    }

    /** Sets the callback for the end of the agent, after which the client sends nothing more for it. {@link AgentEnd} lists the reasons. */
    public AgentBuilder onEnd(Consumer<AgentEnd> callback) {
        onEnd = callback;
        return this;
    }

    /**
     * Sets a callback for every outcome, for example to count it for the agent's own health document. The outcome is sent in any case. The
     * callback must return fast.
     */
    public AgentBuilder onOutcome(Consumer<Outcome> callback) {
        onOutcome = callback;
        return this;
    }

    /** Sets the policy after the agent's death. By default the agent registers again, unless an operator ended it. */
    public AgentBuilder deathPolicy(DeathPolicy policy) {
        deathPolicy = policy;
        return this;
    }

    /**
     * Sets whether the start takes the id over from another process, as after a crash or in a rolling restart; true by default. A live
     * process of another {@linkplain Registration#instance instance} first has to end or to send no heartbeats for two intervals. Until
     * then the agent works and the client retries. If false, an id in use causes a {@link ConflictException}.
     */
    public AgentBuilder replace(boolean takesOver) {
        replace = takesOver;
        return this;
    }

    /** Sets the maximum time that {@link ManagedAgent#close} and a shutdown of the JVM wait for the drain; 10 s by default. */
    public AgentBuilder closeTimeout(Duration timeout) {
        closeTimeout = timeout;
        return this;
    }

    /**
     * Registers the agent and starts to send heartbeats. If the registry is unreachable or refuses the key, this method returns normally,
     * and the client retries in the background.
     *
     * @throws ConflictException if the id is in use and must not be replaced
     * @throws UnexpectedAnswerException if the URL does not belong to a registry
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

    Consumer<ProblemException> onRefused() {
        return onRefused;
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
