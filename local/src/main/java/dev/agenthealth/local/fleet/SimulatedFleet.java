package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Simulated agents with their behaviours. Not thread-safe. */
public final class SimulatedFleet {

    private static final int PAGE = 1_000;

    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final RegistryHttp coordinator;
    private final Executor executor;

    /**
     * @param run the part of the agents' ids that differs in each run
     * @param agents the registry with an agent's key
     * @param coordinator the registry with a coordinator's key, which reads agents and reports outcomes of some agents
     * @param executor runs the agents that are due
     */
    public SimulatedFleet(
            String run, FleetPlan plan, RegistryHttp agents, RegistryHttp coordinator, Executor executor, Instant now) {
        this.coordinator = coordinator;
        this.executor = executor;
        for (int i = 0; i < plan.agents(); i++) {
            Behaviour behaviour = Behaviour.ofNumber(i);
            // Starts are spread over an interval.
            Instant startsAt = now.plusMillis(plan.interval().toMillis() * i / plan.agents());
            String agentId = "sim-" + run + "-" + behaviour.wireName() + "-" + i;
            this.agents.add(new SimulatedAgent(
                    Declaration.registration(agentId, i, behaviour, plan),
                    i,
                    behaviour,
                    plan,
                    agents,
                    coordinator,
                    startsAt));
        }
    }

    /** Returns the providers of the agents. */
    public static List<String> providers() {
        return Declaration.providers();
    }

    /** Lets every agent do its due action, and waits for all. */
    public void act(Instant now) {
        act(agents, now, executor);
    }

    static void act(List<SimulatedAgent> agents, Instant now, Executor executor) {
        List<CompletableFuture<Void>> due = agents.stream()
                .filter(agent -> agent.isDue(now))
                .map(agent -> CompletableFuture.runAsync(() -> agent.act(now), executor))
                .toList();
        due.forEach(CompletableFuture::join);
    }

    /** Compares the registry's view of each agent with its behaviour. */
    public FleetReport report() {
        FleetReport report = new FleetReport();
        for (SimulatedAgent agent : agents) {
            report.add(new FleetReport.Line(
                    agent.agentId(),
                    agent.behaviour(),
                    reasons(agent.agentId()),
                    FoundHealth.of(agent.agentId(), coordinator),
                    agent.unexpectedAnswers()));
        }
        return report;
    }

    /** Returns the agents by their numbers. */
    List<SimulatedAgent> agents() {
        return List.copyOf(agents);
    }

    private String reasons(String agentId) {
        StringBuilder reasons = new StringBuilder();
        String token = "";
        do {
            JsonNode page = coordinator
                    .get("/api/v1/agents/" + agentId + "/events?limit=" + PAGE
                            + (token.isEmpty() ? "" : "&next_token=" + token))
                    .json();
            for (JsonNode event : page.path("events")) {
                if ("agent.lifecycle".equals(event.path("type").asText())) {
                    reasons.append('<').append(event.path("reason").asText()).append('>');
                }
            }
            token = page.path("next_token").asText("");
        } while (!token.isEmpty());
        return reasons.toString();
    }
}
