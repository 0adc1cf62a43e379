package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;

/** What can be asked of a queue over HTTP. Thread-safe. */
interface QueueOperation {

    /** @param request as SQS documents it, whatever it holds */
    QueueAnswer answer(EmulatedQueue queue, JsonNode request);
}
