package dev.agenthealth.functions.runtime.wiring;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Sample;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.crac.Core;
import org.crac.Resource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The environment of a function: its variables, the clock and the clients of AWS services.
 *
 * <p>A snapshot may contain an instance, because nothing here is random, time-dependent or connected. A {@link Builder} creates instances:
 * {@link #of} starts with an environment, {@link #toBuilder} with another wiring.
 *
 * @param environment the environment variables of the function
 * @param time the clock and the pauses on it
 * @param clients the clients of AWS services
 * @param storageMeter counts the DynamoDB usage of each request
 * @param snapshots registers work to run before a snapshot of the process is taken
 * @param mailServer sends e-mail if the installation has no Amazon SNS; empty if none is configured
 * @param process the objects that all handlers of the process share
 */
public record Wiring(
        Map<String, String> environment,
        Time time,
        AwsClients clients,
        StorageMeter storageMeter,
        Consumer<Resource> snapshots,
        Optional<MailServer> mailServer,
        ProcessState process) {

    public Wiring {
        environment = Map.copyOf(environment);
    }

    /** Returns whether the process streams responses. */
    public boolean streams() {
        return get(FunctionSettings.STREAMS);
    }

    /** Returns the wiring of a deployed function: the process's environment, the system clock and clients of its Region. */
    public static Wiring fromEnvironment() {
        return onAws(System.getenv());
    }

    /** Returns the wiring of a deployed function with these variables, in a process of another kind. */
    public static Wiring onAws(Map<String, String> environment) {
        return deployed(environment, AwsClients.all());
    }

    /** Returns the wiring of a deployed function whose package has only the DynamoDB client. */
    public static Wiring storageOnly() {
        return deployed(System.getenv(), AwsClients.storageOnly());
    }

    private static Wiring deployed(Map<String, String> environment, AwsClients clients) {
        return of(environment)
                .clients(clients)
                .snapshots(resource -> Core.getGlobalContext().register(resource))
                .build();
    }

    /**
     * Returns a builder of a wiring with these variables, the system clock and a meter of its own. The wiring has no clients, no snapshots
     * and no mail server until the builder gets them.
     */
    public static Builder of(Map<String, String> environment) {
        return new Builder().environment(environment);
    }

    /** Returns a builder with the values of this wiring. */
    public Builder toBuilder() {
        Builder builder = of(environment)
                .clock(clock())
                .pause(pause())
                .clients(clients)
                .storageMeter(storageMeter)
                .snapshots(snapshots)
                .process(process);
        mailServer.ifPresent(builder::mailServer);
        return builder;
    }

    /** Builds a {@link Wiring}. Each method replaces one value and returns the builder. */
    public static final class Builder {

        private final Map<String, String> environment = new HashMap<>();
        private Clock clock = Clock.systemUTC();
        private Pause pause = Pause.real();
        private Supplier<DynamoDbClient> dynamoDb = AwsClients.notPackaged();
        private Supplier<EventBridgeClient> eventBridge = AwsClients.notPackaged();
        private Supplier<LambdaClient> lambda = AwsClients.notPackaged();
        private Supplier<SqsClient> sqs = AwsClients.notPackaged();
        private Supplier<KmsClient> kms = AwsClients.notPackaged();
        private Supplier<SnsClient> sns = AwsClients.notPackaged();
        private StorageMeter storageMeter = new StorageMeter();
        private Consumer<Resource> snapshots = resource -> {};
        private Optional<MailServer> mailServer = Optional.empty();
        private ProcessState process = new ProcessState();

        private Builder() {}

        /** Adds environment variables. They replace variables of the same name. */
        public Builder environment(Map<String, String> variables) {
            environment.putAll(variables);
            return this;
        }

        public Builder clock(Clock newClock) {
            clock = newClock;
            return this;
        }

        public Builder pause(Pause newPause) {
            pause = newPause;
            return this;
        }

        public Builder clients(AwsClients clients) {
            return dynamoDb(clients.dynamoDb())
                    .eventBridge(clients.eventBridge())
                    .lambda(clients.lambda())
                    .sqs(clients.sqs())
                    .kms(clients.kms())
                    .sns(clients.sns());
        }

        public Builder dynamoDb(Supplier<DynamoDbClient> newDynamoDb) {
            dynamoDb = newDynamoDb;
            return this;
        }

        public Builder eventBridge(Supplier<EventBridgeClient> newEventBridge) {
            eventBridge = newEventBridge;
            return this;
        }

        public Builder lambda(Supplier<LambdaClient> newLambda) {
            lambda = newLambda;
            return this;
        }

        public Builder sqs(Supplier<SqsClient> newSqs) {
            sqs = newSqs;
            return this;
        }

        public Builder kms(Supplier<KmsClient> newKms) {
            kms = newKms;
            return this;
        }

        public Builder sns(Supplier<SnsClient> newSns) {
            sns = newSns;
            return this;
        }

        public Builder storageMeter(StorageMeter newStorageMeter) {
            storageMeter = newStorageMeter;
            return this;
        }

        public Builder snapshots(Consumer<Resource> newSnapshots) {
            snapshots = newSnapshots;
            return this;
        }

        public Builder mailServer(MailServer newMailServer) {
            mailServer = Optional.of(newMailServer);
            return this;
        }

        /** Shares the objects of a process among several functions. */
        public Builder process(ProcessState newProcess) {
            process = newProcess;
            return this;
        }

        public Wiring build() {
            return new Wiring(
                    environment,
                    new Time(clock, pause),
                    new AwsClients(dynamoDb, eventBridge, lambda, sqs, kms, sns),
                    storageMeter,
                    snapshots,
                    mailServer,
                    process);
        }
    }

    public Clock clock() {
        return time.clock();
    }

    public Pause pause() {
        return time.pause();
    }

    public Supplier<DynamoDbClient> dynamoDb() {
        return clients.dynamoDb();
    }

    public Supplier<EventBridgeClient> eventBridge() {
        return clients.eventBridge();
    }

    public Supplier<LambdaClient> lambda() {
        return clients.lambda();
    }

    public Supplier<SqsClient> sqs() {
        return clients.sqs();
    }

    public Supplier<KmsClient> kms() {
        return clients.kms();
    }

    public Supplier<SnsClient> sns() {
        return clients.sns();
    }

    /** Returns the monotonic clock of the machine. Changes of the system clock do not affect it. */
    public LongSupplier nanoTime() {
        return System::nanoTime;
    }

    /** Creates a log to standard output. A function creates one log. */
    public Log log() {
        return Log.standard(
                clock(), get(FunctionSettings.STACK_NAME), new Sample(get(FunctionSettings.LOG_SAMPLE_ONE_IN)));
    }

    /**
     * Returns the value of an environment variable. A variable without characters counts as not set.
     *
     * @throws IllegalStateException if the variable is required and not set, or has no value of its type, which is an error in the deployment
     */
    public <T> T get(Setting<T> setting) {
        return find(setting)
                .or(setting::standard)
                .orElseThrow(() -> new IllegalStateException(named(setting) + " is not set"));
    }

    /**
     * Returns the value of an environment variable; empty if the variable is not set.
     *
     * @throws IllegalStateException if the variable has no value of its type
     */
    public <T> Optional<T> find(Setting<T> setting) {
        String value = environment.getOrDefault(setting.name(), "");
        try {
            return value.isEmpty()
                    ? Optional.empty()
                    : Optional.of(setting.type().parse(value));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(named(setting) + " " + e.getMessage(), e);
        }
    }

    /** Returns whether the environment has a variable, even if the variable has no characters. */
    public boolean has(Setting<?> setting) {
        return environment.containsKey(setting.name());
    }

    /** Returns the URL in an environment variable, without a slash at the end; empty if the variable is not set. */
    public String origin(Setting<String> setting) {
        String url = find(setting).orElse("");
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static String named(Setting<?> setting) {
        return "the environment variable " + setting.name();
    }
}
