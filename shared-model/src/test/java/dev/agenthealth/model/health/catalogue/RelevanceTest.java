package dev.agenthealth.model.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelevanceTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "find me an agent for billing           | billing                   | 100",
                "Find me an AGENT for Billing!          | billing                   | 100",
                "billing                                | agent_billing_01          | 100",
                "translate a contract                   | translation, contracts    |  75",
                "translate a contract                   | translate, contract       | 100",
                "translate a contract                   | translate                 |  50",
                "book a flight to Tokyo                 | flight-booking            |  58",
                "weather forecast                       | billing, invoicing        |   0",
                "data                                   | date                      |   0",
                "transport                              | translate                 |   0",
                "rechnungen prüfen                      | Rechnung, Prüfung         |  75",
                "find me an agent                       | billing                   | 100",
                "?!                                     | billing                   | 100",
                "billing billing billing travel         | billing                   |  50",
            })
    void words_decide_how_relevant_texts_are(String question, String texts, int relevance) {
        assertThat(Relevance.to(question).of(List.of(texts.split(", ")))).isEqualTo(relevance);
    }

    @Test
    void words_of_a_question_beyond_the_maximum_are_ignored() {
        String others =
                IntStream.range(1, Relevance.MAX_WORDS).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        assertThat(Relevance.to(others + " billing").of(List.of("billing"))).isEqualTo(2);
        assertThat(Relevance.to(others + " find w0 billing").of(List.of("billing")))
                .isZero();
    }

    @Test
    void nothing_is_relevant_without_texts() {
        assertThat(Relevance.to("billing").of(List.of("", "  "))).isZero();
    }

    @Test
    void a_question_of_marks_only_has_no_word() {
        assertThat(Relevance.to("?!").of(List.of("billing"))).isEqualTo(Relevance.MAX);
        assertThat(Relevance.to("(billing)").of(List.of("billing"))).isEqualTo(Relevance.MAX);
    }
}
