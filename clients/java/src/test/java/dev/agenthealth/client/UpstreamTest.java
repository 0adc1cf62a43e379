package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UpstreamTest {

    @Test
    void an_outcome_names_the_provider_the_model_and_the_error() {
        Upstream upstream = Upstream.of("openai").model("gpt-5").error(Upstream.Error.RATE_LIMITED);
        assertThat(Outcome.failure(ErrorType.UPSTREAM).upstream(upstream).json().toString())
                .isEqualTo("{\"result\":\"failure\",\"error_type\":\"upstream\","
                        + "\"upstream\":{\"provider\":\"openai\",\"model\":\"gpt-5\",\"error\":\"rate_limited\"}}");
        assertThat(Outcome.success().upstream(Upstream.of("openai")).json().toString())
                .isEqualTo("{\"result\":\"success\",\"upstream\":{\"provider\":\"openai\"}}");
    }

    @Test
    void changes_return_copies() {
        Upstream answered = Upstream.of("openai");
        answered.error(Upstream.Error.TIMEOUT);
        assertThat(answered.json().has("error")).isFalse();
    }
}
