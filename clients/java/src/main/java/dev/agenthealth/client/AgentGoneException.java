package dev.agenthealth.client;

/**
 * Thrown on 410 {@code agent_gone}: the agent is dead or deregistered and has to register again (RFC-0016 §4.4). If an operator ended the
 * agent, its process must stop instead.
 */
public final class AgentGoneException extends ProblemException {

    private static final long serialVersionUID = 1L;

    AgentGoneException(Refusal refusal) {
        super(refusal);
    }

    /** Returns who ended the agent: {@code operator}, {@code owner} or {@code registry}; empty if the registry does not say. */
    public String endedBy() {
        return document().path("ended_by").asText("");
    }

    /** Returns why the agent ended, such as {@code deregistered} or {@code heartbeat_timeout}; empty if the registry does not say. */
    public String reason() {
        return document().path("reason").asText("");
    }
}
