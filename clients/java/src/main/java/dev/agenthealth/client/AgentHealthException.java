package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;

/**
 * Thrown if a request to the registry failed. The subclasses distinguish the reasons; a caller that only needs to continue catches this
 * class.
 */
public abstract sealed class AgentHealthException extends RuntimeException
        permits ProblemException, RegistryUnreachableException, UnexpectedAnswerException, LeaseLostException {

    private static final long serialVersionUID = 1L;

    AgentHealthException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the failure of a request. An unexpected failure, such as an OutOfMemoryError or an exception of a key supplier, counts as
     * temporary, like an outage.
     */
    static AgentHealthException of(Throwable failure) {
        return failure instanceof AgentHealthException known
                ? known
                : new RegistryUnreachableException("the request could not be sent: " + failure, failure);
    }

    /** Returns true if the registry is unreachable or busy, so that the request itself is valid. */
    final boolean isPassing() {
        return this instanceof RegistryUnreachableException
                || this instanceof UnexpectedAnswerException other && other.status() >= 500
                || this instanceof ProblemException problem && (problem.status() >= 500 || problem.status() == 429);
    }

    /** Returns true if the registry refuses the key, or what the key may do. An administrator can change that at any time. */
    final boolean isRefusedKey() {
        return this instanceof UnauthenticatedException || this instanceof ForbiddenException;
    }

    /** Returns true if the registry has no such living agent. */
    final boolean isEndOfAgent() {
        return this instanceof AgentGoneException
                || this instanceof NotFoundException unknown && unknown.code().equals("agent_not_found");
    }

    /** Returns true if an operator ended the agent, so that its process must stop. */
    final boolean isOperatorsWord() {
        return this instanceof AgentGoneException gone && gone.endedBy().equals("operator");
    }

    /** Returns the status of the problem; 0 if the failure is no problem. */
    final int problemStatus() {
        return this instanceof ProblemException problem ? problem.status() : 0;
    }

    /** Returns the minimum wait that the registry asks for. */
    final Optional<Duration> waitAtLeast() {
        return this instanceof ProblemException problem ? problem.retryAfter() : Optional.empty();
    }
}
