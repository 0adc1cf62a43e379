package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.local.LocalOptions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ServeOptionsTest {

    @Command
    private static final class Holder {
        @Mixin
        private ServeOptions options;
    }

    private static ServeOptions.Start start(Map<String, String> environment, String... arguments) {
        Terminal terminal = new Terminal(environment, System.out, System.err, false);
        Holder holder = new Holder();
        new CommandLine(holder)
                .setDefaultValueProvider(new EnvironmentDefaults(terminal))
                .parseArgs(arguments);
        return holder.options.start(terminal, new SecureRandom());
    }

    @Test
    void nothing_needs_to_be_set() {
        ServeOptions.Start start = start(Map.of());
        LocalOptions options = start.options();
        assertThat(options.host()).isEqualTo("127.0.0.1");
        assertThat(options.port()).isEqualTo(8080);
        assertThat(options.publicUrl()).isEmpty();
        assertThat(options.sweepPeriod()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.dataFolder()).isEmpty();
        assertThat(options.heartbeatUrlPort()).isEqualTo(LocalOptions.NO_PORT);
        assertThat(options.syncsHeartbeats()).isFalse();
        assertThat(options.allowsLoopbackEndpoints()).isFalse();
        assertThat(options.mailServer()).isEmpty();
        assertThat(start.generatedKey()).hasSize(43).isEqualTo(options.administratorKey());
        assertThat(start.generatedKey()).isNotEqualTo(start(Map.of()).generatedKey());
    }

    @Test
    void everything_can_be_set_by_a_variable() {
        ServeOptions.Start start = start(Map.of(
                "AGENT_HEALTH_HOST", "0.0.0.0",
                "AGENT_HEALTH_PORT", "0",
                "AGENT_HEALTH_ADMIN_KEY", "my-administrator-key",
                "AGENT_HEALTH_SWEEP_SECONDS", "60",
                "AGENT_HEALTH_PUBLIC_URL", "https://agents.example.com:8443",
                "AGENT_HEALTH_DATA_DIR", "data",
                "AGENT_HEALTH_HEARTBEAT_URL_PORT", "8081",
                "AGENT_HEALTH_SYNC_HEARTBEATS", "true",
                "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true"));
        everythingIsSet(start.options());
        assertThat(start.options().administratorKey()).isEqualTo("my-administrator-key");
        assertThat(start.generatedKey()).isEmpty();
        assertThat(start.toString()).doesNotContain("my-administrator-key");
    }

    @Test
    void everything_but_the_key_can_be_set_by_an_option() {
        everythingIsSet(start(
                        Map.of("AGENT_HEALTH_PORT", "1"),
                        "--host=0.0.0.0",
                        "--port=0",
                        "--sweep-seconds=60",
                        "--public-url=https://agents.example.com:8443",
                        "--data-dir=data",
                        "--heartbeat-url-port=8081",
                        "--sync-heartbeats",
                        "--allow-loopback-endpoints")
                .options());
    }

    @ParameterizedTest
    @CsvSource({
        "HTTPS://Agents.Example.com:443, https://agents.example.com",
        "http://agents.example.com:080, http://agents.example.com",
        "https://agents.example.com:80, https://agents.example.com:80",
        "https://[2001:DB8::1]:08443, https://[2001:db8::1]:8443",
        "https://agents.example.com/, https://agents.example.com",
        "https://agents.example.com/registry, https://agents.example.com/registry",
        "HTTPS://Tools.Example.com:443/Team_1/agent.health/, https://tools.example.com/Team_1/agent.health",
        "http://[::1]:8080/~x, http://[::1]:8080/~x",
    })
    void the_public_url_has_an_origin_as_browsers_send_it_and_no_slash_at_its_end(String given, String address) {
        assertThat(start(Map.of("AGENT_HEALTH_PUBLIC_URL", given)).options().publicUrl())
                .contains(address);
    }

    @Test
    void a_mail_server_needs_a_sender_and_keeps_its_password_to_itself() {
        Map<String, String> variables = Map.of(
                "AGENT_HEALTH_SMTP_HOST", "mail.example.com",
                "AGENT_HEALTH_SMTP_PORT", "465",
                "AGENT_HEALTH_SMTP_SECURITY", "TLS",
                "AGENT_HEALTH_SMTP_USER", "registry",
                "AGENT_HEALTH_SMTP_PASSWORD", "secret",
                "AGENT_HEALTH_SMTP_FROM", "registry@example.com");
        assertThat(start(variables).options().mailServer()).isPresent();
        Map.of(
                        "AGENT_HEALTH_SMTP_PORT", "0",
                        "AGENT_HEALTH_SMTP_SECURITY", "ssl",
                        "AGENT_HEALTH_SMTP_USER", "",
                        "AGENT_HEALTH_SMTP_PASSWORD", "",
                        "AGENT_HEALTH_SMTP_FROM", "Registry <registry@example.com>")
                .forEach((variable, value) -> {
                    Map<String, String> changed = new HashMap<>(variables);
                    changed.put(variable, value);
                    assertThatThrownBy(() -> start(changed))
                            .isInstanceOf(ParameterException.class)
                            .hasMessageContaining(variable.endsWith("SECURITY") ? "--smtp-security" : variable)
                            .hasMessageNotContaining("secret");
                });
        assertThatThrownBy(() -> start(variables, "--smtp-security=NONE"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("unencrypted");
        assertThat(start(Map.of(), "--smtp-host=localhost", "--smtp-security=NONE", "--smtp-from=a@localhost")
                        .options()
                        .mailServer())
                .isPresent();
    }

    private static void everythingIsSet(LocalOptions options) {
        assertThat(options.host()).isEqualTo("0.0.0.0");
        assertThat(options.port()).isZero();
        assertThat(options.sweepPeriod()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.publicUrl()).contains("https://agents.example.com:8443");
        assertThat(options.dataFolder()).contains(Path.of("data"));
        assertThat(options.heartbeatUrlPort()).isEqualTo(8081);
        assertThat(options.syncsHeartbeats()).isTrue();
        assertThat(options.allowsLoopbackEndpoints()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_HEALTH_PORT, 65536, --port",
        "AGENT_HEALTH_PORT, -1, --port",
        "AGENT_HEALTH_PORT, http, --port",
        "AGENT_HEALTH_HEARTBEAT_URL_PORT, -2, --heartbeat-url-port",
        "AGENT_HEALTH_PUBLIC_URL, agents.example.com, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, ftp://agents.example.com, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com//, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com/a//b, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com/../b, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com/a/., --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com/a%20b, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com/registry?a=b, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com/registry#a, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, /registry, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com?a=b, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://user@agents.example.com, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com:99999, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com:, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://agents.example.com:0, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://, --public-url",
        "AGENT_HEALTH_PUBLIC_URL, https://a b, --public-url",
        "AGENT_HEALTH_SWEEP_SECONDS, 0, --sweep-seconds",
        "AGENT_HEALTH_SWEEP_SECONDS, 61, --sweep-seconds",
        "AGENT_HEALTH_SWEEP_SECONDS, 1.5, --sweep-seconds",
        "AGENT_HEALTH_ADMIN_KEY, a b, AGENT_HEALTH_ADMIN_KEY",
        "AGENT_HEALTH_ADMIN_KEY, a key with blanks in it, AGENT_HEALTH_ADMIN_KEY",
        "AGENT_HEALTH_ADMIN_KEY, fifteen-letters, AGENT_HEALTH_ADMIN_KEY",
        "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS, yes, --allow-loopback-endpoints",
        "AGENT_HEALTH_ADMIN_KEY, ü, AGENT_HEALTH_ADMIN_KEY"
    })
    void an_invalid_value_is_named(String variable, String value, String named) {
        assertThatThrownBy(() -> start(Map.of(variable, value)))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(named);
    }
}
