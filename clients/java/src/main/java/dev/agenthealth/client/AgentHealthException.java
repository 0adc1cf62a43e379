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

    /** The failure of a request; an unexpected one, such as that of a supplier of keys or an OutOfMemoryError, passes like an outage. */
    static AgentHealthException of(Throwable failure) {
        return failure instanceof AgentHealthException known
                ? known
                : new RegistryUnreachableException("the request could not be sent: " + failure, failure);
    }

    /** Returns true where the registry is away or busy, so that nothing is wrong with the request. */
    final boolean isPassing() {
        return this instanceof RegistryUnreachableException
                || this instanceof UnexpectedAnswerException other && other.status() >= 500
                || this instanceof ProblemException problem && (problem.status() >= 500 || problem.status() == 429);
    }

    /** Returns true where the registry has no such living agent. */
    final boolean isEndOfAgent() {
        return this instanceof AgentGoneException
                || this instanceof NotFoundException unknown && unknown.code().equals("agent_not_found");
    }

    /** Returns true where an operator ended the agent, so that its process is to stop. */
    final boolean isOperatorsWord() {
        return this instanceof AgentGoneException gone && gone.endedBy().equals("operator");
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
