package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A client of an Agent Health registry. One client serves a whole process: its agents share their heartbeat requests. Thread-safe.
 *
 * <pre>{@code
 * AgentHealthClient registry = AgentHealthClient.of("https://registry.example.com", apiKey);
 * ManagedAgent agent = registry.agent(Registration.of("billing-1").role("billing")).onDrain(drain -> finish()).start();
 * agent.run(() -> bill(invoice));
 * }</pre>
 *
 * <p>Every request that fails throws an {@link AgentHealthException}. Requests are repeated with full jitter while the registry does not
 * answer or is busy, as long as {@link AgentHealthClientBuilder#maxRetryTime} allows.
 */
public final class AgentHealthClient implements AutoCloseable {

    private static final String URL_VARIABLE = "AGENT_HEALTH_URL";
    private static final String KEY_VARIABLE = "AGENT_HEALTH_KEY";
    private static final String TOKEN_FILE_VARIABLE = "AGENT_HEALTH_TOKEN_FILE";
    private static final int MAX_PAGE = 1_000;

    private final ClientContext context;
    private final Agents agents;
    private final HeartbeatLoop loop;
    private final AgentShutdown shutdown;
    private final boolean drainsOnShutdown;
    private final ShutdownHook hook = new ShutdownHook(this::shutDown);

    AgentHealthClient(AgentHealthClientBuilder settings, Scheduler scheduler) {
        this.context = new ClientContext(settings.api(scheduler), settings.clock(), scheduler, settings.backoff());
        this.agents = new Agents(context.api(), context.clock());
        this.loop = new HeartbeatLoop(scheduler, context.api());
        this.shutdown = new AgentShutdown(scheduler);
        this.drainsOnShutdown = settings.drainsOnShutdown();
    }

    /**
     * A client with the default settings. No request is sent yet.
     *
     * @param url of the registry, such as {@code http://localhost:8080}
     * @throws IllegalArgumentException when the URL is not an absolute http or https URL, or the key is empty
     */
    public static AgentHealthClient of(String url, String apiKey) {
        return builder(url).apiKey(apiKey).build();
    }

    /**
     * A client with the URL in the environment variable {@code AGENT_HEALTH_URL}, and with the key in {@code AGENT_HEALTH_KEY}, or else the token
     * in the file that {@code AGENT_HEALTH_TOKEN_FILE} names; see {@link AgentHealthClientBuilder#tokenFile}.
     *
     * @throws IllegalArgumentException when one of them is missing or not usable
     */
    public static AgentHealthClient fromEnvironment() {
        return fromEnvironment(System.getenv());
    }

    static AgentHealthClient fromEnvironment(Map<String, String> environment) {
        String url = environment.getOrDefault(URL_VARIABLE, "");
        String key = environment.getOrDefault(KEY_VARIABLE, "");
        String file = environment.getOrDefault(TOKEN_FILE_VARIABLE, "");
        if (url.isBlank()) {
            throw new IllegalArgumentException("the environment variable " + URL_VARIABLE + " is not set");
        }
        if (key.isBlank() && file.isBlank()) {
            throw new IllegalArgumentException(
                    "neither of the environment variables " + KEY_VARIABLE + " and " + TOKEN_FILE_VARIABLE + " is set");
        }
        return key.isBlank() ? builder(url).tokenFile(Path.of(file)).build() : of(url, key);
    }

    /**
     * A client with settings of its own.
     *
     * @param url of the registry, such as {@code http://localhost:8080}
     * @throws IllegalArgumentException when it is not an absolute http or https URL
     */
    public static AgentHealthClientBuilder builder(String url) {
        return new AgentHealthClientBuilder(url);
    }

    /** The agents of the registry: register, read, drain and deregister them. */
    public Agents agents() {
        return agents;
    }

    /** The pools of agents by role. */
    public Pools pools() {
        return new Pools(context.api());
    }

    /** The leases of intents and agents. */
    public Leases leases() {
        return new Leases(context.api());
    }

    /** Reports of executions. */
    public Outcomes outcomes() {
        return new Outcomes(context.api());
    }

    /** Health documents, scores and history. */
    public Health health() {
        return new Health(context.api());
    }

    /** Reputation and blocks. */
    public Trust trust() {
        return new Trust(context.api());
    }

    /** API keys: issue, list, rotate and revoke them. */
    public Keys keys() {
        return new Keys(context.api());
    }

    /** Returns the requests about sign-in and the caller. */
    public SignIn signIn() {
        return new SignIn(context.api());
    }

    /** The identity providers whose tokens are accepted. */
    public IdentityProviders identityProviders() {
        return new IdentityProviders(context.api());
    }

    /** Returns the requests about problems, which last until they are over or dismissed. */
    public Problems problems() {
        return new Problems(context.api());
    }

    /** Sources of agents: catalogues, agent cards and registries that are read every hour. */
    public Sources sources() {
        return new Sources(context.api());
    }

    /** Who changed what. */
    public Audit audit() {
        return new Audit(context.api());
    }

    /** Silences of administrators. */
    public Silences silences() {
        return new Silences(context.api(), "/v1/admin/silences");
    }

    /** Silences of the key in use for its own agents, as for a deployment: at most 4 hours. */
    public Silences ownSilences() {
        return new Silences(context.api(), "/api/v1/silences");
    }

    /** The events of all agents that the key may see since then, oldest first; each has a {@code type} and a {@code timestamp}. */
    public Stream<JsonNode> events(Instant since) {
        return Pages.stream(
                context.api(),
                () -> Call.get("/api/v1/events").query("since", since).query("limit", MAX_PAGE),
                "events",
                event -> event);
    }

    /** A call of an agent through the gateway; {@link Invocation#call} sends it. */
    public Invocation invoke(String agentId) {
        return new Invocation(context.api(), agentId);
    }

    /** The receipt of an invocation of this key, for a day after it. */
    public Receipt receipt(String receiptId) {
        return new Receipt(context.api().send(Call.get("/v1/receipts").segment(receiptId)));
    }

    /**
     * An agent that the client keeps registered in the background.
     *
     * @return its settings; {@link AgentBuilder#start} starts it
     */
    public AgentBuilder agent(Registration registration) {
        return new AgentBuilder(this::start, registration);
    }

    /** An agent that runs only while it is called, as a function on AWS Lambda. No request is sent yet. */
    public CalledAgent called(Registration registration) {
        return called(registration, DeathPolicy.REGISTER_AGAIN);
    }

    /**
     * An agent that runs only while it is called. No request is sent yet.
     *
     * @param policy {@link DeathPolicy#ALWAYS_REGISTER_AGAIN} to register the agent again also after an operator ended it
     */
    public CalledAgent called(Registration registration, DeathPolicy policy) {
        return new CalledAgent(context, registration, policy);
    }

    /**
     * The agent that an object's class declares with {@link Agent}; its methods with {@link OnDrain} and {@link OnDead} are the callbacks.
     *
     * @return its settings; {@link AgentBuilder#start} starts it
     * @throws IllegalArgumentException when the annotations break a rule
     */
    public AgentBuilder annotated(Object agent) {
        return annotated(agent, AgentHealthClient::variable);
    }

    /**
     * Reads the annotations of an object with other variables than those of the environment and the system properties.
     *
     * @param variables the value of a variable by its name; null where it has none
     */
    public AgentBuilder annotated(Object agent, UnaryOperator<String> variables) {
        AnnotatedAgent annotated = new AnnotatedAgent(agent, variables);
        return annotated.into(agent(annotated.registration()));
    }

    private static String variable(String name) {
        return System.getProperty(name, System.getenv(name));
    }

    private ManagedAgent start(AgentBuilder settings) {
        AgentSession session = new AgentSession(context, settings, loop);
        session.registerFirst();
        loop.add(session);
        if (drainsOnShutdown) {
            hook.arm();
        }
        return new ManagedAgent(session, shutdown);
    }

    /** Drains all agents as the JVM shuts down. */
    void shutDown() {
        shutdown.close(loop.sessions(), Drain.Cause.SHUTDOWN);
    }

    /** Drains all agents of the client as {@link ManagedAgent#close} does, and ends what runs in the background. Never throws. */
    @Override
    public void close() {
        shutdown.close(loop.sessions(), Drain.Cause.CLOSE);
        hook.disarm();
        context.scheduler().close();
    }
}
