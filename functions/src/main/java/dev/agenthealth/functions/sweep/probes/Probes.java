package dev.agenthealth.functions.sweep.probes;

import com.amazonaws.services.lambda.runtime.Context;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.gateway.AgentCredentials;
import dev.agenthealth.functions.registry.declarations.ObservedDeclarations;
import dev.agenthealth.functions.registry.lifesigns.SignsOfLife;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
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

    /** The maximum number of concurrent probes of a run. */
    static final int AT_ONCE = 100;

    /** The group of the permits of runs. A new account cannot reserve concurrency for the function. */
    static final String PERMITS = "PROBES";

    /** The time limit of the function. */
    private static final Duration MAX_RUN = Duration.ofSeconds(60);

    /** Longer than the longest probe and the write after it. */
    private static final Duration MAX_PROBE = Duration.ofSeconds(Watch.MAX_TIMEOUT_SECONDS + 8);

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
        this.executor =
                wiring.storageMeter().propagating(Executors.newFixedThreadPool(AT_ONCE, DaemonThreads.named("probe")));
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
        int agents = 0;
        int postponed = 0;
        while (timeLeft.getAsBoolean()) {
            List<Message> received = queue.receive();
            if (received.isEmpty()) {
                break;
            }
            List<Message> done = new ArrayList<>();
            Set<String> due = new LinkedHashSet<>();
            Map<String, Long> sampled = new HashMap<>();
            for (Message message : received) {
                // Messages that the sweep did not send stay, and go to the dead-letter queue for an operator.
                ProbeQueue.read(message.body()).ifPresent(batch -> {
                    done.add(message);
                    if (!batch.isOutdated(clock.instant())) {
                        batch.agents().forEach(agent -> due.add(agent.agentId()));
                        if (batch.isSampled()) {
                            batch.agents().forEach(agent -> sampled.put(agent.agentId(), agent.owner()));
                        }
                    }
                });
            }
            // If storage fails here, the messages are received again later and are outdated by then.
            postponed += probe(List.copyOf(due), sampled, timeLeft);
            agents += due.size();
            queue.delete(done);
        }
        if (postponed > 0) {
            log.warn("probes_postponed", Map.of("agents", postponed));
        }
        return new Result(agents, postponed);
    }

    private static BooleanSupplier timeLeft(Context context) {
        return () -> context == null || context.getRemainingTimeInMillis() > MAX_PROBE.toMillis();
    }

    /**
     * Probes agents and returns the number of agents that were left. Stores their results as evidence of failures of a network before the
     * messages are deleted.
     *
     * @param sampled the number of its owner by the id of each agent whose result is evidence
     */
    private int probe(List<String> agentIds, Map<String, Long> sampled, BooleanSupplier timeLeft) {
        Map<String, AgentProfile> profiles = agents.profiles(agentIds.stream());
        Map<String, ProbeState> before = states.findAll(agentIds);
        Queue<ProbeSample.Result> results = new ConcurrentLinkedQueue<>();
        HostLanes lanes = new HostLanes(executor, timeLeft);
        // In the order of the queue, in which owners take turns.
        for (AgentProfile profile :
                agentIds.stream().map(profiles::get).filter(Objects::nonNull).toList()) {
            if (profile.asked().isWatched()) {
                ProbeState state = before.getOrDefault(profile.agentId(), ProbeState.NONE);
                String host = host(profile);
                lanes.add(host, hostAnswers -> {
                    Optional<ProbeAnswer> answer = probe(profile, state, hostAnswers);
                    // An agent that never answered says nothing about the network: its address may be wrong.
                    answer.filter(known ->
                                    sampled.containsKey(profile.agentId()) && (known.isAlive() || state.hasAnswered()))
                            .map(known -> result(sampled.get(profile.agentId()), profile, host, known))
                            .ifPresent(results::add);
                    return answer.map(ProbeAnswer::isOfHost).orElse(true);
                });
            }
        }
        int left = lanes.run();
        if (!results.isEmpty()) {
            evidence.addProbes(results, clock.instant());
        }
        return left;
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

    /** Returns the credential of the agent's endpoint, if the probe goes to the same host. */
    private Map<String, String> headers(AgentProfile agent) {
        Optional<Endpoint> endpoint = Endpoint.of(agent.agentInterface().endpoint());
        boolean same = endpoint.isPresent()
                && address(agent)
                        .filter(asked -> asked.authority().equals(endpoint.get().authority())
                                && asked.secure() == endpoint.get().secure())
                        .isPresent();
        return same ? credentials.headers(agent) : Map.of();
    }
}
