package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A client of an Agent Health registry. Create a single client per process, since its agents share their heartbeat requests. Thread-safe.
 *
 * <pre>{@code
 * AgentHealthClient registry = AgentHealthClient.of("https://registry.example.com", apiKey);
 * ManagedAgent agent = registry.agent(Registration.of("billing-1").role("billing")).onDrain(drain -> finish()).start();
 * agent.run(() -> bill(invoice));
 * }</pre>
 *
 * <p>Every request that fails throws an {@link AgentHealthException}. While the registry does not answer or is busy, requests are retried
 * with full jitter for at most {@link AgentHealthClientBuilder#maxRetryTime}.
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
     * Returns a client with the default settings. It sends no request yet.
     *
     * @param url the URL of the registry, such as {@code http://localhost:8080}
     * @throws IllegalArgumentException if the URL is not an absolute http or https URL, or the key is empty
     */
    public static AgentHealthClient of(String url, String apiKey) {
        return builder(url).apiKey(apiKey).build();
    }

    /**
     * Returns a client with the URL in the environment variable {@code AGENT_HEALTH_URL}. Its key is in {@code AGENT_HEALTH_KEY}; otherwise
     * its token is in the file that {@code AGENT_HEALTH_TOKEN_FILE} names, see {@link AgentHealthClientBuilder#tokenFile}.
     *
     * @throws IllegalArgumentException if a variable is missing or not usable
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
     * Returns a builder for a client with other settings.
     *
     * @param url the URL of the registry, such as {@code http://localhost:8080}
     * @throws IllegalArgumentException if it is not an absolute http or https URL
     */
    public static AgentHealthClientBuilder builder(String url) {
        return new AgentHealthClientBuilder(url);
    }

    /** Returns the agents of the registry: register, read, drain and deregister them. */
    public Agents agents() {
        return agents;
    }

    /** Returns the pools of agents by role. */
    public Pools pools() {
        return new Pools(context.api());
    }

    /** Returns the leases of intents and agents. */
    public Leases leases() {
        return new Leases(context.api());
    }

    /** Returns the reports of executions. */
    public Outcomes outcomes() {
        return new Outcomes(context.api());
    }

    /** Returns health documents, scores and history. */
    public Health health() {
        return new Health(context.api());
    }

    /** Returns the reputation and the blocks of agents. */
    public Trust trust() {
        return new Trust(context.api());
    }

    /** Returns the API keys: issue, list, rotate and revoke them. */
    public Keys keys() {
        return new Keys(context.api());
    }

    /** Returns the requests about sign-in and the caller. */
    public SignIn signIn() {
        return new SignIn(context.api());
    }

    /** Returns the identity providers with accepted tokens. */
    public IdentityProviders identityProviders() {
        return new IdentityProviders(context.api());
    }

    /** Returns the problems, which stay open until they end or are dismissed. */
    public Problems problems() {
        return new Problems(context.api());
    }

    /** Returns the sources of agents: catalogues, agent cards and registries that are read every hour. */
    public Sources sources() {
        return new Sources(context.api());
    }

    /** Returns the audit log, which shows every change and its author. */
    public Audit audit() {
        return new Audit(context.api());
    }

    /** Returns the stops of agents, for administrators. */
    public Stops stops() {
        return new Stops(context.api());
    }

    /** Returns the export and the import of the registry's configuration, for administrators. */
    public RegistryTransfer transfer() {
        return new RegistryTransfer(context.api());
    }

    /** Returns the status page for outsiders, with its incidents. */
    public StatusPages statusPage() {
        return new StatusPages(context.api());
    }

    /** Returns the silences of administrators. */
    public Silences silences() {
        return new Silences(context.api(), "/v1/admin/silences");
    }

    /** Returns the silences of the current key for its own agents, for example for a deployment; at most 4 hours. */
    public Silences ownSilences() {
        return new Silences(context.api(), "/api/v1/silences");
    }

    /**
     * Returns the events since a time of all agents that the key may see, oldest first. Each event has a {@code type} and a {@code
     * timestamp}.
     */
    public Stream<JsonNode> events(Instant since) {
        return Pages.stream(
                context.api(),
                () -> Call.get("/api/v1/events").query("since", since).query("limit", MAX_PAGE),
                "events",
                event -> event);
    }

    /**
     * Sends any request of the API, such as {@code PUT /v1/admin/notifications/on-call}. The request must bear repetition.
     *
     * @param path the path with encoded segments, and with a query if the request has one
     * @param body the members of the JSON body; empty for a request without a body
     * @return the JSON of the answer; an empty object for an answer without a body
     */
    public JsonNode call(String method, String path, Map<String, ?> body) {
        Call call = Call.of(method, path);
        return context.api().send(body.isEmpty() ? call : call.body((ObjectNode) Json.of(body)));
    }

    /**
     * Returns the items of any list of the API, over all of its pages.
     *
     * @param path the path with encoded segments
     * @param query the parameters; empty values are left out
     * @param items the member of an answer that has the items
     */
    public Stream<JsonNode> list(String path, Map<String, ?> query, String items) {
        return Pages.stream(
                context.api(),
                () -> {
                    Call call = Call.get(path);
                    query.forEach(call::query);
                    return call;
                },
                items,
                item -> item);
    }

    /** Returns a call of an agent through the gateway; {@link Invocation#call} sends it. */
    public Invocation invoke(String agentId) {
        return new Invocation(context.api(), agentId);
    }

    /** Returns the receipt of an invocation by this key, for a day after the invocation. */
    public Receipt receipt(String receiptId) {
        return new Receipt(context.api().send(Call.get("/v1/receipts").segment(receiptId)));
    }

    /**
     * Returns the settings of an agent that the client keeps registered in the background.
     *
     * @return the settings; {@link AgentBuilder#start} starts the agent
     */
    public AgentBuilder agent(Registration registration) {
        return new AgentBuilder(this::start, registration);
    }

    /** Returns an agent that runs only while it is called, such as a function on AWS Lambda. It sends no request yet. */
    public CalledAgent called(Registration registration) {
        return called(registration, DeathPolicy.REGISTER_AGAIN);
    }

    /**
     * Returns an agent that runs only while it is called. It sends no request yet.
     *
     * @param policy {@link DeathPolicy#ALWAYS_REGISTER_AGAIN} to register the agent again even after an operator ended it
     */
    public CalledAgent called(Registration registration, DeathPolicy policy) {
        return new CalledAgent(context, registration, policy);
    }

    /**
     * Returns the settings of the agent that an object's class declares with {@link Agent}. Its methods with {@link OnDrain} and {@link
     * OnDead} are the callbacks.
     *
     * @return the settings; {@link AgentBuilder#start} starts the agent
     * @throws IllegalArgumentException if the annotations break a rule
     */
    public AgentBuilder annotated(Object agent) {
        return annotated(agent, AgentHealthClient::variable);
    }

    /**
     * Reads the annotations of an object with the caller's variables instead of the environment and the system properties.
     *
     * @param variables returns the value of a variable by its name; null if it has no value
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

    /** Drains all agents during the shutdown of the JVM. */
    void shutDown() {
        shutdown.close(loop.sessions(), Drain.Cause.SHUTDOWN);
    }

    /** Drains all agents of the client like {@link ManagedAgent#close}, and ends the background work. Never throws. */
    @Override
    public void close() {
        shutdown.close(loop.sessions(), Drain.Cause.CLOSE);
        hook.disarm();
        context.scheduler().close();
    }
}
