package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        assertThat(profile.agentInterface().capabilities())
                .containsExactly("billing", "invoicing")
                .isUnmodifiable();
        assertThat(profile.basis().expectations().declared()).containsExactly(Map.entry(Expectation.SUCCESS_RATE, 0.9));
    }

    @Test
    @Tag("R16-36")
    void registering_again_with_the_same_profile_changes_no_date_but_that_of_the_start() {
        AgentProfile first = profile(List.of("billing"), Map.of(), new ModelInfo("m", "1", FIRST), FIRST);
        AgentProfile again = profile(List.of("billing"), Map.of(), new ModelInfo("m", "1", Instant.MIN), AGAIN);
        AgentProfile succeeding = again.succeeding(first, false, AGAIN);
        assertThat(succeeding.history().startedAt()).isEqualTo(AGAIN);
        assertThat(succeeding.history().restarts()).isEqualTo(Restarts.NONE.and(AGAIN));
        assertThat(succeeding)
                .usingRecursiveComparison()
                .ignoringFields("history.startedAt", "history.restarts")
                .isEqualTo(first);
    }

    @Test
    @Tag("R16-36")
    @Tag("AHS-11")
    void registering_again_with_another_profile_keeps_the_first_registration_and_dates_the_changes() {
        AgentProfile first = profile(List.of("billing"), Map.of(), new ModelInfo("m", "1", FIRST), FIRST);
        AgentProfile again = profile(
                List.of("translation"), Map.of(Expectation.SLA_MS, 500.0), new ModelInfo("m", "2", Instant.MIN), AGAIN);
        AgentProfile known = again.succeeding(first, false, AGAIN);
        assertThat(known.history().registeredAt()).isEqualTo(FIRST);
        assertThat(known.agentInterface().updatedAt()).isEqualTo(AGAIN);
        assertThat(known.basis().model()).isEqualTo(new ModelInfo("m", "2", AGAIN));
        assertThat(known)
                .usingRecursiveComparison()
                .ignoringFields("history.registeredAt", "basis.model", "history.restarts")
                .isEqualTo(again);
    }

    @Test
    @Tag("AHS-11")
    void the_time_of_a_model_change_is_known_only_if_it_was_reported() {
        assertThat(ModelInfo.UNKNOWN.hasChangeDate()).isFalse();
        assertThat(new ModelInfo("m", "1", Instant.MIN).hasChangeDate()).isFalse();
        assertThat(new ModelInfo("m", "1", FIRST).hasChangeDate()).isTrue();
    }

    @Test
    @Tag("AHS-11")
    void a_model_that_replaces_a_known_one_changed_now_unless_it_says_when() {
        ModelInfo before = new ModelInfo("m", "1", FIRST);
        assertThat(new ModelInfo("m", "2", Instant.MIN).replacing(before, AGAIN))
                .isEqualTo(new ModelInfo("m", "2", AGAIN));
        assertThat(new ModelInfo("m", "2", FIRST).replacing(before, AGAIN)).isEqualTo(new ModelInfo("m", "2", FIRST));
        assertThat(new ModelInfo("m", "1", Instant.MIN).replacing(before, AGAIN))
                .isEqualTo(before);
        assertThat(ModelInfo.UNKNOWN.replacing(before, AGAIN))
                .as("a model that is no longer named")
                .isEqualTo(ModelInfo.UNKNOWN);
        assertThat(new ModelInfo("", "", FIRST).replacing(before, AGAIN)).isEqualTo(new ModelInfo("", "", FIRST));
        assertThat(new ModelInfo("m", "1", Instant.MIN).replacing(ModelInfo.UNKNOWN, AGAIN))
                .isEqualTo(new ModelInfo("m", "1", Instant.MIN));
    }

    @Test
    void another_served_model_changes_the_date_of_the_model() {
        ModelInfo first = ModelInfo.UNKNOWN.observing(Map.of("gpt", "gpt-1"), FIRST);
        assertThat(first.hasChangeDate()).isFalse();
        assertThat(first.observing(Map.of("gpt", "gpt-1"), AGAIN)).isEqualTo(first);
        ModelInfo second = first.observing(Map.of("gpt", "gpt-2", "other", "o-1"), AGAIN);
        assertThat(second.changedAt()).isEqualTo(AGAIN);
        assertThat(second.served()).containsOnlyKeys("gpt", "other");
        assertThat(second.observing(Map.of("gpt", "gpt-1"), FIRST))
                .as("the provider serves both for a time")
                .isEqualTo(second);
        assertThat(ModelInfo.UNKNOWN.replacing(second, FIRST))
                .as("a registration without a model")
                .isEqualTo(second);
        assertThat(new ModelInfo("m", "1", Instant.MIN).replacing(second, AGAIN).served())
                .isEqualTo(second.served());
    }

    @Test
    void the_served_models_of_a_limited_number_of_names_are_known() {
        ModelInfo model = ModelInfo.UNKNOWN;
        for (int name = 0; name < 20; name++) {
            model = model.observing(Map.of("m" + name, "s"), FIRST);
        }
        assertThat(model.served()).hasSize(ModelInfo.MAX_SERVED);
    }

    private static AgentProfile profile(List<String> capabilities, Map<Expectation, Double> expectations) {
        return profile(capabilities, expectations, new ModelInfo("m", "1", FIRST), FIRST);
    }

    private static AgentProfile profile(
            List<String> capabilities, Map<Expectation, Double> expectations, ModelInfo model, Instant registeredAt) {
        return new AgentProfile(
                "agent_billing_01",
                "billing-processor",
                new Description(
                        "Billing Processor",
                        "did:wba:example.com:billing",
                        "provider-1",
                        "lambda",
                        "2.4.1",
                        true,
                        false,
                        List.of("key_1"),
                        "{\"runtime\":\"java\"}"),
                new AgentInterface(
                        AgentKind.AGENT,
                        capabilities,
                        "https://billing-agent.example.com/webhook",
                        A2aProtocol.DEFAULT,
                        false,
                        registeredAt),
                5,
                HeartbeatConfig.DEFAULT,
                Watch.NONE,
                new MeasurementBasis(model, new Expectations(expectations), Instant.EPOCH),
                RegistrationHistory.first(registeredAt));
    }

    @Test
    void an_agent_whose_death_is_confirmed_is_asked_before_it() {
        AgentProfile profile = profile(List.of("billing"), Map.of());
        assertThat(profile.asked()).isEqualTo(Watch.NONE);
        LifeSigns confirmed = new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.empty(), true);
        Watch own = new Watch(WatchKind.HTTP, "https://a.example.com", 60, 5, List.of(), "");
        assertThat(with(profile, HeartbeatConfig.DEFAULT.with(confirmed), Watch.NONE)
                        .asked())
                .isEqualTo(Watch.BEFORE_DEATH);
        assertThat(with(profile, HeartbeatConfig.DEFAULT.with(confirmed), own).asked())
                .isEqualTo(own);
    }

    private static AgentProfile with(AgentProfile profile, HeartbeatConfig config, Watch watch) {
        return new AgentProfile(
                profile.agentId(),
                profile.roleId(),
                profile.description(),
                profile.agentInterface(),
                profile.maxConcurrentTasks(),
                config,
                watch,
                profile.basis(),
                profile.history());
    }

    @Test
    void a_changed_part_leaves_the_others_as_they_are() {
        AgentProfile profile = profile(List.of("billing"), Map.of());
        MeasurementBasis later = new MeasurementBasis(ModelInfo.UNKNOWN, Expectations.NONE, AGAIN);
        assertThat(profile.with(later).basis()).isEqualTo(later);
        assertThat(profile.with(later).measuredFrom()).isEqualTo(AGAIN);
        assertThat(profile.measuredFrom()).isEqualTo(profile.history().registeredAt());
        assertThat(profile.with(later))
                .usingRecursiveComparison()
                .ignoringFields("basis")
                .isEqualTo(profile);
        AgentInterface other = profile(List.of("other"), Map.of()).agentInterface();
        assertThat(profile.with(other).agentInterface()).isEqualTo(other);
        assertThat(profile.of("provider-2").description().providerId()).isEqualTo("provider-2");
        assertThat(profile.listed().providerId()).isEqualTo("provider-1");
        assertThat(profile.listed().capabilities()).containsExactly("billing");
    }
}
