package dev.agenthealth.functions.sweep.probes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.ProbeFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestPublicApi;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Agents that are asked at their addresses, whose network and processes can fail. */
final class WatchedFleet implements AutoCloseable {

    final TestSystem system = new TestSystem();
    /** Paths of agents whose process is gone. */
    final Set<String> stopped = ConcurrentHashMap.newKeySet();

    volatile boolean networkFails;
    /** The prefix of hosts that the registry reaches while its network fails. */
    volatile String reachable = " ";

    volatile String answer = "ok";

    /** Receives the path of each probe, and may delay the answer. */
    volatile Consumer<String> delay = path -> {};

    private final ScriptedServer server = ScriptedServer.http().plays((request, out) -> {
        String path = request.line().split(" ")[1];
        delay.accept(path);
        (stopped.contains(path) ? Script.status(503) : Script.body(answer)).play(request, out);
    });
    private final TestPublicApi publicApi = new TestPublicApi((path, key, body) ->
            system.api().post(path).key(key).body(body).send().status());
    private final Wiring wiring = system.wiring(Map.of(
            "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS",
            "true",
            "PUBLIC_URL",
            publicApi.url(),
            "SWEEP_PERIOD_SECONDS",
            "60",
            "PROBE_QUEUE_URL",
            "https://sqs.us-east-1.amazonaws.com/000000000000/ProbeQueue"));
    final TestApi api = new TestApi(List.of(new RegistryFunction(wiring)));
    final Sweep sweep = new Sweep(wiring);
    private final ProbeFunction function = new ProbeFunction(wiring, this::addresses, SecureSockets.usualWhenUsed());
    /** Sends heartbeats, so that the registry has no trouble with those. */
    private final TestAgent other = TestAgent.registered(system, "other");

    private List<InetAddress> addresses(String host) throws UnknownHostException {
        if (networkFails && !host.startsWith(reachable)) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getLoopbackAddress());
    }

    @Override
    public void close() {
        publicApi.close();
        server.close();
        system.close();
    }

    int port() {
        return server.port();
    }

    /** Registers an agent at this host and the path of its id. */
    Response register(String id, String host, String more) {
        return register(TestSystem.AGENT_KEY, id, host, more);
    }

    Response register(String key, String id, String host, String more) {
        return api.post("/api/v1/agents")
                .key(key)
                .body("{\"agent_id\":\"" + id + "\",\"endpoint\":\"http://" + host + ".test:" + server.port() + "/" + id
                        + "\"" + more + "}")
                .send();
    }

    /** Registers agents that are asked every minute, on these hosts in turn. */
    List<TestAgent> watched(int agents, int hosts) {
        List<TestAgent> fleet = watched(TestSystem.AGENT_KEY, "w", agents, hosts);
        pass();
        return fleet;
    }

    /** Registers agents of a key, on hosts of this key. Their ids and hosts begin with a prefix. */
    List<TestAgent> watched(String key, String prefix, int agents, int hosts) {
        List<TestAgent> fleet = new ArrayList<>();
        for (int i = 0; i < agents; i++) {
            String id = prefix + i;
            Response response = register(key, id, prefix + "host" + i % hosts, ",\"watch\":{\"interval_seconds\":60}");
            assertThat(response.status()).as(response.text()).isEqualTo(201);
            fleet.add(new TestAgent(system, id));
        }
        return fleet;
    }

    void pass() {
        other.sendHeartbeat("active", "");
        sweep.passes(TestContext.of("SweepFunction"));
    }

    /** Runs the probes that are in the queue; returns the number of agents. */
    int probe() {
        return function.handleRequest(Map.of(), null).agents();
    }

    /** Puts one more message with these agents into the queue. */
    void send(List<ProbeQueue.Agent> agents) {
        new ProbeQueue(wiring).send(new ProbeQueue.Batch(system.clock().instant(), true, agents));
    }

    /** Stops answers to probes until the server is closed. */
    void hang() {
        server.hang();
    }

    /** Returns the agents of each message in the queue, in the order of their probes. */
    List<List<ProbeQueue.Agent>> queued() {
        return system.sqs().messages().stream()
                .flatMap(message -> ProbeQueue.read(message.body()).stream())
                .map(ProbeQueue.Batch::agents)
                .toList();
    }

    /** A pass at each minute, with its probes. */
    void minutes(int minutes) {
        for (int i = 0; i < minutes; i++) {
            minuteWithoutProbes();
            probe();
        }
    }

    void minuteWithoutProbes() {
        system.clock().advanceSeconds(60);
        pass();
    }

    /** Counts the agents in a status. */
    static long in(LifecycleStatus status, List<TestAgent> agents) {
        return agents.stream().filter(agent -> agent.pulse().status() == status).count();
    }

    /** The types of the registry's own events, in the order of their times. */
    List<String> registryEvents() {
        return api
                .get("/api/v1/events")
                .query("limit", "1000")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("events")
                .findValuesAsText("type")
                .stream()
                .filter(type -> type.startsWith("registry."))
                .toList();
    }
}
