package dev.agenthealth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.Agent;
import dev.agenthealth.client.AgentEnd;
import dev.agenthealth.client.AgentState;
import dev.agenthealth.client.Drain;
import dev.agenthealth.client.OnDrain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** The start and the end of the agents of an application. */
@Timeout(60)
class ApplicationAgentsTest {

    private static final List<String> CALLS = new ArrayList<>();

    @AutoClose
    private RegistryServer registry;

    private ApplicationContextRunner application;

    @BeforeEach
    void start() throws IOException {
        CALLS.clear();
        registry = new RegistryServer();
        application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AgentHealthAutoConfiguration.class, AgentHealthActuatorAutoConfiguration.class))
                .withPropertyValues(
                        "agent-health.url=" + registry.url(),
                        "agent-health.key=secret",
                        "agent-health.close-timeout=1s");
    }

    @Agent(id = "billing-1")
    static class BillingAgent {

        @OnDrain
        private void finish(Drain drain) {
            CALLS.add("drain " + drain.cause());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneAgent {

        @Bean
        BillingAgent billing() {
            return new BillingAgent();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxiedAgent {

        @Bean
        BillingAgent billing() {
            ProxyFactory proxy = new ProxyFactory(new BillingAgent());
            proxy.setProxyTargetClass(true);
            return (BillingAgent) proxy.getProxy();
        }
    }

    /** A bean that stops as the web server does in a graceful shutdown. */
    static class Server implements SmartLifecycle {

        private boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            CALLS.add("server stopped");
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 1024;
        }
    }

    @Test
    void agents_drain_while_the_web_server_still_answers() {
        application.withUserConfiguration(OneAgent.class).withBean(Server.class).run(context -> {
            Readiness.of(context.getSourceApplicationContext());

            context.close();

            assertThat(CALLS).containsExactly("drain CLOSE", "server stopped");
        });
    }

    @Test
    void a_proxy_of_an_agent_is_an_agent_and_is_drained_when_the_context_closes() {
        application.withUserConfiguration(ProxiedAgent.class).run(context -> {
            Readiness.of(context.getSourceApplicationContext());

            context.close();

            assertThat(CALLS).containsExactly("drain CLOSE");
            assertThat(registry.drained()).contains("billing-1");
        });
    }

    @Test
    void a_registry_that_is_away_does_not_keep_the_application_from_starting_and_working() {
        registry.close();
        application.withUserConfiguration(OneAgent.class).run(context -> {
            ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());
            boolean[] worked = {false};

            agents.run(() -> worked[0] = true);

            assertThat(worked[0]).isTrue();
            assertThat(agents.agent().orElseThrow().state()).isEqualTo(AgentState.REGISTERING);
            assertThat(context.getBean(HealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.UNKNOWN);
        });
    }

    @Test
    @Tag("slow")
    void an_agent_that_is_refused_does_not_keep_the_application_from_starting_and_working() throws Exception {
        registry.refuse();
        application.withUserConfiguration(OneAgent.class).run(context -> {
            ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());

            assertThat(agents.call(() -> "done")).isEqualTo("done");
            assertThat(agents.refused()).containsOnlyKeys("billing");
            assertThat(context.getBean(HealthIndicator.class).health()).satisfies(health -> {
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                assertThat(health.getDetails().get("billing").toString()).contains("refused", "A broken rule.");
            });
        });
    }

    @Test
    @Tag("slow")
    void an_agent_whose_key_is_refused_is_down_until_a_later_attempt_succeeds() throws Exception {
        registry.refuseKeys();
        application.withUserConfiguration(OneAgent.class).run(context -> {
            ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());

            assertThat(agents.call(() -> "done")).isEqualTo("done");
            assertThat(agents.agent().orElseThrow().state()).isEqualTo(AgentState.REGISTERING);
            assertThat(agents.refused()).isEmpty();
            assertThat(context.getBean(HealthIndicator.class).health()).satisfies(health -> {
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                assertThat(health.getDetails().get("billing").toString()).contains("No such key.");
            });
        });
    }

    @Test
    void a_registry_that_answers_nothing_holds_up_neither_the_start_nor_the_end() {
        registry.hang();
        application
                .withUserConfiguration(OneAgent.class)
                .withPropertyValues("agent-health.request-timeout=200ms", "agent-health.close-timeout=300ms")
                .run(context -> {
                    Readiness.of(context.getSourceApplicationContext());
                    long begun = System.nanoTime();

                    context.close();

                    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
                });
    }

    @Test
    void actuator_shows_each_agent() {
        application.withUserConfiguration(OneAgent.class).run(context -> {
            Readiness.of(context.getSourceApplicationContext());

            assertThat(context.getBean("agentHealthHealthIndicator", HealthIndicator.class)
                            .health())
                    .satisfies(health -> {
                        assertThat(health.getStatus()).isEqualTo(Status.UP);
                        assertThat(health.getDetails().get("billing").toString())
                                .contains("agent_id=billing-1", "state=active", "incarnation=1", "last_answer_at=");
                    });
            context.getBean(ApplicationAgents.class).agent().orElseThrow().close();
            assertThat(context.getBean(HealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.OUT_OF_SERVICE);
        });
    }

    @Test
    void an_agent_that_an_operator_ended_drains_and_is_out_of_service_while_the_application_goes_on() {
        registry.endByOperator();
        application.withUserConfiguration(OneAgent.class).run(context -> {
            ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());
            CompletableFuture<AgentEnd> ended =
                    agents.agent().orElseThrow().whenEnded().toCompletableFuture();

            assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(AgentEnd.OPERATOR);
            assertThat(CALLS).containsExactly("drain ENDED");
            assertThat(registry.registrations()).hasSize(1);
            assertThat(context.getBean(HealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.OUT_OF_SERVICE);
        });
    }

    @Test
    @Tag("slow")
    void a_property_lets_an_agent_register_again_after_an_operator_ended_it() {
        registry.endByOperator();
        application
                .withUserConfiguration(OneAgent.class)
                .withPropertyValues("agent-health.death-policy=always_register_again")
                .run(context -> {
                    Readiness.of(context.getSourceApplicationContext());

                    registry.awaitRegistrations(2);

                    assertThat(CALLS).isEmpty();
                });
    }

    @Test
    void another_context_that_is_ready_starts_nothing() {
        application.withUserConfiguration(OneAgent.class).run(context -> {
            GenericApplicationContext child = new GenericApplicationContext(context);
            child.refresh();

            child.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], child, Duration.ZERO));

            context.getBean(ApplicationAgents.class).starting().join();
            assertThat(registry.registrations()).isEmpty();
        });
    }

    @Test
    void a_context_that_is_stopped_and_started_again_starts_its_agents_again() {
        application.withUserConfiguration(OneAgent.class).run(context -> {
            ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());
            context.getSourceApplicationContext().stop();
            assertThat(agents.started()).isEmpty();

            context.getSourceApplicationContext().start();

            agents.starting().orTimeout(30, TimeUnit.SECONDS).join();
            assertThat(registry.registrations()).hasSize(2);
            assertThat(agents.agent().orElseThrow().state()).isEqualTo(AgentState.ACTIVE);
        });
    }
}
