package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunSettingsTest {

    private static RunSettings settings(Map<String, String> environment) {
        return RunSettings.of(environment, new SecureRandom());
    }

    @Test
    void nothingNeedsToBeSet() {
        RunSettings settings = settings(Map.of());
        LocalOptions options = settings.options();
        assertThat(options.host()).isEqualTo("127.0.0.1");
        assertThat(options.port()).isEqualTo(8080);
        assertThat(options.sweepPeriod()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.dataFolder()).isEmpty();
        assertThat(options.isAutomatic()).isTrue();
        assertThat(options.allowsLoopbackEndpoints()).isFalse();
        assertThat(options.itemsExpire()).isTrue();
        assertThat(settings.generatedKey()).hasSize(43).isEqualTo(options.administratorKey());
        assertThat(settings.generatedKey()).isNotEqualTo(settings(Map.of()).generatedKey());
    }

    @Test
    void everythingCanBeSet() {
        RunSettings settings = settings(Map.of(
                "AGENT_HEALTH_HOST", "0.0.0.0",
                "AGENT_HEALTH_PORT", "0",
                "AGENT_HEALTH_ADMIN_KEY", "my-administrator-key",
                "AGENT_HEALTH_SWEEP_SECONDS", "60",
                "AGENT_HEALTH_DATA_DIR", "data",
                "AGENT_HEALTH_HEARTBEAT_URL_PORT", "8081",
                "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true"));
        LocalOptions options = settings.options();
        assertThat(options.host()).isEqualTo("0.0.0.0");
        assertThat(options.port()).isZero();
        assertThat(options.administratorKey()).isEqualTo("my-administrator-key");
        assertThat(settings.generatedKey()).isEmpty();
        assertThat(options.sweepPeriod()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.dataFolder()).contains(Path.of("data"));
        assertThat(options.heartbeatUrlPort()).isEqualTo(8081);
        assertThat(options.allowsLoopbackEndpoints()).isTrue();
        assertThat(settings.toString()).doesNotContain("my-administrator-key");
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_HEALTH_PORT, 65536",
        "AGENT_HEALTH_PORT, -1",
        "AGENT_HEALTH_PORT, http",
        "AGENT_HEALTH_HEARTBEAT_URL_PORT, -2",
        "AGENT_HEALTH_SWEEP_SECONDS, 0",
        "AGENT_HEALTH_SWEEP_SECONDS, 61",
        "AGENT_HEALTH_SWEEP_SECONDS, 1.5",
        "AGENT_HEALTH_ADMIN_KEY, a b",
        "AGENT_HEALTH_ADMIN_KEY, a key with blanks in it",
        "AGENT_HEALTH_ADMIN_KEY, fifteen-letters",
        "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS, yes",
        "AGENT_HEALTH_ADMIN_KEY, ü"
    })
    void anInvalidVariableIsNamed(String variable, String value) {
        assertThatThrownBy(() -> settings(Map.of(variable, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(variable);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://localhost:80",
        "localhost, http://localhost:80",
        "0.0.0.0, http://localhost:80",
        "::1, http://localhost:80",
        "192.0.2.1, http://192.0.2.1:80",
        "2001:db8::1, http://[2001:db8::1]:80"
    })
    void theBaseUrlIsOneThatWorks(String host, String url) {
        assertThat(LocalStack.baseUrl(host, 80)).isEqualTo(url);
    }
}
