package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * A small company of simulated agents for demonstrations. Most agents work well; some are slow, fail, die, restart, hang or are overdue;
 * some are called through the gateway. Not thread-safe.
 */
public final class DemoFleet {

    private static final Duration CALL_INTERVAL = Duration.ofSeconds(2);
    private static final Duration WINDOW = Duration.ofHours(2);

    private static final String SOURCE = "/v1/admin/sources/partner";

    /** The number of agents of the source. */
    private static final int IMPORTED = 2;

    private static final String PAYMENTS = "acme-payments";
    private static final String LANGUAGE = "northwind-language";
    static final String INTERNAL = "in-house";

    static final List<Member> MEMBERS = List.of(
            new Member("billing-1", "billing-processor", Behaviour.FAST, PAYMENTS, Called.ANSWERS),
            new Member("billing-2", "billing-processor", Behaviour.FAST, PAYMENTS, Called.ANSWERS),
            new Member("billing-3", "billing-processor", Behaviour.FLAKY, PAYMENTS, Called.SOMETIMES_FAILS),
            new Member("billing-4", "billing-processor", Behaviour.CRASHING, PAYMENTS, Called.NEVER),
            new Member("fraud-check-1", "fraud-checker", Behaviour.BUSY, PAYMENTS, Called.NEVER),
            new Member("fraud-check-2", "fraud-checker", Behaviour.PAUSING, PAYMENTS, Called.NEVER),
            new Member("translator-1", "translator", Behaviour.FAST, LANGUAGE, Called.ANSWERS),
            new Member("translator-2", "translator", Behaviour.FAST, LANGUAGE, Called.ANSWERS),
            new Member("translator-3", "translator", Behaviour.FAILING, LANGUAGE, Called.FAILS),
            new Member("summarizer-1", "summarizer", Behaviour.FAST, LANGUAGE, Called.NEVER),
            new Member("summarizer-2", "summarizer", Behaviour.SLOW, LANGUAGE, Called.NEVER),
            new Member("summarizer-3", "summarizer", Behaviour.DECLINING, LANGUAGE, Called.NEVER),
            new Member("support-1", "support", Behaviour.FAST, INTERNAL, Called.NEVER),
            new Member("support-2", "support", Behaviour.FAST, INTERNAL, Called.NEVER),
            new Member("support-3", "support", Behaviour.REPEATING, INTERNAL, Called.NEVER),
            new Member("support-4", "support", Behaviour.DRAINING, INTERNAL, Called.NEVER),
            new Member("support-5", "support", Behaviour.FLAKY, INTERNAL, Called.NEVER),
            new Member("document-reader-1", "document-reader", Behaviour.FAST, INTERNAL, Called.NEVER),
            new Member("document-reader-2", "document-reader", Behaviour.FAST, INTERNAL, Called.NEVER),
            new Member("document-reader-3", "document-reader", Behaviour.HUNG, INTERNAL, Called.NEVER),
            new Member("research-1", "researcher", Behaviour.BUSY, INTERNAL, Called.NEVER),
            new Member("research-2", "researcher", Behaviour.SELDOM, INTERNAL, Called.NEVER),
            new Member("research-3", "researcher", Behaviour.SILENT, INTERNAL, Called.NEVER),
            new Member("assistant-1", "assistant", Behaviour.PERSONAL, INTERNAL, Called.NEVER),
            new Member("assistant-2", "assistant", Behaviour.IDLE, INTERNAL, Called.NEVER),
            new Member("planner-1", "planner", Behaviour.COORDINATED, INTERNAL, Called.NEVER),
            new Member("planner-2", "planner", Behaviour.FAST, INTERNAL, Called.NEVER));

    /** The plan of the demo. Executions of two minutes are known from the start; a crash takes about a minute. */
    static final FleetPlan PLAN = new FleetPlan(MEMBERS.size(), new HeartbeatConfig(3, 12, 30), 12, 6, 3, 300, 240);

    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final OccasionalAgents occasional;
    private final List<String> called = Stream.concat(
                    MEMBERS.stream()
                            .filter(member -> member.called() != Called.NEVER)
                            .map(Member::id),
                    Stream.of(OccasionalAgents.CALLED))
            .toList();
    private final RegistryHttp coordinator;
    private final Executor executor;

    private Instant nextCall;
    private int calls;

    /** The answers of an agent to the gateway. */
    enum Called {
        NEVER,
        ANSWERS,
        SOMETIMES_FAILS,
        FAILS
    }

    /** An agent. */
    record Member(String id, String role, Behaviour behaviour, String provider, Called called) {

        ObjectNode registration(int number, String endpoint) {
            ObjectNode body = Declaration.registration(id, number, behaviour, PLAN);
            body.put("role_id", role).put("name", id.replace('-', ' ')).put("provider_id", provider);
            body.put("platform", number % 3 == 0 ? "kubernetes" : "virtual machines");
            // A window wide enough for the few executions of the previous day.
            body.withObject("/expectations").put("window_seconds", WINDOW.toSeconds());
            body.putArray("capabilities").add(id.replaceAll("-\\d+$", "")).add("demo");
            return called == Called.NEVER ? body : body.put("endpoint", endpoint + path());
        }

        private String path() {
            return switch (called) {
                case SOMETIMES_FAILS -> DemoEndpoint.SOMETIMES_FAILS;
                case FAILS -> DemoEndpoint.FAILS;
                default -> DemoEndpoint.ANSWERS;
            };
        }
    }

    /**
     * @param agents the registry with an agent's key; agents that it registered before continue
     * @param coordinator the registry with a coordinator's key, which reports outcomes and calls agents
     * @param endpoint the endpoint of the called agents
     * @param executor runs the agents that are due
     */
    public DemoFleet(
            RegistryHttp agents, RegistryHttp coordinator, DemoEndpoint endpoint, Executor executor, Instant now) {
        this.coordinator = coordinator;
        this.executor = executor;
        this.nextCall = now.plus(PLAN.interval());
        this.occasional = new OccasionalAgents(agents, INTERNAL, endpoint.url() + DemoEndpoint.ANSWERS, now);
        for (int i = 0; i < MEMBERS.size(); i++) {
            Member member = MEMBERS.get(i);
            Instant startsAt = now.plusMillis(PLAN.interval().toMillis() * i / MEMBERS.size());
            this.agents.add(new SimulatedAgent(
                    member.registration(i, endpoint.url()),
                    i,
                    member.behaviour(),
                    PLAN,
                    agents,
                    coordinator,
                    startsAt));
        }
    }

    /** Adds the source of the demo and reads it: the catalogue of a partner, with an agent and a server. */
    static void addSource(RegistryHttp administrator, DemoEndpoint endpoint) {
        RegistryHttp owner = administrator.withNewKey("agent", "partner", List.of("partner"));
        JsonNode keyId = owner.get("/api/v1/me").json().path("key_id");
        ObjectNode source = JsonNodeFactory.instance.objectNode().put("url", endpoint.url() + DemoEndpoint.CATALOGUE);
        source.set("key_id", keyId);
        administrator.put(SOURCE, source);
        administrator.post(SOURCE + "/sync", MissingNode.getInstance());
    }

    /** Returns the providers of the agents. */
    public static List<String> providers() {
        return List.of(PAYMENTS, LANGUAGE, INTERNAL);
    }

    /** Returns the number of agents. */
    public static int size() {
        return MEMBERS.size() + OccasionalAgents.size() + IMPORTED;
    }

    /** Lets every agent do its due action, calls an agent through the gateway every 2 s, and waits for all. */
    public void act(Instant now) {
        SimulatedFleet.act(agents, now, executor);
        occasional.act(now);
        if (!now.isBefore(nextCall)) {
            nextCall = now.plus(CALL_INTERVAL);
            String agentId = called.get(calls++ % called.size());
            ObjectNode body = JsonNodeFactory.instance.objectNode().put("message", "Work on case " + calls + ".");
            executor.execute(() -> coordinator.post("/v1/agents/" + agentId + "/invoke", body));
        }
    }
}
