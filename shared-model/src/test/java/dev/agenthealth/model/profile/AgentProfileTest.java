package dev.agenthealth.model.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AgentProfileTest {

    private static final Instant FIRST = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant AGAIN = FIRST.plusSeconds(3_600);

    @Test
    @Tag("R16-01")
    void keeps_its_own_copies() {
        List<String> capabilities = new ArrayList<>(List.of("billing", "invoicing"));
        Map<Expectation, Double> expectations = new EnumMap<>(Map.of(Expectation.SUCCESS_RATE, 0.9));
        AgentProfile profile = profile(capabilities, expectations);
        capabilities.add("stripe-integration");
        expectations.clear();
        assertThat(profile.capabilities())
                .containsExactly("billing", "invoicing")
                .isUnmodifiable();
        assertThat(profile.expectations()).containsExactly(Map.entry(Expectation.SUCCESS_RATE, 0.9));
    }

    @Test
    @Tag("R16-36")
    void registering_again_keeps_the_moment_of_the_first_registration_and_changes_nothing_else() {
        AgentProfile again = profile(List.of("billing"), Map.of(Expectation.SLA_MS, 500.0));
        AgentProfile kept = again.registeredAt(FIRST);
        assertThat(kept.registeredAt()).isEqualTo(FIRST);
        assertThat(kept)
                .usingRecursiveComparison()
                .ignoringFields("registeredAt")
                .isEqualTo(again);
    }

    @Test
    @Tag("AHS-11")
    void it_is_known_when_a_model_changed_only_if_somebody_said_so() {
        assertThat(ModelInfo.UNKNOWN.hasChangeDate()).isFalse();
        assertThat(new ModelInfo("m", "1", Instant.MIN).hasChangeDate()).isFalse();
        assertThat(new ModelInfo("m", "1", FIRST).hasChangeDate()).isTrue();
    }

    private static AgentProfile profile(List<String> capabilities, Map<Expectation, Double> expectations) {
        return new AgentProfile(
                "agent_billing_01",
                "billing-processor",
                "Billing Processor",
                capabilities,
                5,
                "https://billing-agent.example.com/webhook",
                HeartbeatConfig.DEFAULT,
                "did:wba:example.com:billing",
                "provider-1",
                "lambda",
                true,
                new ModelInfo("m", "1", FIRST),
                expectations,
                "{\"runtime\":\"java\"}",
                AGAIN,
                FIRST);
    }
}
