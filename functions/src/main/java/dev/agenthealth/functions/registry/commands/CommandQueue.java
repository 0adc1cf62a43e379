package dev.agenthealth.functions.registry.commands;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Agents with a command to be posted to their endpoints, in the queue of asynchronous invocations. A message holds the id of the agent; the
 * command is read when it is posted, so that one that was withdrawn or followed is not sent. Thread-safe.
 */
public final class CommandQueue {

    /** No id of a receipt begins with it, because of the space. */
    private static final String PREFIX = "command ";

    private final SqsClient sqs;
    private final String url;
    private final Log log;

    public CommandQueue(Wiring wiring) {
        this.sqs = wiring.sqs().get();
        this.url = wiring.required("INVOCATION_QUEUE_URL");
        this.log = wiring.log();
    }

    /**
     * Queues the command that was just stored for an agent; does nothing where the agent does not accept pushed commands. A failure is
     * logged: the answers to heartbeats carry the command in any case.
     */
    public void push(AgentProfile agent) {
        if (!agent.agentInterface().acceptsPush()) {
            return;
        }
        try {
            sqs.sendMessage(r -> r.queueUrl(url).messageBody(PREFIX + agent.agentId()));
        } catch (RuntimeException e) {
            log.failure("command_not_queued", agent.agentId(), e);
        }
    }

    /** The agent that a message of the queue names; empty where it is no message of this class. */
    public static Optional<String> agentId(String message) {
        return Optional.of(message)
                .filter(text -> text.startsWith(PREFIX))
                .map(text -> text.substring(PREFIX.length()))
                .filter(Ids::isValid);
    }
}
