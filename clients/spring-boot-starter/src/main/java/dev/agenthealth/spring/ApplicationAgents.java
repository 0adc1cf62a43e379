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
 * The agents of a Spring Boot application. Thread-safe.
 *
 * <p>The agents start in the background after the application is ready. They drain before anything else stops, for at most {@code
 * agent-health.close-timeout}. The application starts even if the registry is unreachable or refuses an agent. A refusal is logged, and
 * marks the health contributor {@code agentHealth} as down. If the registry refuses the key, the client retries once per interval. An agent
 * whose registration breaks a rule is not tried again.
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

    /** Returns the only agent of the application. Empty if it has several agents, or if the agent is not started yet or was refused. */
    public synchronized Optional<ManagedAgent> agent() {
        return started.size() == 1 ? started.values().stream().findFirst() : Optional.empty();
    }

    /** Returns the agent of a bean with {@link dev.agenthealth.client.Agent}; empty if it is not started yet or was refused. */
    public synchronized Optional<ManagedAgent> agent(String beanName) {
        return Optional.ofNullable(started.get(beanName));
    }

    /** Returns a copy of the started agents, by the name of their bean; the agent of the properties has the empty name. */
    public synchronized Map<String, ManagedAgent> started() {
        return new LinkedHashMap<>(started);
    }

    /** Returns a copy of the reasons why the registry refused agents, by the name of the bean. */
    public synchronized Map<String, AgentHealthException> refused() {
        return new LinkedHashMap<>(refused);
    }

    /** Runs work as a task of the only agent, like {@link ManagedAgent#run}. Without a started agent it runs only the work. */
    public void run(Runnable work) {
        Optional<ManagedAgent> agent = agent();
        if (agent.isPresent()) {
            agent.get().run(work);
        } else {
            work.run();
        }
    }

    /**
     * Runs work as a task of the only agent, like {@link ManagedAgent#call}. Without a started agent it runs only the work.
     *
     * @return the result of the work
     * @throws Exception the exception of the work
     */
    public <T> T call(Callable<T> work) throws Exception {
        Optional<ManagedAgent> agent = agent();
        return agent.isPresent() ? agent.get().call(work) : work.call();
    }

    /** Reads and validates the settings of the agents, which start after the application is ready. */
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

    /** Returns a future that completes when every agent was started or refused. */
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

    /** Drains all agents at the same time and waits for them. */
    @Override
    public void stop() {
        CompletableFuture<Void> begun;
        synchronized (this) {
            running = false;
            begun = starting;
        }
        // A registration in progress ends within the timeout of its request.
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
