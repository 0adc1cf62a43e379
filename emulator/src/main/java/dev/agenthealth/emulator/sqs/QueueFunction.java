package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A function that takes batches of messages. */
@FunctionalInterface
interface QueueFunction {

    /**
     * @param messages as {@link MessageJson} writes them
     * @return the identifiers that the function's answer names as failed; none when it names none
     * @throws dev.agenthealth.emulator.lambda.FunctionFailedException when the function failed as a whole
     */
    List<String> take(List<ObjectNode> messages);
}
