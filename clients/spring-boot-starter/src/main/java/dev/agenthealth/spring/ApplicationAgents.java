package dev.agenthealth.spring;

import dev.agenthealth.client.AgentBuilder;
import dev.agenthealth.client.AgentHealthException;
import dev.agenthealth.client.ManagedAgent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * The agents of a Spring Boot application. They start in the background once the application is ready, and drain before anything else
 * stops, for at most {@code agent-health.close-timeout}. Neither a registry that is away nor one that refuses an agent keeps the
 * application from starting; an agent that is refused is logged, and makes the health contributor {@code agentHealth} down. Thread-safe.
 */
public final class ApplicationAgents implements SmartLifecycle, ApplicationListener<ApplicationReadyEvent> {

    private static final System.Logger LOG = System.getLogger("dev.agenthealth.spring");

    private final AgentBeans beans;
    private final Executor background;
    private final Map<String, ManagedAgent> started = new LinkedHashMap<>();
    private final Map<String, AgentHealthException> refused = new LinkedHashMap<>();
    private Map<String, AgentBuilder> settings = Map.of();
    private CompletableFuture<Void> starting = CompletableFuture.completedFuture(null);
    private boolean running;
    private boolean ready;

    ApplicationAgents(AgentBeans beans, Executor background) {
        this.beans = beans;
        this.background = background;
    }

    /** The only agent of the application; empty where it has several, and where it is not started yet or was refused. */
    public synchronized Optional<ManagedAgent> agent() {
        return started.size() == 1 ? started.values().stream().findFirst() : Optional.empty();
    }

    /** The agent of a bean with {@link dev.agenthealth.client.Agent}; empty where it is not started yet or was refused. */
    public synchronized Optional<ManagedAgent> agent(String beanName) {
        return Optional.ofNullable(started.get(beanName));
    }

    /** The agents that were started, by the name of their bean, which is empty for the agent of the properties; a copy. */
    public synchronized Map<String, ManagedAgent> started() {
        return new LinkedHashMap<>(started);
    }

    /** Why the registry refused an agent, by the name of its bean; a copy. */
    public synchronized Map<String, AgentHealthException> refused() {
        return new LinkedHashMap<>(refused);
    }

    /** Does a piece of work as a task of the only agent, as {@link ManagedAgent#run} does; without a started agent it does the work alone. */
    public void run(Runnable work) {
        Optional<ManagedAgent> agent = agent();
        if (agent.isPresent()) {
            agent.get().run(work);
        } else {
            work.run();
        }
    }

    /**
     * Does a piece of work as a task of the only agent, as {@link ManagedAgent#call} does; without a started agent it does the work alone.
     *
     * @return what it returns
     * @throws Exception what it throws
     */
    public <T> T call(Callable<T> work) throws Exception {
        Optional<ManagedAgent> agent = agent();
        return agent.isPresent() ? agent.get().call(work) : work.call();
    }

    /** Reads the settings of the agents, which must be usable; they start once the application is ready. */
    @Override
    public synchronized void start() {
        settings = beans.settings();
        running = true;
        if (ready) {
            startAgents();
        }
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (event.getApplicationContext() != beans.context()) {
            return;
        }
        synchronized (this) {
            ready = true;
            if (running) {
                startAgents();
            }
        }
    }

    /** Completes when every agent was started or refused. */
    synchronized CompletableFuture<Void> starting() {
        return starting.copy();
    }

    private void startAgents() {
        Map<String, AgentBuilder> toStart = settings;
        starting = CompletableFuture.runAsync(() -> toStart.forEach(this::start), background);
    }

    private void start(String name, AgentBuilder agent) {
        if (!isRunning()) {
            return;
        }
        try {
            ManagedAgent begun = agent.start();
            synchronized (this) {
                started.put(name, begun);
            }
        } catch (AgentHealthException e) {
            String which = name.isEmpty() ? "the agent of the properties" : "the agent of the bean " + name;
            LOG.log(System.Logger.Level.ERROR, "the registry refused " + which + ", which goes on without it", e);
            synchronized (this) {
                refused.put(name, e);
            }
        }
    }

    /** Drains the agents together, and waits for them. */
    @Override
    public void stop() {
        CompletableFuture<Void> begun;
        synchronized (this) {
            running = false;
            begun = starting;
        }
        // A registration that is under way ends within the time-out of its request.
        begun.handle((nothing, failure) -> nothing).join();
        Map<String, ManagedAgent> agents;
        synchronized (this) {
            agents = new LinkedHashMap<>(started);
            started.clear();
            refused.clear();
        }
        agents.values().stream()
                .map(agent -> CompletableFuture.runAsync(agent::close, ApplicationAgents::newThread))
                .toList()
                .forEach(CompletableFuture::join);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    static void newThread(Runnable work) {
        Thread thread = new Thread(work, "agent-health");
        thread.setDaemon(true);
        thread.start();
    }
}
