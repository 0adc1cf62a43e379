package dev.agenthealth.spring;

import dev.agenthealth.client.AgentEnd;
import dev.agenthealth.client.ForbiddenException;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.UnauthenticatedException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The client's view of the agents of the application. An unreachable registry does not mark the application as down: a registered agent
 * stays up, and an agent that is not yet registered is unknown. An agent whose first registration is refused is down until a retry succeeds.
 *
 * @param status the worst status of all agents
 * @param details the details of each agent, by its bean
 */
record AgentsHealth(Status status, Map<String, Object> details) {

    /** The statuses of Actuator, the worst first. Actuator has them in another package since Spring Boot 4. */
    enum Status {
        DOWN,
        OUT_OF_SERVICE,
        UNKNOWN,
        UP
    }

    static AgentsHealth of(ApplicationAgents agents) {
        Map<String, Object> details = new LinkedHashMap<>();
        Map<String, ManagedAgent> started = agents.started();
        started.forEach((name, agent) -> details.put(key(name), details(agent)));
        agents.refused()
                .forEach((name, refusal) ->
                        details.put(key(name), Map.of("state", "refused", "last_failure", refusal.getMessage())));
        Stream<Status> statuses = Stream.concat(
                started.values().stream().map(AgentsHealth::status),
                agents.refused().values().stream().map(refusal -> Status.DOWN));
        return new AgentsHealth(statuses.min(Comparator.naturalOrder()).orElse(Status.UNKNOWN), details);
    }

    /** Returns the key of an agent in the details. The agent of the properties has no bean. */
    private static String key(String beanName) {
        return beanName.isEmpty() ? "agent" : beanName;
    }

    private static Status status(ManagedAgent agent) {
        return switch (agent.state()) {
            case REGISTERING -> isRefused(agent) ? Status.DOWN : Status.UNKNOWN;
            case ACTIVE -> Status.UP;
            case DRAINING -> Status.OUT_OF_SERVICE;
            case ENDED ->
                end(agent)
                        .filter(end -> end == AgentEnd.SUPERSEDED || end == AgentEnd.DEAD)
                        .map(end -> Status.DOWN)
                        .orElse(Status.OUT_OF_SERVICE);
        };
    }

    private static boolean isRefused(ManagedAgent agent) {
        return agent.lastFailure()
                .filter(failure -> failure instanceof UnauthenticatedException || failure instanceof ForbiddenException)
                .isPresent();
    }

    /** Returns why the agent ended; empty while its last callback runs. */
    private static Optional<AgentEnd> end(ManagedAgent agent) {
        return Optional.ofNullable(agent.whenEnded().toCompletableFuture().getNow(null));
    }

    private static Map<String, Object> details(ManagedAgent agent) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("agent_id", agent.agentId());
        details.put("state", word(agent.state()));
        end(agent).ifPresent(end -> details.put("end", word(end)));
        details.put("incarnation", agent.incarnation());
        agent.lastAnswerAt().ifPresent(moment -> details.put("last_answer_at", moment.toString()));
        agent.lastFailure().ifPresent(failure -> details.put("last_failure", failure.getMessage()));
        details.put("dropped_outcomes", agent.droppedOutcomes());
        return details;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
