package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.agenthealth.functions.gateway.QueuedInvocations;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/** Executes asynchronous invocations and posts commands to agents; both wait in a queue. */
public final class InvocationWorkerFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {

    private final QueuedInvocations invocations;

    /** Lambda calls this constructor. */
    public InvocationWorkerFunction() {
        this(Wiring.fromEnvironment(), NameResolver.system(), SecureSockets.usual());
    }

    public InvocationWorkerFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usualWhenUsed());
    }

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    public InvocationWorkerFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this.invocations = new QueuedInvocations(wiring, resolver, tls);
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        return new SQSBatchResponse(invocations.execute(event.getRecords()));
    }
}
