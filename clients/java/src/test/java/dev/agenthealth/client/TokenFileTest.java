package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static dev.agenthealth.client.ScriptedTransport.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.client.testing.ManualScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A token that the platform replaces in a file. */
class TokenFileTest {

    @TempDir
    private Path folder;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedTransport registry = new ScriptedTransport();
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("token"), "first.token.x\n");
        registry.answers(answer(200, "{'agent_id':'a'}"));
    }

    private Agents agents() {
        return AgentHealthClient.builder("http://registry.example")
                .tokenFile(file)
                .transport(registry)
                .scheduler(scheduler)
                .build()
                .agents();
    }

    /** As the kubelet and other platforms do: the name stands for another file at once. */
    private void replace(String token) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), token);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private List<String> sent() {
        return registry.requests().stream()
                .map(request -> request.headers().get("Authorization"))
                .toList();
    }

    @Test
    void a_token_goes_into_the_bearer_header_alone() {
        agents().get("a");

        assertThat(registry.last().headers())
                .containsEntry("Authorization", "Bearer first.token.x")
                .doesNotContainKey("X-API-Key");
    }

    @Test
    void a_replaced_file_is_read_a_second_later_at_the_latest() throws IOException {
        Agents agents = agents();
        agents.get("a");
        replace("other.token.x");
        agents.get("a");
        scheduler.advance(Duration.ofSeconds(1));
        agents.get("a");

        assertThat(sent()).containsExactly("Bearer first.token.x", "Bearer first.token.x", "Bearer other.token.x");
    }

    @Test
    void a_refused_token_is_read_again_and_sent_once_more_where_it_is_another() throws IOException {
        Agents agents = agents();
        replace("other.token.x");
        registry.answers(problem(401, "invalid_token"), answer(200, "{'agent_id':'a'}"));

        assertThat(agents.get("a").agentId()).isEqualTo("a");
        assertThat(sent()).containsExactly("Bearer first.token.x", "Bearer other.token.x");
    }

    @Test
    void a_refused_token_that_is_still_the_same_is_not_sent_again() throws IOException {
        Agents agents = agents();
        registry.answers(problem(401, "invalid_token"));
        assertThatExceptionOfType(UnauthenticatedException.class).isThrownBy(() -> agents.get("a"));
        assertThat(sent()).hasSize(1);

        replace("other.token.x");
        assertThatExceptionOfType(UnauthenticatedException.class).isThrownBy(() -> agents.get("a"));
        assertThat(sent()).as("each at most once").hasSize(3);
    }

    @Test
    void a_file_that_is_away_for_a_moment_leaves_the_last_token_in_use() throws IOException {
        Agents agents = agents();
        Files.delete(file);
        scheduler.advance(Duration.ofSeconds(5));
        agents.get("a");
        assertThat(sent()).containsExactly("Bearer first.token.x");

        registry.answers(problem(401, "invalid_token"));
        assertThatExceptionOfType(UnauthenticatedException.class)
                .isThrownBy(() -> agents.get("a"))
                .satisfies(refusal -> assertThat(refusal.getSuppressed()[0])
                        .hasMessageContaining("cannot be read")
                        .hasMessageContaining(file.toString()));
        Files.writeString(file, "other.token.x");
        scheduler.advance(Duration.ofSeconds(1));
        registry.answers(answer(200, "{'agent_id':'a'}"));
        agents.get("a");
        assertThat(registry.last().headers()).containsEntry("Authorization", "Bearer other.token.x");
    }

    private static Stream<Arguments> unusable() {
        return Stream.of(
                Arguments.of("", "is empty"),
                Arguments.of("  \n", "is empty"),
                Arguments.of("a".repeat(8_193), "is larger than 8 KB"),
                Arguments.of("secret\ntoken", "other than visible ASCII"),
                Arguments.of("clé", "other than visible ASCII"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void a_file_without_a_token_is_refused_at_the_start_and_not_printed(String content, String reason)
            throws IOException {
        Files.writeString(file, content);

        assertThatIllegalArgumentException()
                .isThrownBy(this::agents)
                .withMessageContaining(reason)
                .withMessageContaining(file.toString())
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("secret", "clé"));
    }

    @Test
    void a_missing_file_is_refused_at_the_start() throws IOException {
        Files.delete(file);

        assertThatIllegalArgumentException().isThrownBy(this::agents).withMessageContaining("cannot be read");
    }

    @Test
    void the_environment_names_the_file_where_it_names_no_key() throws IOException {
        Map<String, String> environment =
                Map.of("AGENT_HEALTH_URL", "http://registry", "AGENT_HEALTH_TOKEN_FILE", file.toString());
        AgentHealthClient.fromEnvironment(environment).close();
        Files.delete(file);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentHealthClient.fromEnvironment(environment))
                .withMessageContaining("cannot be read");
        AgentHealthClient.fromEnvironment(Map.of(
                        "AGENT_HEALTH_URL", "http://registry",
                        "AGENT_HEALTH_KEY", "k",
                        "AGENT_HEALTH_TOKEN_FILE", file.toString()))
                .close();
    }
}
