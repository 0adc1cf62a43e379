package dev.agenthealth.model.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.StallLevel;
import dev.agenthealth.model.score.ScoreState;
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
                providerBlocked,
                agentBlocked,
                lifecycle,
                lifecycle == LifecycleStatus.DEREGISTERED,
                measured,
                ScoreState.INACTIVE,
                false,
                sentHeartbeat,
                StallLevel.NONE,
                false,
                false);
        assertThat(CatalogueRule.shows(facts)).isEqualTo(shown);
    }
}
