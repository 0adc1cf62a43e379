package dev.agenthealth.functions.sweep.probes;

import com.amazonaws.services.lambda.runtime.Context;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.gateway.AgentCredentials;
import dev.agenthealth.functions.registry.declarations.ObservedDeclarations;
import dev.agenthealth.functions.registry.lifesigns.SignsOfLife;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.invocations.CallPermitStore;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.sweep.ProbeSample;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Probes the agents in the queue. Thread-safe.
 *
 * <p>After a successful probe, the registry sends a heartbeat for the agent. The failure of a probe is stored and shows why the agent does
 * not answer. Late and duplicate messages do no harm.
 */
public final class Probes {

    /** The maximum number of concurrent runs: a run may still end while the next run begins. */
    static final int MAX_RUNS = 2;

    /** The group of the permits of runs. A new account cannot reserve concurrency for the function. */
    static final String PERMITS = "PROBES";

    /** The time limit of the function. */
    private static final Duration MAX_RUN = Duration.ofSeconds(60);

    /** Longer than the longest probe and the write after it. */
    private static final Duration MAX_PROBE = Duration.ofSeconds(Watch.MAX_TIMEOUT_SECONDS + 8);

    /** The time between two looks into the queue while probes are running. Probes of other owners do not wait for slow agents. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final ProbeQueue queue;
    private final Prober prober;
    private final AgentStore agents;
    private final ProbeStore states;
    private final CallPermitStore permits;
    private final SweepStateStore evidence;
    private final ProbeResults results;
    private final ObservedDeclarations declarations;
    private final SignsOfLife signsOfLife;
    private final AgentCredentials credentials;
    private final Executor executor;
    private final Clock clock;
    private final Log log;
    private final ThrottleMonitor throttles;

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to agents
     */
    public Probes(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        Database database = Database.of(wiring);
        CachedConfiguration configuration = new CachedConfiguration(database);
        this.queue = new ProbeQueue(wiring);
        this.log = wiring.log();
        this.clock = wiring.clock();
        this.prober = new Prober(
                AddressCheck.of(wiring, resolver),
                new PinnedHttpClient(tls),
                () -> configuration.current().configuration().get(RuntimeSettings.CARD_KEYS),
                "agent-health (+" + wiring.get(FunctionSettings.PUBLIC_URL) + ")",
                clock);
        this.agents = new AgentStore(database);
        this.states = new ProbeStore(database);
        this.permits = new CallPermitStore(database);
        this.evidence = new SweepStateStore(database);
        this.results = new ProbeResults(database);
        this.declarations = new ObservedDeclarations(database);
        this.signsOfLife = SignsOfLife.in(database, clock);
        this.credentials = AgentCredentials.in(database, wiring, log);
        // The lanes of each run limit the threads. Runs in one process do not wait for each other.
        this.executor = wiring.storageMeter().propagating(Executors.newCachedThreadPool(DaemonThreads.named("probe")));
        this.throttles = new ThrottleMonitor("ProbeFunction", wiring.storageMeter(), log);
    }

    /**
     * The counts of a run.
     *
     * @param agents the number of agents whose probes were due
     * @param postponed the number of these agents for which there was no time
     */
    public record Result(int agents, int postponed) {}

    /**
     * Probes the agents in the queue until it is empty or the time is over. Returns the counts of the run. Does nothing during {@link
     * #MAX_RUNS} other runs, which handle the queue.
     */
    public Result run(Context context) {
        return throttles.during(() -> {
            Optional<CallPermitStore.Permit> permit =
                    permits.take(PERMITS, UlidCreator.getUlid().toString(), MAX_RUNS, MAX_RUN);
            if (permit.isEmpty()) {
                return new Result(0, 0);
            }
            try {
                return run(timeLeft(context));
            } finally {
                giveBack(permit.get());
            }
        });
    }

    private void giveBack(CallPermitStore.Permit permit) {
        try {
            permits.giveBack(permit);
        } catch (StorageBusyException e) {
            // The permit expires a minute after it was taken.
            log.failure("probe_permit_not_given_back", permit.group(), e);
        }
    }

    private Result run(BooleanSupplier timeLeft) {
        HostLanes lanes = new HostLanes(executor, timeLeft);
        Queue<ProbeSample.Result> results = new ConcurrentLinkedQueue<>();
        Map<String, ProbeQueue.Batch> seen = new HashMap<>();
        int agents = 0;
        int postponed = 0;
        boolean busy = true;
        try {
            while (busy && timeLeft.getAsBoolean()) {
                List<Message> received = queue.receive();
                List<Message> done = new ArrayList<>();
                Map<String, ProbeQueue.Agent> due = new LinkedHashMap<>();
                for (Message message : received) {
                    // Messages that the sweep did not send stay, and go to the dead-letter queue for an operator.
                    ProbeQueue.read(message.body()).ifPresent(batch -> {
                        done.add(message);
                        if (!batch.isOutdated(clock.instant())) {
                            note(batch, due, seen);
                        }
                    });
                }
                // If storage fails here, the messages are received again later and are outdated by then.
                add(due, seen, lanes, results);
                agents += due.size();
                busy = lanes.run(LOOK) || !received.isEmpty();
                store(results);
                queue.delete(done);
            }
        } finally {
            // Messages of agents that still wait are deleted already, so a failure above must not lose these agents.
            lanes.run(MAX_PROBE);
            postponed = sendAgain(lanes.left(), seen);
            store(results);
        }
        if (postponed > 0) {
            log.warn("probes_postponed", Map.of("agents", postponed));
        }
        return new Result(agents, postponed);
    }

    private static void note(
            ProbeQueue.Batch batch, Map<String, ProbeQueue.Agent> due, Map<String, ProbeQueue.Batch> seen) {
        batch.agents().forEach(agent -> {
            due.merge(agent.agentId(), agent, (first, second) -> first);
            seen.merge(agent.agentId(), batch, (first, second) -> second.isSampled() ? second : first);
        });
    }

    private BooleanSupplier timeLeft(Context context) {
        Instant end = clock.instant().plus(MAX_RUN).minus(MAX_PROBE);
        return () -> clock.instant().isBefore(end)
                && (context == null || context.getRemainingTimeInMillis() > MAX_PROBE.toMillis());
    }

    /** Sends agents to the queue again for which there was no time. Returns the number of agents. */
    private int sendAgain(Set<String> left, Map<String, ProbeQueue.Batch> seen) {
        for (ProbeQueue.Batch batch : left.stream().map(seen::get).collect(Collectors.toSet())) {
            List<ProbeQueue.Agent> agents = batch.agents().stream()
                    .filter(agent -> left.contains(agent.agentId()))
                    .toList();
            try {
                queue.send(new ProbeQueue.Batch(batch.at(), batch.isSampled(), agents));
            } catch (RuntimeException e) {
                // The agents are due again one interval later. The other batches are still sent.
                log.failure("probes_not_sent_again", agents.size() + " agents", e);
            }
        }
        return left.size();
    }

    /** Adds the probes of agents. Their results are evidence of failures of a network. */
    private void add(
            Map<String, ProbeQueue.Agent> due,
            Map<String, ProbeQueue.Batch> seen,
            HostLanes lanes,
            Queue<ProbeSample.Result> results) {
        Map<String, AgentProfile> profiles = agents.profiles(due.keySet().stream());
        Map<String, ProbeState> before = states.findAll(List.copyOf(due.keySet()));
        due.forEach((agentId, agent) -> {
            AgentProfile profile = profiles.get(agentId);
            if (profile != null && profile.asked().isWatched()) {
                ProbeState state = before.getOrDefault(agentId, ProbeState.NONE);
                String host = host(profile);
                boolean isSampled = seen.get(agentId).isSampled();
                lanes.add(agent, host, hostAnswers -> {
                    Optional<ProbeAnswer> answer = probe(profile, state, hostAnswers);
                    // An agent that never answered says nothing about the network: its address may be wrong.
                    answer.filter(known -> isSampled && (known.isAlive() || state.hasAnswered()))
                            .map(known -> result(agent.owner(), profile, host, known))
                            .ifPresent(results::add);
                    return answer.map(ProbeAnswer::isOfHost).orElse(true);
                });
            }
        });
    }

    /** Stores results as evidence, before the messages are deleted. */
    private void store(Queue<ProbeSample.Result> results) {
        List<ProbeSample.Result> found = new ArrayList<>();
        for (ProbeSample.Result next = results.poll(); next != null; next = results.poll()) {
            found.add(next);
        }
        if (!found.isEmpty()) {
            evidence.addProbes(found, clock.instant());
        }
    }

    private ProbeSample.Result result(long owner, AgentProfile agent, String host, ProbeAnswer answer) {
        return ProbeSample.Result.of(
                owner,
                agent.agentId(),
                host,
                !answer.isAlive(),
                clock.instant(),
                agent.watch().intervalSeconds());
    }

    private static String host(AgentProfile profile) {
        return address(profile).map(Endpoint::authority).orElse("");
    }

    private static Optional<Endpoint> address(AgentProfile profile) {
        return profile.asked().address(profile.agentInterface().endpoint()).flatMap(Endpoint::of);
    }

    /** Probes one agent and returns its answer; empty if the answer was not stored. */
    private Optional<ProbeAnswer> probe(AgentProfile agent, ProbeState before, boolean hostAnswers) {
        try {
            ProbeAnswer answer = hostAnswers
                    ? prober.probe(agent.asked(), agent.agentInterface().endpoint(), headers(agent))
                    : ProbeAnswer.SILENT_HOST;
            if (answer.isAlive() && !agent.heartbeatConfig().lifeSigns().confirmsDeath()) {
                signsOfLife.record(agent.agentId(), SeenBy.PROBE, true);
            }
            Instant now = clock.instant();
            answer.declaration().ifPresent(seen -> declarations.note(agent, before.declaration(), seen, now));
            results.note(agent, before, answer.at(now));
            return Optional.of(answer);
        } catch (RuntimeException e) {
            // A failure does not stop the other probes. This agent is due again one interval later.
            log.failure("probe_not_done", agent.agentId(), e);
            return Optional.empty();
        }
    }

    /**
     * Returns the credential of the agent's endpoint, if the endpoint implies the address of the probe or the address is at or below the
     * endpoint. A coordinator may set the address of the probe, but not receive the credential at another path of the host. Without a readable
     * credential, the agent is asked without one, and its answer is the result.
     */
    private Map<String, String> headers(AgentProfile agent) {
        Optional<Endpoint> endpoint = Endpoint.of(agent.agentInterface().endpoint());
        boolean belongs = endpoint.isPresent()
                && address(agent)
                        .filter(asked -> agent.asked().url().isEmpty() || asked.isAtOrBelow(endpoint.get()))
                        .isPresent();
        try {
            return belongs ? credentials.headers(agent) : Map.of();
        } catch (CallFailedException e) {
            return Map.of();
        }
    }
}
