package dev.agenthealth.functions.storage;

import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.ErasureStore;
import dev.agenthealth.functions.storage.credentials.CredentialStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.health.MeasurementStore;
import dev.agenthealth.functions.storage.hosts.HostStore;
import dev.agenthealth.functions.storage.invocations.CallPermitStore;
import dev.agenthealth.functions.storage.invocations.CallerErrorStore;
import dev.agenthealth.functions.storage.invocations.CallerLimitStore;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.functions.storage.invocations.IdempotencyStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.invocations.TaskAccessStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.outcomes.SliceStore;
import dev.agenthealth.functions.storage.outcomes.SpanStore;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.storage.system.InvocationLimits;
import dev.agenthealth.functions.storage.system.PageTokenKey;
import dev.agenthealth.functions.storage.system.RegistrationSettings;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.EvidenceStore;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.functions.wiring.Pause;
import dev.agenthealth.functions.wiring.Wiring;
import java.time.Clock;
import java.util.concurrent.Executor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Makes the stores, which hold no state and are cheap to make. */
public final class Stores {

    private final Database database;

    public Stores(DynamoDbClient dynamoDb, Tables tables, Clock clock, Pause pause) {
        this(new Database(dynamoDb, tables, clock, pause, new StorageMeter()));
    }

    private Stores(Database database) {
        this.database = database;
    }

    /** The stores of a deployed function, which count the capacity that they consume. */
    public static Stores of(Wiring wiring) {
        return new Stores(new Database(
                wiring.dynamoDb().get(), Tables.of(wiring), wiring.clock(), wiring.pause(), wiring.storageMeter()));
    }

    public PulseStore pulses() {
        return new PulseStore(database);
    }

    public AgentStore agents() {
        return new AgentStore(database);
    }

    public DiscoveryStore discovery() {
        return new DiscoveryStore(database);
    }

    public EventStore events() {
        return new EventStore(database);
    }

    public FleetScan fleet() {
        return new FleetScan(database);
    }

    public CanaryStore canaries() {
        return new CanaryStore(database);
    }

    public SweepStateStore sweepState() {
        return new SweepStateStore(database);
    }

    public ConfigurationStore configuration() {
        return new ConfigurationStore(database);
    }

    public PageTokenKey pageTokenKey() {
        return new PageTokenKey(database);
    }

    public CachedConfiguration<InvocationLimits> invocationLimits() {
        return CachedConfiguration.invocations(database);
    }

    public CachedConfiguration<Boolean> publicCatalogue() {
        return CachedConfiguration.publicCatalogue(database);
    }

    public CachedConfiguration<RegistrationSettings> registrationSettings() {
        return CachedConfiguration.registrations(database);
    }

    public LeaseStore leases() {
        return new LeaseStore(database);
    }

    public GroupStore groups() {
        return new GroupStore(database);
    }

    public StatisticsStore statistics() {
        return new StatisticsStore(database);
    }

    public WorkflowStore workflows() {
        return new WorkflowStore(database);
    }

    public PoolStore pools() {
        return new PoolStore(database);
    }

    public HostStore hosts() {
        return new HostStore(database);
    }

    public NotificationRuleStore notificationRules() {
        return new NotificationRuleStore(database);
    }

    public DigestStore digests() {
        return new DigestStore(database);
    }

    public OutcomeStore outcomes() {
        return new OutcomeStore(database);
    }

    public SpanStore spans() {
        return new SpanStore(database);
    }

    public TelemetryStore telemetry() {
        return new TelemetryStore(database);
    }

    public SliceStore slices() {
        return new SliceStore(database);
    }

    public HealthStore health() {
        return new HealthStore(database);
    }

    public MeasurementStore measurements() {
        return new MeasurementStore(database);
    }

    public DueStore due() {
        return new DueStore(database);
    }

    public EvidenceStore evidence() {
        return new EvidenceStore(database);
    }

    /**
     * @param executor reads partitions concurrently
     */
    public TrackRecordStore trackRecords(Executor executor) {
        return new TrackRecordStore(database, executor);
    }

    public ErasureStore erasures() {
        return new ErasureStore(database);
    }

    public BlockStore blocks() {
        return new BlockStore(database);
    }

    public IdempotencyStore idempotency() {
        return new IdempotencyStore(database);
    }

    public ReceiptStore receipts() {
        return new ReceiptStore(database);
    }

    public CallerLimitStore callerLimits() {
        return new CallerLimitStore(database);
    }

    public CredentialStore credentials() {
        return new CredentialStore(database);
    }

    public TaskAccessStore taskAccess() {
        return new TaskAccessStore(database);
    }

    public ConnectionStore connections() {
        return new ConnectionStore(database);
    }

    public CallerErrorStore callerErrors() {
        return new CallerErrorStore(database);
    }

    public CallPermitStore callPermits() {
        return new CallPermitStore(database);
    }

    public KeyStore keys() {
        return new KeyStore(database);
    }
}
