package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;

/** A request to the registry failed. The subclasses say how; callers that only need to go on catch this class. */
public abstract sealed class AgentHealthException extends RuntimeException
        permits ProblemException, RegistryUnreachableException, UnexpectedAnswerException, LeaseLostException {

    private static final long serialVersionUID = 1L;

    AgentHealthException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether the registry is away or busy, so that nothing is wrong with the request. */
    final boolean isPassing() {
        return this instanceof RegistryUnreachableException
                || this instanceof UnexpectedAnswerException other && other.status() >= 500
                || this instanceof ProblemException problem && (problem.status() >= 500 || problem.status() == 429);
    }

    /** Whether the registry has no such living agent. */
    final boolean isEndOfAgent() {
        return this instanceof AgentGoneException
                || this instanceof NotFoundException unknown && unknown.code().equals("agent_not_found");
    }

    /** The status of the problem; 0 where it is none. */
    final int problemStatus() {
        return this instanceof ProblemException problem ? problem.status() : 0;
    }

    /** The time that the registry asks to wait for. */
    final Optional<Duration> waitAtLeast() {
        return this instanceof ProblemException problem ? problem.retryAfter() : Optional.empty();
    }
}
