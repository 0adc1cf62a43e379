package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;

/** An operation of the API of a queue. Thread-safe. */
interface QueueOperation {

    /** @param request in the form that SQS documents, not yet checked */
    QueueAnswer answer(EmulatedQueue queue, JsonNode request);
}
