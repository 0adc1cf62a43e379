package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Annotations say what the methods of {@link Registration} and {@link AgentBuilder} say. */
class AnnotatedAgentTest {

    private static final Map<String, String> VARIABLES = Map.of("HOSTNAME", "host-7");

    @Agent(
            id = "billing-${HOSTNAME}",
            role = "billing",
            name = "Billing",
            capabilities = {"invoices", "${SPECIAL:refunds}"},
            maxConcurrentTasks = 4,
            endpoint = "https://billing.example/a2a",
            provider = "acme",
            platform = "kubernetes",
            agentVersion = "2.4.1",
            heartbeatSeconds = 10,
            unhealthyAfterSeconds = 30,
            deadAfterSeconds = 90)
    private static class Billing {

        final List<Object> called = new ArrayList<>();

        @OnDrain
        private void finish(Drain drain) {
            called.add(drain);
        }

        @OnDead
        void stop() {
            called.add("dead");
        }
    }

    private static final class SpecialBilling extends Billing {}

    @Agent
    private static final class Plain {}

    @Agent
    private static final class TwoDrains {

        @OnDrain
        void one() {}

        @OnDrain
        void two() {}
    }

    @Agent
    private static final class WrongArgument {

        @OnDead
        void dead(Drain drain) {}
    }

    @Agent(id = "${NOWHERE}")
    private static final class Unset {}

    @Test
    void an_annotation_is_the_registration_that_the_methods_make() {
        assertThat(new AnnotatedAgent(new Billing(), VARIABLES::get).registration())
                .isEqualTo(Registration.of("billing-host-7")
                        .role("billing")
                        .name("Billing")
                        .capabilities("invoices", "refunds")
                        .maxConcurrentTasks(4)
                        .endpoint(URI.create("https://billing.example/a2a"))
                        .provider("acme")
                        .agentVersion("2.4.1")
                        .platform("kubernetes")
                        .heartbeat(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(90)));
        assertThat(new AnnotatedAgent(new Plain(), VARIABLES::get).registration())
                .isEqualTo(Registration.withGeneratedId());
    }

    @Test
    void annotated_methods_are_the_callbacks_also_inherited_ones() {
        SpecialBilling billing = new SpecialBilling();
        Drain drain = new Drain(Drain.Cause.COMMAND, "r", Duration.ZERO);

        AgentBuilder settings = new AnnotatedAgent(billing, VARIABLES::get)
                .into(new FakeRegistry().client().build().agent(Registration.of("a")));
        settings.onDrain().accept(drain);
        settings.onDead().accept(new Death("a", 1));

        assertThat(billing.called).containsExactly(drain, "dead");
        assertThat(settings.deathPolicy()).isEqualTo(DeathPolicy.REGISTER_AGAIN);
    }

    @Test
    void annotations_that_break_a_rule_are_refused_before_any_request() {
        AgentHealthClient client = new FakeRegistry().client().build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.annotated(new TwoDrains()))
                .withMessageContaining("one method with @OnDrain");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.annotated(new WrongArgument()))
                .withMessageContaining("takes nothing or a Death");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.annotated(new Unset()))
                .withMessageContaining("NOWHERE");
        assertThatIllegalArgumentException().isThrownBy(() -> client.annotated("text"));
    }
}
