package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.signing.CardSigner;
import dev.agenthealth.functions.health.AgentCards;
import dev.agenthealth.functions.health.OwnCards;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.secrets.SecretBox;
import dev.agenthealth.functions.runtime.snapshot.Priming;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.invocations.CallPermitStore;
import dev.agenthealth.functions.storage.invocations.CallerLimitStore;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.functions.storage.invocations.IdempotencyStore;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore;
import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.invocations.TaskAccessStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Creates the services of the gateway. */
final class Gateway {

    private final Database database;
    private final Log log;
    private final boolean streams;
    private final Clock clock;
    private final AgentCredentials credentials;
    private final AdmissionCheck admission;
    private final TaskAccess tasks;
    private final CommandQueue queue;
    private final OpenTasks openTasks;
    private final AddressCheck addresses;
    private final AgentCalls calls;
    private final PinnedHttpClient http;
    private final IdempotencyRecords idempotency;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final AgentCards cards;
    private final HttpSender receivers;
    private final PushStore pushStore;
    private final PushSubscriptions pushes;

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    Gateway(Wiring wiring, Database database, NameResolver resolver, SecureSockets tls, Log log) {
        this.database = database;
        this.streams = wiring.streams();
        this.clock = wiring.clock();
        this.log = log;
        this.addresses = AddressCheck.of(wiring, resolver);
        this.credentials = AgentCredentials.in(database, wiring, log);
        this.queue = new CommandQueue(wiring);
        this.openTasks = new OpenTasks(new OpenTaskStore(database), queue::look, clock, log);
        this.tasks = new TaskAccess(new TaskAccessStore(database), openTasks);
        this.http = new PinnedHttpClient(tls);
        OwnCards own = new OwnCards(addresses, http, streams, clock);
        AgentInterfaces interfaces = new AgentInterfaces(own, new TrackRecordStore(database, Runnable::run), log);
        ConnectionStore connections = new ConnectionStore(database);
        this.admission = new AdmissionCheck(
                new AgentStore(database),
                new KeyStore(database),
                new BlockStore(database),
                connections,
                addresses,
                credentials,
                clock);
        this.calls = new AgentCalls(
                addresses, http, connections, interfaces::of, new DeclaredSigns(database, clock, log), log, clock);
        this.receipts = new ReceiptStore(database);
        this.idempotency = new IdempotencyRecords(receipts, new IdempotencyStore(database));
        this.records =
                new InvocationRecords(database, tasks, new Trials(database, clock, log), wiring.storageMeter(), log);
        this.cards = new AgentCards(database, CardSigner.NONE, own::of);
        this.receivers = new HttpSender(wiring, resolver, tls);
        this.pushStore = new PushStore(database);
        this.pushes = new PushSubscriptions(pushStore, cards, receivers, SecretBox.of(wiring), log, clock);
    }

    /** @param limits the configured limits of concurrent calls */
    CallGuard guard(Wiring wiring, CachedConfiguration limits) {
        InvocationRate rate = new InvocationRate(new CallerLimitStore(database), new CachedConfiguration(database));
        return new CallGuard(rate, admission, tasks, concurrency(wiring, limits));
    }

    SyncInvocations sync(CallGuard guard) {
        return new SyncInvocations(guard, calls, idempotency, receipts, records, pushes, clock);
    }

    /** Returns the configured limit, else half of the account's concurrency. */
    private CallConcurrency concurrency(Wiring wiring, CachedConfiguration limits) {
        int halfOfAccount = Math.max(1, wiring.get(FunctionSettings.ACCOUNT_CONCURRENCY) / 2);
        return new CallConcurrency(
                new CallPermitStore(database),
                () -> {
                    int configured = limits.current().configuration().get(RuntimeSettings.INVOCATIONS_MAX_IN_FLIGHT);
                    return configured > 0 ? configured : halfOfAccount;
                },
                log);
    }

    A2aFront a2a(SyncInvocations sync, CallGuard guard) {
        StreamReceipts streamReceipts = new StreamReceipts(receipts, records, tasks, pushes, clock);
        Optional<StreamedCalls> streamed = Optional.of(new StreamedCalls(guard, calls, streamReceipts, log, clock));
        TaskLookups lookups = new TaskLookups(guard, calls, openTasks, clock);
        return new A2aFront(
                sync,
                streamed.filter(offered -> streams),
                lookups,
                cards,
                new PushConfigurations(pushStore, pushes, cards, guard, lookups));
    }

    PushReception reception(Authenticator authenticator, InvocationQueue queue) {
        return new PushReception(pushStore, tasks, admission, authenticator, queue, log, clock);
    }

    PushDelivery deliveries() {
        return new PushDelivery(pushStore, pushes, admission, new KeyStore(database), receivers, log, clock);
    }

    AsyncInvocations async(CallGuard guard, InvocationQueue queue) {
        return new AsyncInvocations(guard, idempotency, receipts, queue, log, clock);
    }

    InvocationTasks tasks(CallGuard guard, AsyncInvocations async) {
        return new InvocationTasks(async, receipts, new TaskLookups(guard, calls, openTasks, clock), clock);
    }

    CredentialAdministration credentials() {
        return new CredentialAdministration(credentials, new AgentAccess(new AgentStore(database)), log);
    }

    InvocationWorker worker() {
        return new InvocationWorker(admission, calls, receipts, records, clock);
    }

    TaskCancellation cancellations() {
        return new TaskCancellation(
                new OpenTaskStore(database), openTasks, new StopStore(database), admission, calls, queue, log);
    }

    /** @param timeout the timeout of one call of an agent */
    CommandDelivery commands(Duration timeout) {
        return new CommandDelivery(new AgentStore(database), credentials, addresses, http, log, clock, timeout);
    }

    /** Loads everything that the first call of an agent needs. */
    Priming.Part callPriming() {
        return new Priming.Part("call", http::warmUp, false);
    }
}
