package dev.agenthealth.functions.registry.commands;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The queue of agents with a command to post to their endpoint, and of tasks to cancel or to look at. Thread-safe.
 *
 * <p>The queue consists of asynchronous invocations. A message has only the id of the agent. The command is read when it is posted, so that
 * a withdrawn or followed command is not sent.
 */
public final class CommandQueue {

    /** No id of a receipt begins with this prefix, because of the space. */
    private static final String PREFIX = "command ";

    private static final String CANCEL = "cancel ";
    private static final Pattern CANCELLATION = Pattern.compile(CANCEL + "([0-9]{1,3}) (\\S*)");
    private static final String LOOK = "look ";
    private static final Pattern LATER_LOOK = Pattern.compile(LOOK + "([0-9]{1,6}) ([0-9]{1,15}) (\\S+)");

    /** The time until the first look at an open task. Each later time is twice as long, up to the maximum delay of SQS. */
    private static final int FIRST_LOOK_SECONDS = 60;

    private static final int MAX_DELAY_SECONDS = 900;

    private final SqsClient sqs;
    private final String url;
    private final Log log;

    public CommandQueue(Wiring wiring) {
        this.sqs = wiring.sqs().get();
        this.url = wiring.get(FunctionSettings.INVOCATION_QUEUE_URL);
        this.log = wiring.log();
    }

    /**
     * Queues the command of an agent after it was stored. Does nothing if the agent does not accept pushed commands. A failure is only
     * logged, because answers to heartbeats carry the command too.
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

    /**
     * A part of the work to cancel the tasks of stopped agents.
     *
     * @param shard the number of the shard of open tasks
     * @param after the position in the shard after which the part begins; empty for the beginning
     */
    public record Cancellation(int shard, String after) {

        /** The beginning of the work. */
        public static final Cancellation START = new Cancellation(0, "");
    }

    /** Queues a part of the work to cancel the tasks of stopped agents. */
    public void cancel(Cancellation part) {
        sqs.sendMessage(r -> r.queueUrl(url).messageBody(CANCEL + part.shard() + " " + part.after()));
    }

    /** Returns the cancellation in a message of the queue; empty for a message of another kind. */
    public static Optional<Cancellation> cancellation(String message) {
        Matcher matcher = CANCELLATION.matcher(message);
        return matcher.matches()
                ? Optional.of(new Cancellation(Integer.parseInt(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    /**
     * A later look at an open task.
     *
     * @param number the number of earlier looks
     * @param since when the task's state began, in epoch milliseconds; the look is void once the task has another state
     * @param position the position of the task in its shard
     */
    public record Look(int number, long since, String position) {

        /** Returns the look after this one. */
        public Look next() {
            return new Look(number + 1, since, position);
        }

        private int delaySeconds() {
            return Math.min(MAX_DELAY_SECONDS, FIRST_LOOK_SECONDS << Math.min(number, 4));
        }
    }

    /** Queues a later look at an open task. */
    public void look(Look look) {
        sqs.sendMessage(r -> r.queueUrl(url)
                .delaySeconds(look.delaySeconds())
                .messageBody(LOOK + look.number() + " " + look.since() + " " + look.position()));
    }

    /** Returns the look in a message of the queue; empty for a message of another kind. */
    public static Optional<Look> laterLook(String message) {
        Matcher matcher = LATER_LOOK.matcher(message);
        return matcher.matches()
                ? Optional.of(new Look(
                        Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.group(3)))
                : Optional.empty();
    }

    /** Returns the agent in a message of the queue; empty for a message of another kind. */
    public static Optional<String> agentId(String message) {
        return Optional.of(message)
                .filter(text -> text.startsWith(PREFIX))
                .map(text -> text.substring(PREFIX.length()))
                .filter(Ids::isValid);
    }
}
