package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static dev.agenthealth.client.ScriptedTransport.problem;
import static dev.agenthealth.client.ScriptedTransport.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agenthealth.client.testing.ManualScheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests, retries and refusals. */
class RequestTest {

    private static final String RECORD =
            "{'agent_id':'a','incarnation':2,'version':1,'status':'active','capacity':{'max_concurrent_tasks':null,'current_load':0}}";

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedTransport registry = new ScriptedTransport();
    private final AtomicReference<String> key = new AtomicReference<>("secret");
    private final Agents agents = AgentHealthClient.builder("http://registry.example/prefix/")
            .apiKey(key::get)
            .transport(registry)
            .scheduler(scheduler)
            .clock(scheduler.clock(Instant.parse("2026-02-08T10:00:00Z")))
            .random(new Random(1))
            .build()
            .agents();

    @Test
    void a_request_carries_the_key_and_the_answer_is_read() {
        registry.answers(answer(200, RECORD));

        AgentRecord agent = agents.get("a b/c");

        assertThat(registry.last().uri()).hasToString("http://registry.example/prefix/api/v1/agents/a%20b%2Fc");
        assertThat(registry.last().headers()).containsEntry("X-API-Key", "secret");
        assertThat(agent.incarnation()).isEqualTo(2);
        assertThat(agent.maxConcurrentTasks()).isEmpty();
        assertThat(agent.verdict()).isEmpty();
    }

    @Test
    void a_rotated_key_is_used_with_the_next_request() {
        registry.answers(answer(200, RECORD));
        agents.get("a");
        key.set("rotated");

        agents.get("a");

        assertThat(registry.last().headers()).containsEntry("X-API-Key", "rotated");
    }

    @ParameterizedTest
    @CsvSource({
        "401, unauthenticated, UnauthenticatedException",
        "403, forbidden, ForbiddenException",
        "403, agent_blocked, AgentBlockedException",
        "404, agent_not_found, NotFoundException",
        "409, agent_exists, ConflictException",
        "409, agent_already_running, AgentAlreadyRunningException",
        "410, agent_gone, AgentGoneException",
        "410, superseded, SupersededException",
        "412, version_mismatch, PreconditionFailedException",
        "429, rate_limited, RateLimitedException",
        "503, temporarily_unavailable, RegistryBusyException",
        "422, batch_id_reused, ProblemException"
    })
    void a_problem_document_becomes_an_exception_of_its_kind(int status, String code, String type) {
        registry.answers(problem(status, code));

        Throwable thrown = catchThrowable(() -> agents.get("a"));

        assertThat(thrown.getClass().getSimpleName()).isEqualTo(type);
        assertThat(thrown).isInstanceOfSatisfying(ProblemException.class, problem -> {
            assertThat(problem.status()).isEqualTo(status);
            assertThat(problem.code()).isEqualTo(code);
            assertThat(problem.detail()).isEqualTo("Because.");
        });
    }

    @Test
    void every_bad_field_is_named() {
        registry.answers(answer(
                400, "{'error':'invalid_request','detail':'d','errors':[{'field':'agent_id','message':'is bad'}]}"));

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> agents.register(Registration.of("a/b")))
                .satisfies(problem -> assertThat(problem.errors())
                        .containsExactly(new ProblemException.FieldError("agent_id", "is bad")));
    }

    @Test
    void a_busy_registry_is_asked_again_after_the_time_that_it_names() {
        registry.answers(with(problem(503, "temporarily_unavailable"), "retry-after", "3"), answer(200, RECORD));

        agents.get("a");

        assertThat(registry.calls()).hasSize(2);
        assertThat(scheduler.nanoTime())
                .isBetween(
                        Duration.ofSeconds(3).toNanos(),
                        Duration.ofMillis(3_200).toNanos());
    }

    @Test
    void a_call_that_a_used_up_limit_refuses_names_the_limit_and_its_end() {
        registry.answers(with(
                answer(
                        403,
                        "{'error':'agent_blocked','detail':'d','usage_limit':'tokens_per_day','limit_scope':'role',"
                                + "'resets_at':'2026-02-09T00:00:00.000Z'}"),
                "retry-after",
                "3600"));

        assertThatExceptionOfType(AgentBlockedException.class)
                .isThrownBy(() -> agents.get("a"))
                .satisfies(blocked -> {
                    assertThat(blocked.usageLimit()).isEqualTo("tokens_per_day");
                    assertThat(blocked.limitScope()).isEqualTo("role");
                    assertThat(blocked.resetsAt()).contains(Instant.parse("2026-02-09T00:00:00Z"));
                    assertThat(blocked.containmentRule()).isEmpty();
                    assertThat(blocked.retryAfter()).contains(Duration.ofHours(1));
                });
        assertThat(registry.calls()).hasSize(1);
    }

    @Test
    void a_time_longer_than_the_caller_waits_ends_the_retries_at_once() {
        registry.answers(with(problem(429, "rate_limited"), "retry-after", "60"));

        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> agents.get("a"))
                .satisfies(limited -> assertThat(limited.retryAfter()).contains(Duration.ofSeconds(60)));
        assertThat(scheduler.nanoTime()).isZero();
    }

    @Test
    void a_registry_that_is_away_is_tried_for_half_a_minute_with_jitter() {
        assertThatExceptionOfType(RegistryUnreachableException.class).isThrownBy(() -> agents.get("a"));

        assertThat(registry.calls()).hasSizeBetween(8, 40);
        assertThat(scheduler.nanoTime())
                .isBetween(
                        Duration.ofSeconds(20).toNanos(), Duration.ofSeconds(30).toNanos());
    }

    @Test
    void a_registration_that_may_have_arrived_is_repeated_only_where_it_replaces() {
        registry.script(request -> {
            if (registry.requests().size() == 1) {
                throw new IOException("connection reset");
            }
            return answer(201, RECORD);
        });

        assertThatExceptionOfType(RegistryUnreachableException.class)
                .isThrownBy(() -> agents.register(Registration.of("a")));
        agents.register(Registration.of("a").replace());
        assertThat(registry.calls()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 302, 401, 404, 500})
    void an_answer_of_another_service_is_named_as_such(int status) {
        registry.answers(new Transport.Answer(status, Map.of(), "<html>Welcome</html>"));

        assertThatExceptionOfType(UnexpectedAnswerException.class)
                .isThrownBy(() -> agents.get("a"))
                .withMessageContaining("http://registry.example/prefix/api/v1/agents/a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost:8080", "ftp://registry", "http://", "http://user:pw@registry", "http://a b", "/x"
            })
    void a_wrong_url_is_refused_before_any_request(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentHealthClient.of(url, "key"))
                .withMessageContaining("the URL of the registry");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "two words", "Schlüssel", "line\nbreak"})
    void a_key_that_cannot_be_one_is_refused_before_any_request(String bad) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentHealthClient.of("http://registry", bad))
                .withMessageContaining("the API key");
    }

    @Test
    void a_key_with_other_than_ascii_characters_is_a_clear_error_and_sends_no_request() {
        key.set("ключ");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> agents.get("a"))
                .withMessageContaining("the API key has characters other than visible ASCII");
        assertThat(registry.requests()).isEmpty();
    }

    @Test
    void the_environment_names_registry_and_key() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentHealthClient.fromEnvironment(Map.of("AGENT_HEALTH_URL", "http://registry")))
                .withMessageContaining("AGENT_HEALTH_KEY");
        AgentHealthClient.fromEnvironment(Map.of("AGENT_HEALTH_URL", "http://registry", "AGENT_HEALTH_KEY", "k"))
                .close();
    }
}
