package dev.agenthealth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.Agent;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentState;
import dev.agenthealth.client.gate.HealthGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that the starter makes of properties. */
@Timeout(60)
class AutoConfigurationTest {

    @AutoClose
    private RegistryServer registry;

    private ApplicationContextRunner application;

    @BeforeEach
    void start() throws IOException {
        registry = new RegistryServer();
        application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AgentHealthAutoConfiguration.class, AgentHealthActuatorAutoConfiguration.class))
                .withPropertyValues(
                        "agent-health.url=" + registry.url(),
                        "agent-health.key=secret",
                        "agent-health.close-timeout=1s");
    }

    @Agent(id = "billing-${app.instance:1}", role = "billing", capabilities = "invoices", heartbeatSeconds = 20)
    static class BillingAgent {}

    @Agent(id = "mailer")
    static class MailAgent {}

    @Configuration(proxyBeanMethods = false)
    static class OneAgent {

        @Bean
        BillingAgent billing() {
            return new BillingAgent();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoAgents {

        @Bean
        BillingAgent billing() {
            return new BillingAgent();
        }

        @Bean
        MailAgent mail() {
            return new MailAgent();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {

        @Bean(destroyMethod = "")
        AgentHealthClient own() {
            return AgentHealthClient.of("http://registry.invalid", "other");
        }

        @Bean
        HealthGate ownGate() {
            return HealthGate.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customized {

        @Bean
        AgentCustomizer named() {
            return (bean, agent) -> agent.registration(registration -> registration.name("bean " + bean));
        }
    }

    @Test
    void the_properties_describe_an_agent_that_starts_when_the_application_is_ready() {
        application
                .withPropertyValues(
                        "agent-health.agent-id=billing_1",
                        "agent-health.role-id=billing",
                        "agent-health.name=Billing",
                        "agent-health.capabilities=invoices,reminders",
                        "agent-health.max-concurrent-tasks=4",
                        "agent-health.endpoint=http://billing.example/a2a",
                        "agent-health.provider-id=acme",
                        "agent-health.platform=kubernetes",
                        "agent-health.agent-version=2.4.1",
                        "agent-health.instance=host-a",
                        "agent-health.heartbeat-interval=10s",
                        "agent-health.dead-after=2m")
                .run(context -> {
                    assertThat(registry.registrations()).isEmpty();

                    ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());

                    assertThat(registry.registrations()).hasSize(1);
                    assertThat(registry.registrations().get(0).toString())
                            .isEqualTo(
                                    """
                                            {"instance":"host-a","agent_id":"billing_1","role_id":"billing",\
                                            "name":"Billing","capabilities":["invoices","reminders"],\
                                            "endpoint":"http://billing.example/a2a","provider_id":"acme",\
                                            "platform":"kubernetes","agent_version":"2.4.1","capacity":{"max_concurrent_tasks":4},\
                                            "heartbeat_config":{"interval_seconds":10,"dead_after_seconds":120},\
                                            "replace":true}\
                                            """);
                    assertThat(agents.agent().orElseThrow().state()).isEqualTo(AgentState.ACTIVE);
                    assertThat(agents.call(() -> 7)).isEqualTo(7);
                });
    }

    @Test
    void an_id_in_use_is_not_taken_over_where_the_properties_say_so() {
        application
                .withPropertyValues(
                        "agent-health.role-id=billing", "agent-health.replace=false", "agent-health.instance=")
                .run(context -> {
                    Readiness.of(context.getSourceApplicationContext());
                    assertThat(registry.registrations().get(0).toString())
                            .isEqualTo("{\"instance\":\"\",\"role_id\":\"billing\"}");
                });
    }

    @Test
    void a_bean_with_the_annotation_is_an_agent_whose_variables_come_from_the_environment() {
        application
                .withUserConfiguration(OneAgent.class)
                .withPropertyValues("app.instance=7")
                .run(context -> {
                    ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());

                    JsonNode registration = registry.registrations().get(0);
                    assertThat(registration.path("agent_id").asText()).isEqualTo("billing-7");
                    assertThat(registration.path("role_id").asText()).isEqualTo("billing");
                    assertThat(agents.agent("billing")).isPresent();
                });
    }

    @Test
    void the_properties_take_precedence_over_the_annotation_of_the_only_agent() {
        application
                .withUserConfiguration(OneAgent.class)
                .withPropertyValues("agent-health.agent-id=billing_9", "agent-health.capabilities=refunds")
                .run(context -> {
                    Readiness.of(context.getSourceApplicationContext());

                    JsonNode registration = registry.registrations().get(0);
                    assertThat(registration.path("agent_id").asText()).isEqualTo("billing_9");
                    assertThat(registration.path("role_id").asText()).isEqualTo("billing");
                    assertThat(registration.path("capabilities").toString()).isEqualTo("[\"refunds\"]");
                    assertThat(registration.path("heartbeat_config").toString()).isEqualTo("{\"interval_seconds\":20}");
                });
    }

    @Test
    void several_agents_start_and_cannot_share_the_properties_of_one() {
        application.withUserConfiguration(TwoAgents.class).run(context -> {
            ApplicationAgents agents = Readiness.of(context.getSourceApplicationContext());
            assertThat(agents.started().keySet()).containsExactly("billing", "mail");
            assertThat(agents.agent()).isEmpty();
        });
        application
                .withUserConfiguration(TwoAgents.class)
                .withPropertyValues("agent-health.agent-id=x")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "describes one agent, but there are 2 beans with @Agent: [billing, mail]"));
    }

    @Test
    void a_customizer_changes_every_agent() {
        application.withUserConfiguration(TwoAgents.class, Customized.class).run(context -> {
            Readiness.of(context.getSourceApplicationContext());
            assertThat(registry.registrations())
                    .extracting(registration -> registration.path("name").asText())
                    .containsExactly("bean billing", "bean mail");
        });
    }

    @Test
    void there_is_no_contributor_without_actuator_or_where_it_is_disabled() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .hasSingleBean(ApplicationAgents.class)
                        .doesNotHaveBean("agentHealthHealthIndicator"));
        application
                .withPropertyValues("management.health.agentHealth.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("agentHealthHealthIndicator"));
    }

    @Test
    void beans_of_the_application_take_the_place_of_the_starters() {
        application.withUserConfiguration(OwnBeans.class).run(context -> assertThat(context)
                .getBeanNames(AgentHealthClient.class)
                .containsExactly("own"));
        application.withUserConfiguration(OwnBeans.class).run(context -> assertThat(context)
                .getBeanNames(HealthGate.class)
                .containsExactly("ownGate"));
    }

    @Test
    void without_a_registry_there_is_the_health_gate_only_and_nothing_where_it_is_disabled() {
        ApplicationContextRunner bare = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AgentHealthAutoConfiguration.class, AgentHealthActuatorAutoConfiguration.class));
        bare.withUserConfiguration(OneAgent.class).run(context -> assertThat(context)
                .hasSingleBean(HealthGate.class)
                .doesNotHaveBean(AgentHealthClient.class)
                .doesNotHaveBean(ApplicationAgents.class));
        application.withPropertyValues("agent-health.url=").run(context -> assertThat(context)
                .hasSingleBean(HealthGate.class)
                .doesNotHaveBean(AgentHealthClient.class));
        application.withPropertyValues("agent-health.enabled=false").run(context -> assertThat(context)
                .doesNotHaveBean(HealthGate.class)
                .doesNotHaveBean(AgentHealthClient.class));
    }

    @Test
    void settings_that_cannot_be_right_fail_the_start_with_their_name() {
        application.withPropertyValues("agent-health.key=").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessage("agent-health.url is set, but neither agent-health.key nor agent-health.token-file is"));
        application
                .withPropertyValues("agent-health.key=", "agent-health.token-file=${NO_SUCH_VARIABLE}")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("agent-health.token-file is ${NO_SUCH_VARIABLE}, which has no value"));
        application.withPropertyValues("agent-health.key=${NO_SUCH_VARIABLE}").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessage("agent-health.key is ${NO_SUCH_VARIABLE}, which has no value"));
        application.withPropertyValues("agent-health.url=localhost").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("the URL of the registry must be an absolute http or https URL"));
        application
                .withPropertyValues("agent-health.heartbeat-interval=1500ms")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("whole seconds"));
    }

    @Test
    void the_token_of_a_file_stands_in_for_a_key(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "header.claims.signature\n");
        application
                .withPropertyValues("agent-health.key=", "agent-health.token-file=" + file)
                .run(context -> {
                    context.getBean(AgentHealthClient.class).health().system();
                    assertThat(registry.lastHeaders())
                            .containsEntry("authorization", "Bearer header.claims.signature")
                            .doesNotContainKey("x-api-key");
                });
    }

    @Test
    void the_key_is_not_shown() {
        application.run(context -> assertThat(context.getBean(AgentHealthProperties.class))
                .asString()
                .doesNotContain("secret"));
    }
}
