package dev.agenthealth.example;

import dev.agenthealth.client.Agent;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.Drain;
import dev.agenthealth.client.HealthScore;
import dev.agenthealth.client.HeldLease;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.OnDrain;
import dev.agenthealth.client.gate.HealthGate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * An agent that pays invoices: it works, fails, drains and recovers. It needs a running system and an agent's key in the environment:
 * {@code AGENT_HEALTH_URL} and {@code AGENT_HEALTH_KEY}.
 */
@Agent(
        id = BillingAgent.ID,
        role = "billing-processor",
        capabilities = "billing",
        maxConcurrentTasks = 1,
        heartbeatSeconds = 1,
        unhealthyAfterSeconds = 10,
        deadAfterSeconds = 60)
public final class BillingAgent {

    static final String ID = "java_billing_agent";

    private static final int INVOICES = 12;
    private static final Set<Integer> BROKEN = Set.of(4, 9);
    private static final int DRAINED_AFTER = 6;

    private final AgentHealthClient registry;
    private volatile boolean working = true;

    private BillingAgent(AgentHealthClient registry) {
        this.registry = registry;
    }

    @OnDrain
    void takeNoMore(Drain drain) {
        if (drain.cause() == Drain.Cause.COMMAND) {
            System.out.println("asked to drain: " + drain.reason());
        }
        working = false;
    }

    /** Pays all invoices, or stops when the agent must take no more work. */
    private void work(ManagedAgent agent, Queue<Integer> invoices) throws Exception {
        while (working && !invoices.isEmpty()) {
            int invoice = invoices.remove();
            try {
                agent.call(() -> pay(agent, invoice));
            } catch (TimeoutException e) {
                System.out.println("failed invoice " + invoice + ": time-out");
            }
            if (invoice == DRAINED_AFTER) {
                // A coordinator does this before it replaces a process.
                registry.agents().requestDrain(ID, "new version", Duration.ofSeconds(30));
                agent.whenEnded().toCompletableFuture().get(30, TimeUnit.SECONDS);
            }
        }
    }

    /** Pays an invoice under a lease, so that no other agent pays it too. */
    private static long pay(ManagedAgent agent, int invoice) throws Exception {
        try (HeldLease lease = agent.lease("invoice_" + invoice, "pay").acquire()) {
            Thread.sleep(200);
            if (BROKEN.contains(invoice)) {
                throw new TimeoutException("the bank did not answer");
            }
            lease.requireHeld();
            System.out.println("paid invoice " + invoice + ", fencing token " + lease.fencingToken());
            return lease.fencingToken();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Queue<Integer> invoices =
                new ArrayDeque<>(IntStream.rangeClosed(1, INVOICES).boxed().toList());
        try (AgentHealthClient registry = AgentHealthClient.fromEnvironment()) {
            BillingAgent first = new BillingAgent(registry);
            try (ManagedAgent agent = registry.annotated(first).start()) {
                first.work(agent, invoices);
            }
            System.out.println("drained, " + invoices.size() + " invoices are left");
            BillingAgent second = new BillingAgent(registry);
            try (ManagedAgent agent = registry.annotated(second).start()) {
                System.out.println("back again, incarnation " + agent.incarnation());
                second.work(agent, invoices);
                showHealth(registry);
            }
        }
    }

    private static void showHealth(AgentHealthClient registry) throws InterruptedException {
        HealthScore score = registry.health().score(ID);
        while (score.json().path("executions").asInt() < INVOICES) {
            Thread.sleep(500);
            score = registry.health().score(ID);
        }
        System.out.println("executions " + score.json().path("executions") + ", time-outs "
                + score.json().path("errors").path("timeout") + ", health " + score.healthStatus());
        String document = System.getenv("AGENT_HEALTH_URL") + "/agents/" + ID + "/.well-known/agent-health";
        System.out.println(
                "decision of a caller: " + HealthGate.create().decide(document).explanation());
    }
}
