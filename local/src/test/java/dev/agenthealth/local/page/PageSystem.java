package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A local system with 120 idle agents, and a browser: started once for all tests of the page. */
final class PageSystem implements AutoCloseable {

    static final String ADMINISTRATOR = "test-administrator-key";
    static final int AGENTS = 120;
    /** An agent whose executions fail, as those of {@code agent-1} do. */
    static final String FAILING = "night-1";

    private final LocalSystem system;
    private final RegistryCaller administrator;
    private final RegistryCaller owner;
    private final String viewer;
    private final String ownerKey;
    private final Browser browser;
    private final MessageReceiver messages = new MessageReceiver();

    /** Starts the system, or skips the class where there is no browser, and gives it to the methods of the class. */
    static final class Resolver implements BeforeAllCallback, ParameterResolver {

        @Override
        public void beforeAll(ExtensionContext context) {
            find(context);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == PageSystem.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return find(context);
        }

        private static PageSystem find(ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(PageSystem.class))
                    .getOrComputeIfAbsent(PageSystem.class);
        }
    }

    PageSystem() {
        try {
            system = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                    .sweepPeriod(Duration.ofSeconds(1))
                    .allowLoopbackEndpoints()
                    .out(new PrintStream(OutputStream.nullOutputStream())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            browser = new Browser(system.baseUrl());
        } catch (RuntimeException e) {
            system.close();
            messages.close();
            throw e;
        }
        administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        viewer = key("viewer");
        ownerKey = key("agent");
        owner = new RegistryCaller(system.baseUrl(), ownerKey);
        for (int i = 0; i < AGENTS; i++) {
            register("agent-" + i, i % 2 == 0 ? "billing" : "planner", "");
        }
        fail(owner, "agent-1");
        ObjectNode rule = Json.object();
        rule.putArray("events").add("agent.health");
        rule.putObject("filter").putArray("role_ids").add("night");
        rule.put("group_seconds", 5);
        rule.putObject("target").put("type", "webhook").put("url", messages.url());
        assertThat(administrator.put("/v1/admin/notifications/night", rule).status())
                .isEqualTo(201);
        register(FAILING, "night", "");
        fail(owner, FAILING);
    }

    /** Reports as many failures of an agent as full confidence needs. */
    static void fail(RegistryCaller owner, String id) {
        ObjectNode report = Json.object().put("batch_id", "failures");
        for (int i = 0; i < 20; i++) {
            report.withArray("outcomes")
                    .addObject()
                    .put("result", "failure")
                    .put("error_type", "timeout")
                    .put("latency_ms", 100);
        }
        assertThat(owner.post("/api/v1/agents/" + id + "/outcomes", report).status())
                .isEqualTo(202);
    }

    /** Registers an agent that may be silent for as long as the tests take. */
    void register(String id, String role, String name) {
        ObjectNode agent =
                Json.object().put("agent_id", id).put("role_id", role).put("agent_version", "2.4.1");
        if (!name.isEmpty()) {
            agent.put("name", name);
        }
        agent.putObject("heartbeat_config")
                .put("interval_seconds", 600)
                .put("unhealthy_after_seconds", 1800)
                .put("dead_after_seconds", 3600);
        assertThat(owner.post("/api/v1/agents", agent).status()).isEqualTo(201);
        assertThat(owner.post("/api/v1/agents/" + id + "/heartbeat").status()).isEqualTo(200);
    }

    /** A new key of this role, limited to the roles of agents that are named. */
    String key(String role, String... roleIds) {
        ObjectNode wanted = Json.object().put("role", role).put("name", role);
        if (roleIds.length > 0) {
            for (String roleId : roleIds) {
                wanted.withArray("role_ids").add(roleId);
            }
        }
        return administrator
                .post("/v1/admin/keys", wanted)
                .json()
                .path("api_key")
                .asText();
    }

    RegistryCaller administrator() {
        return administrator;
    }

    Browser browser() {
        return browser;
    }

    /** Gets the messages about {@link #FAILING}. */
    MessageReceiver messages() {
        return messages;
    }

    /** The key of a viewer. */
    String viewer() {
        return viewer;
    }

    /** The key that owns all agents. */
    String owner() {
        return ownerKey;
    }

    /** Opens the page anew and enters a key. */
    void enter(String key) {
        browser.resize(1400, 1000);
        browser.open("#/");
        browser.script("sessionStorage.clear(); localStorage.clear(); location.reload();");
        browser.complaints();
        browser.enter(key);
    }

    @Override
    public void close() {
        browser.close();
        system.close();
        messages.close();
    }
}
