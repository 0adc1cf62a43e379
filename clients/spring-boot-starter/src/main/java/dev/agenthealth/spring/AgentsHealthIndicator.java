package dev.agenthealth.spring;

import dev.agenthealth.client.AgentEnd;
import dev.agenthealth.client.ManagedAgent;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

/**
 * The states of the agents of the application in the client. A registry that is away takes no application down: an agent that is registered
 * stays up, and one that is not yet registered is unknown.
 */
final class AgentsHealthIndicator extends AbstractHealthIndicator {

    private static final List<Status> WORST_FIRST =
            List.of(Status.DOWN, Status.OUT_OF_SERVICE, Status.UNKNOWN, Status.UP);

    private final ApplicationAgents agents;

    AgentsHealthIndicator(ApplicationAgents agents) {
        super("the state of the agents could not be read");
        this.agents = agents;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, ManagedAgent> started = agents.started();
        started.forEach((name, agent) -> builder.withDetail(key(name), details(agent)));
        agents.refused()
                .forEach((name, refusal) -> builder.withDetail(
                        key(name), Map.of("state", "refused", "last_failure", refusal.getMessage())));
        Stream<Status> statuses = Stream.concat(
                started.values().stream().map(AgentsHealthIndicator::status),
                agents.refused().values().stream().map(refusal -> Status.DOWN));
        builder.status(statuses.min(Comparator.comparing(WORST_FIRST::indexOf)).orElse(Status.UNKNOWN));
    }

    /** The agent of the properties has no bean. */
    private static String key(String beanName) {
        return beanName.isEmpty() ? "agent" : beanName;
    }

    private static Status status(ManagedAgent agent) {
        return switch (agent.state()) {
            case REGISTERING -> Status.UNKNOWN;
            case ACTIVE -> Status.UP;
            case DRAINING -> Status.OUT_OF_SERVICE;
            case ENDED ->
                end(agent)
                        .filter(end -> end == AgentEnd.SUPERSEDED || end == AgentEnd.DEAD)
                        .map(end -> Status.DOWN)
                        .orElse(Status.OUT_OF_SERVICE);
        };
    }

    /** Why the agent ended; empty while its last callback runs. */
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
