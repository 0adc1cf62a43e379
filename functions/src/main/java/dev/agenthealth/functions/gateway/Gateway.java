package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.PinnedHttpClient;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.gateway.EndpointRule;
import java.time.Clock;

/** What the two functions of the gateway are made of. */
final class Gateway {

    /** Says, in a local run only, that endpoints on the same machine may be called. */
    private static final String ALLOW_LOOPBACK = "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS";

    private final Stores stores;
    private final StorageMeter meter;
    private final Log log;
    private final Clock clock;
    private final AddressCheck addresses;
    private final AgentCalls calls;
    private final PinnedHttpClient http;

    /**
     * @param resolver finds the addresses of agents
     * @param tls makes connections to them secure
     */
    Gateway(Wiring wiring, Stores stores, NameResolver resolver, SecureSockets tls, Log log) {
        this.stores = stores;
        this.meter = wiring.storageMeter();
        this.clock = wiring.clock();
        this.log = log;
        boolean loopback = "true".equals(wiring.environment().getOrDefault(ALLOW_LOOPBACK, ""));
        this.addresses = new AddressCheck(new EndpointRule(loopback), resolver);
        this.http = new PinnedHttpClient(tls);
        this.calls = new AgentCalls(addresses, http, clock);
    }

    SyncInvocations sync() {
        return new SyncInvocations(
                admissionCheck(), calls, new IdempotencyRecords(stores), stores.receipts(), records(), clock);
    }

    AsyncInvocations async(InvocationQueue queue) {
        return new AsyncInvocations(
                admissionCheck(), new IdempotencyRecords(stores), stores.receipts(), queue, log, clock);
    }

    InvocationWorker worker() {
        return new InvocationWorker(admissionCheck(), calls, stores.receipts(), records(), clock);
    }

    /** Primes what the first call of an agent would wait for. */
    Priming.Part rehearsedCall() {
        return new Priming.Part("call", http::rehearse);
    }

    /** Primes the reading of receipts. */
    Priming.Part rehearsedRead() {
        return new Priming.Part("read", () -> stores.receipts().find("nobody"));
    }

    private AdmissionCheck admissionCheck() {
        return new AdmissionCheck(stores, addresses);
    }

    private InvocationRecords records() {
        return new InvocationRecords(stores, meter, log);
    }
}
