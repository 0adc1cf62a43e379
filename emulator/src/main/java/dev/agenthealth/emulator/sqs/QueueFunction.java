package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A function that processes batches of messages. */
@FunctionalInterface
interface QueueFunction {

    /**
     * @param messages JSON of {@link MessageJson}
     * @return the identifiers of failed messages in the function's answer
     * @throws dev.agenthealth.emulator.lambda.FunctionFailedException if the function failed as a whole
     */
    List<String> take(List<ObjectNode> messages);
}
