package dev.agenthealth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.Agent;
import dev.agenthealth.client.AgentEnd;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentState;
import dev.agenthealth.client.Drain;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.OnDrain;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** A real Spring Boot application and the local run of the registry. */
@Timeout(180)
@Tag("slow")
class SpringApplicationTest {

    private static final String KEY = "test-administrator-key";
    private static final BlockingQueue<Drain> DRAINS = new LinkedBlockingQueue<>();

    private static LocalSystem system;
    private static AgentHealthClient operator;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class BillingApplication {

        @Bean
        BillingAgent billing() {
            return new BillingAgent();
        }

        /** An administrator registers agents of other keys only. */
        @Bean
        AgentCustomizer owner() {
            return (bean, agent) -> agent.registration(registration -> registration.ownerKey("administrator"));
        }
    }

    @Agent(id = "${app.id}", role = "billing", heartbeatSeconds = 1, unhealthyAfterSeconds = 60, deadAfterSeconds = 120)
    static class BillingAgent {

        @OnDrain
        void finish(Drain drain) {
            DRAINS.add(drain);
        }
    }

    @BeforeAll
    static void startRegistry() throws IOException {
        system = LocalSystem.start(
                LocalOptions.of(Template.find(), KEY).out(new PrintStream(OutputStream.nullOutputStream())));
        operator = AgentHealthClient.of(system.baseUrl(), KEY);
    }

    @AfterAll
    static void stopRegistry() {
        operator.close();
        system.close();
    }

    @AfterEach
    void clear() {
        DRAINS.clear();
    }

    private static ConfigurableApplicationContext run(String id) {
        // The logging of the tests is not the application's to configure.
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        ConfigurableApplicationContext context = new SpringApplicationBuilder(BillingApplication.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .run(
                        "--app.id=" + id,
                        "--agent-health.url=" + system.baseUrl(),
                        "--agent-health.key=" + KEY,
                        "--spring.main.register-shutdown-hook=false");
        context.getBean(ApplicationAgents.class)
                .starting()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        return context;
    }

    private static String status(String id) {
        return operator.agents().get(id).status();
    }

    @Test
    void an_application_registers_works_and_drains_when_it_ends() throws Exception {
        ConfigurableApplicationContext context = run("spring_a");
        ApplicationAgents agents = context.getBean(ApplicationAgents.class);
        assertThat(status("spring_a")).isEqualTo("active");
        assertThat(context.getBean("agentHealthHealthIndicator", HealthIndicator.class)
                        .health()
                        .getStatus())
                .isEqualTo(Status.UP);
        assertThat(agents.call(() -> "billed")).isEqualTo("billed");

        context.close();

        assertThat(DRAINS.poll(1, TimeUnit.SECONDS).cause()).isEqualTo(Drain.Cause.CLOSE);
        assertThat(status("spring_a")).isEqualTo("deregistered");
    }

    @Test
    void an_application_drains_on_command_and_goes_on_running() throws Exception {
        try (ConfigurableApplicationContext context = run("spring_b")) {
            ManagedAgent agent =
                    context.getBean(ApplicationAgents.class).agent("billing").orElseThrow();

            operator.agents().requestDrain("spring_b", "maintenance", Duration.ofSeconds(30));

            assertThat(DRAINS.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(new Drain(Drain.Cause.COMMAND, "maintenance", Duration.ofSeconds(30)));
            assertThat(agent.whenEnded().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isEqualTo(AgentEnd.DRAINED);
            assertThat(status("spring_b")).isEqualTo("deregistered");
            assertThat(context.isRunning()).isTrue();
            assertThat(context.getBean("agentHealthHealthIndicator", HealthIndicator.class)
                            .health())
                    .satisfies(health -> {
                        assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
                        assertThat(health.getDetails().get("billing").toString())
                                .contains("end=drained");
                    });
        }
    }

    @Test
    void a_new_process_replaces_the_one_before_which_then_stops_its_agent_only() throws Exception {
        try (ConfigurableApplicationContext old = run("spring_c");
                ConfigurableApplicationContext next = run("spring_c")) {
            ManagedAgent replaced = old.getBean(ApplicationAgents.class).agent().orElseThrow();

            assertThat(replaced.whenEnded().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isEqualTo(AgentEnd.SUPERSEDED);
            assertThat(old.isRunning()).isTrue();
            assertThat(old.getBean("agentHealthHealthIndicator", HealthIndicator.class)
                            .health()
                            .getStatus())
                    .isEqualTo(Status.DOWN);
            assertThat(next.getBean(ApplicationAgents.class)
                            .agent()
                            .orElseThrow()
                            .state())
                    .isEqualTo(AgentState.ACTIVE);
            assertThat(status("spring_c")).isEqualTo("active");
        }
    }
}
