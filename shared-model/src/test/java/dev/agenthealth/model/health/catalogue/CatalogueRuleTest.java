package dev.agenthealth.model.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.ModelInfo;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.usage.UsageLevel;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogueRuleTest {

    @ParameterizedTest
    @CsvSource({
        "ACTIVE,       HEALTHY,   false, false, true,  true",
        "ACTIVE,       UNKNOWN,   false, false, true,  true",
        "ACTIVE,       DEGRADED,  false, false, true,  true",
        "ACTIVE,       HEALTHY,   false, false, false, true",
        "ACTIVE,       UNKNOWN,   false, false, false, false",
        "ACTIVE,       UNHEALTHY, false, false, true,  false",
        "ACTIVE,       HEALTHY,   true,  false, true,  false",
        "ACTIVE,       HEALTHY,   false, true,  true,  false",
        "REGISTERING,  HEALTHY,   false, false, true,  false",
        "DRAINING,     HEALTHY,   false, false, true,  false",
        "UNHEALTHY,    HEALTHY,   false, false, true,  false",
        "DEAD,         HEALTHY,   false, false, true,  false",
        "DEREGISTERED, HEALTHY,   false, false, true,  false",
    })
    void only_agents_that_can_be_called_now_are_shown(
            LifecycleStatus lifecycle,
            HealthStatus measured,
            boolean providerBlocked,
            boolean agentBlocked,
            boolean sentHeartbeat,
            boolean shown) {
        Facts facts = new Facts(
                new Facts.Blocks(providerBlocked, agentBlocked),
                lifecycle,
                lifecycle == LifecycleStatus.DEREGISTERED,
                new Facts.Health(measured, ScoreState.INACTIVE, UsageLevel.NONE),
                new Facts.Signs(false, sentHeartbeat, StallLevel.NONE, StallLevel.NONE, false, false, false));
        assertThat(CatalogueRule.shows(facts)).isEqualTo(shown);
    }

    @ParameterizedTest(name = "in the catalogue {0}, endpoint {1}, personal {2}, {3}")
    @CsvSource({
        "false, '',                        true,  a:,  -",
        "true,  https://agent.example.com, false, a,   -",
        "true,  https://agent.example.com, false, a:b, -",
        "true,  '',                        false, a,   needs an endpoint",
        "true,  https://agent.example.com, true,  a,   must not be true",
        "true,  https://agent.example.com, false, a:,  needs an agent_id"
    })
    void the_catalogue_needs_agents_of_companies_that_can_be_called(
            boolean inCatalogue, String endpoint, boolean personal, String agentId, String objection) {
        AgentProfile profile = new AgentProfile(
                agentId,
                "",
                new Description("n", "", "", "", "", personal, inCatalogue, List.of(), "{}"),
                new AgentInterface(AgentKind.AGENT, List.of(), endpoint, A2aProtocol.DEFAULT, false, Instant.EPOCH),
                1,
                HeartbeatConfig.DEFAULT,
                Watch.NONE,
                new MeasurementBasis(ModelInfo.UNKNOWN, Expectations.NONE, Instant.EPOCH),
                RegistrationHistory.first(Instant.EPOCH));
        assertThat(CatalogueRule.objection(profile).orElse("-")).startsWith(objection);
    }
}
