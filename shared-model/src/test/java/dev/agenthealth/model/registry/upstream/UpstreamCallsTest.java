package dev.agenthealth.model.registry.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.upstream.UpstreamCalls.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpstreamCallsTest {

    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

    private static UpstreamCall failed(String provider, String model, int secondsAgo) {
        return new UpstreamCall(provider, model, Optional.of(UpstreamError.RATE_LIMITED), NOW.minusSeconds(secondsAgo));
    }

    private static UpstreamCall answered(String provider, int secondsAgo) {
        return new UpstreamCall(provider, "gpt-5", Optional.empty(), NOW.minusSeconds(secondsAgo));
    }

    private static UpstreamCalls of(UpstreamCall... calls) {
        return UpstreamCalls.NONE.plus(List.of(calls), NOW);
    }

    @Test
    void failing_calls_of_a_model_are_one_entry_with_their_number() {
        assertThat(of(failed("a", "m", 30), failed("a", "m", 20), failed("a", "m", 20), failed("a", "n", 10))
                        .entries())
                .containsExactly(
                        new Entry("a", "n", Optional.of(UpstreamError.RATE_LIMITED), 1, NOW.minusSeconds(10)),
                        new Entry("a", "m", Optional.of(UpstreamError.RATE_LIMITED), 3, NOW.minusSeconds(20)));
    }

    @Test
    void a_batch_that_arrives_again_changes_nothing_in_any_order() {
        Random random = new Random(7);
        for (int run = 0; run < 500; run++) {
            List<UpstreamCall> batch = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String provider = random.nextBoolean() ? "a" : "b";
                batch.add(
                        random.nextInt(3) == 0
                                ? answered(provider, random.nextInt(60))
                                : failed(provider, random.nextBoolean() ? "m" : "", random.nextInt(60)));
            }
            UpstreamCalls once = UpstreamCalls.NONE.plus(batch, NOW);
            List<UpstreamCall> shuffled = new ArrayList<>(batch);
            Collections.shuffle(shuffled, random);
            assertThat(UpstreamCalls.NONE.plus(shuffled, NOW)).isEqualTo(once);
            assertThat(once.plus(shuffled, NOW)).as("%s", batch).isEqualTo(once);
        }
    }

    @Test
    void an_answer_ends_earlier_failures_of_its_provider_alone() {
        UpstreamCalls calls = of(failed("a", "m", 30), failed("b", "m", 30), answered("a", 20));
        assertThat(calls.entries())
                .containsExactly(
                        new Entry("a", "", Optional.empty(), 0, NOW.minusSeconds(20)),
                        new Entry("b", "m", Optional.of(UpstreamError.RATE_LIMITED), 1, NOW.minusSeconds(30)));
        assertThat(calls.plus(List.of(failed("a", "m", 25)), NOW)).isEqualTo(calls);
        assertThat(of(answered("a", 30), failed("a", "m", 20)).entries())
                .singleElement()
                .matches(Entry::isFailing);
    }

    @Test
    void refused_credentials_are_an_answer() {
        assertThat(new UpstreamCall("a", "m", Optional.of(UpstreamError.AUTH), NOW).isFailure())
                .isFalse();
    }

    @Test
    void an_answer_is_stored_again_after_half_an_hour_only() {
        UpstreamCalls calls = UpstreamCalls.NONE.plus(List.of(answered("a", 0)), NOW);
        assertThat(calls.plus(List.of(answered("a", -1_700)), NOW.plusSeconds(1_700)))
                .isEqualTo(calls);
        assertThat(calls.plus(List.of(answered("a", -1_900)), NOW.plusSeconds(1_900)))
                .isNotEqualTo(calls);
    }

    @Test
    void failing_calls_after_a_pause_are_counted_anew() {
        UpstreamCalls calls = of(failed("a", "m", 0), failed("a", "m", 0));
        Instant later = NOW.plus(UpstreamCalls.PAUSE).plusSeconds(1);
        assertThat(calls.plus(
                                List.of(new UpstreamCall("a", "m", Optional.of(UpstreamError.RATE_LIMITED), later)),
                                later)
                        .entries())
                .singleElement()
                .matches(entry -> entry.calls() == 1);
    }

    @Test
    void old_calls_do_not_count_and_calls_in_the_future_count_as_now() {
        assertThat(of(failed("a", "m", 601))).isEqualTo(UpstreamCalls.NONE);
        assertThat(of(failed("a", "m", -3_600)).entries().get(0).at()).isEqualTo(NOW);
    }

    @Test
    void an_agent_has_at_most_eight_entries() {
        UpstreamCalls calls = UpstreamCalls.NONE.plus(
                IntStream.range(0, 30)
                        .mapToObj(i -> failed("p" + i, "m", 30 - i))
                        .toList(),
                NOW);
        assertThat(calls.entries()).hasSize(UpstreamCalls.MAX_ENTRIES);
        assertThat(calls.entries().get(0).provider()).isEqualTo("p29");
    }

    @ParameterizedTest
    @CsvSource({
        "OpenAI, openai",
        "openai.chat, openai",
        "anthropic.messages, anthropic",
        "az.ai.openai, az.ai.openai",
        "Vertex AI, vertex-ai",
        "google.generative-ai, google.generative-ai",
        "' ', ''",
    })
    void spellings_of_a_provider_are_one_name(String written, String name) {
        assertThat(UpstreamName.ofProvider(written)).isEqualTo(name);
    }

    @Test
    void names_have_at_most_64_characters_of_a_fixed_alphabet() {
        assertThat(UpstreamName.ofModel("x".repeat(300))).hasSize(UpstreamName.MAX_LENGTH);
        assertThat(UpstreamName.ofModel("models/Gemini 3\n\u202E<b>é|")).matches("[a-z0-9._:/@-]+");
    }

    @ParameterizedTest
    @CsvSource({
        "429, RATE_LIMITED",
        "openai.RateLimitError, RATE_LIMITED",
        "ThrottlingException, RATE_LIMITED",
        "google.api_core.exceptions.ResourceExhausted, RATE_LIMITED",
        "500, UNAVAILABLE",
        "529, UNAVAILABLE",
        "anthropic.InternalServerError, UNAVAILABLE",
        "overloaded_error, UNAVAILABLE",
        "openai.APIConnectionError, UNAVAILABLE",
        "504, TIMEOUT",
        "408, TIMEOUT",
        "openai.APITimeoutError, TIMEOUT",
        "DEADLINE_EXCEEDED, TIMEOUT",
        "401, AUTH",
        "403, AUTH",
        "openai.AuthenticationError, AUTH",
        "PermissionDeniedError, AUTH",
    })
    void statuses_and_names_of_exceptions_have_a_kind(String type, UpstreamError kind) {
        assertThat(UpstreamError.ofType(type)).contains(kind);
    }

    @ParameterizedTest
    @CsvSource({"400", "404", "200", "600", "BadRequestError", "ValueError", "''", "_OTHER"})
    void other_failures_say_nothing_about_the_provider(String type) {
        assertThat(UpstreamError.ofType(type)).isEmpty();
    }
}
