package dev.agenthealth.emulator.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;

/** A function that processes batches of stream records. */
@FunctionalInterface
interface StreamFunction {

    /**
     * @return the failed records
     * @throws dev.agenthealth.emulator.lambda.FunctionFailedException if the function failed as a whole
     */
    StreamsEventResponse take(DynamodbEvent event);
}
