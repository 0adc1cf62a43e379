package dev.agenthealth.functions.outbound;

import dev.agenthealth.model.gateway.InvocationFailure;

/** How a call ended. */
public sealed interface HttpResult {

    /** With a status of success and a whole body. */
    record Answered(byte[] body) implements HttpResult {}

    /** In any other way. */
    record Failed(InvocationFailure failure) implements HttpResult {}
}
