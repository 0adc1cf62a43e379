package dev.agenthealth.functions.probes;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.functions.gateway.AgentCredentials;
import dev.agenthealth.functions.lifesigns.SignsOfLife;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.PinnedHttpClient;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.lifecycle.SeenBy;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.ProbeState;
import dev.agenthealth.model.profile.Watch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Probes the agents in the queue. A successful probe is a heartbeat that the registry sends for the agent; a failed one is kept as the
 * reason of a silence. A message that is received twice or late harms nothing. Thread-safe.
 */
public final class Probes {

    /** Probes at the same time. A run may still end while the next one begins. */
    static final int AT_ONCE = 100;

    /** Longer than the longest probe and the write that follows it. */
    private static final Duration MAX_PROBE = Duration.ofSeconds(Watch.MAX_TIMEOUT_SECONDS + 8);

    private final ProbeQueue queue;
    private final Prober prober;
    private final AgentStore agents;
    private final ProbeStore states;
    private final SignsOfLife signsOfLife;
    private final AgentCredentials credentials;
    private final Executor executor;
    private final Clock clock;
    private final Log log;
    private final ThrottleWatch throttles;

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    public Probes(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        Database database = Database.of(wiring);
        this.queue = new ProbeQueue(wiring);
        this.log = wiring.log();
        this.clock = wiring.clock();
        this.prober = new Prober(
                AddressCheck.of(wiring.environment(), resolver),
                new PinnedHttpClient(tls),
                "agent-health (+" + wiring.required("PUBLIC_URL") + ")",
                clock);
        this.agents = new AgentStore(database);
        this.states = new ProbeStore(database);
        this.signsOfLife = SignsOfLife.in(database, clock);
        this.credentials = AgentCredentials.in(database, wiring, log);
        this.executor =
                wiring.storageMeter().propagating(Executors.newFixedThreadPool(AT_ONCE, DaemonThreads.named("probe")));
        this.throttles = new ThrottleWatch("ProbeFunction", wiring.storageMeter(), log);
    }

    /**
     * What a run did.
     *
     * @param agents whose probes were due
     * @param postponed those of them for which there was no time
     */
    public record Result(int agents, int postponed) {}

    /** Probes the agents in the queue until it is empty or the time is over; returns what it did. */
    public Result run(Context context) {
        return throttles.during(() -> run(timeLeft(context)));
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
            for (Message message : received) {
                // What the sweep did not send stays, and goes to the dead-letter queue for an operator.
                ProbeQueue.read(message.body()).ifPresent(portion -> {
                    done.add(message);
                    if (!portion.isOutdated(clock.instant())) {
                        due.addAll(portion.agentIds());
                    }
                });
            }
            // Where storage fails here, the messages are received again later, and are outdated by then.
            postponed += probe(List.copyOf(due), timeLeft);
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

    private int probe(List<String> agentIds, BooleanSupplier timeLeft) {
        Map<String, AgentProfile> profiles = agents.profiles(agentIds.stream());
        Map<String, ProbeState> before = states.findAll(agentIds);
        HostLanes lanes = new HostLanes(executor, timeLeft);
        for (AgentProfile profile : profiles.values()) {
            if (profile.watch().isWatched()) {
                ProbeState state = before.getOrDefault(profile.agentId(), ProbeState.NONE);
                lanes.add(host(profile), hostAnswers -> probe(profile, state, hostAnswers));
            }
        }
        return lanes.run();
    }

    private static String host(AgentProfile profile) {
        return address(profile).map(Endpoint::authority).orElse("");
    }

    private static Optional<Endpoint> address(AgentProfile profile) {
        return profile.watch().address(profile.agentInterface().endpoint()).flatMap(Endpoint::of);
    }

    /** Probes one agent and returns whether its host answered at all. */
    private boolean probe(AgentProfile agent, ProbeState before, boolean hostAnswers) {
        try {
            ProbeAnswer answer = hostAnswers
                    ? prober.probe(agent.watch(), agent.agentInterface().endpoint(), headers(agent))
                    : ProbeAnswer.SILENT_HOST;
            if (answer.isAlive()) {
                signsOfLife.record(agent.agentId(), SeenBy.PROBE, true);
            }
            ProbeState after = before.then(state(answer));
            if (before.isOutdatedBy(after)) {
                states.put(agent.agentId(), after);
            }
            return answer.isOfHost();
        } catch (RuntimeException e) {
            // The others go on; this one is due again an interval later.
            log.failure("probe_not_done", agent.agentId(), e);
            return true;
        }
    }

    private ProbeState state(ProbeAnswer answer) {
        Instant now = clock.instant();
        return new ProbeState(
                answer.failure(),
                now,
                now,
                answer.declared(),
                answer.millis(),
                answer.certificateEnds().orElse(Instant.EPOCH));
    }

    /** The credential of the agent's endpoint, for an address of the same host only. */
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
