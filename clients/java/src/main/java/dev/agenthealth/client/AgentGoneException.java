package dev.agenthealth.client;

/** 410 {@code agent_gone}: the agent is dead or deregistered and has to register again (RFC-0016 §4.4). */
public final class AgentGoneException extends ProblemException {

    private static final long serialVersionUID = 1L;

    AgentGoneException(Refusal refusal) {
        super(refusal);
    }
}
