package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.sweep.probes.Probes;
import java.util.Map;

/** Probes watched agents. The sweep puts agents that are due into a queue and starts this function. */
public final class ProbeFunction implements RequestHandler<Map<String, Object>, Probes.Result> {

    private final Probes probes;

    /** Lambda calls this constructor. */
    public ProbeFunction() {
        this(Wiring.fromEnvironment(), NameResolver.system(), SecureSockets.usual());
    }

    public ProbeFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usualWhenUsed());
    }

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    public ProbeFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this.probes = new Probes(wiring, resolver, tls);
    }

    /** @param event is not read */
    @Override
    public Probes.Result handleRequest(Map<String, Object> event, Context context) {
        return probes.run(context);
    }
}
