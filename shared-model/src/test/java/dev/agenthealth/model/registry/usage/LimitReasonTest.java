package dev.agenthealth.model.registry.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reason of a block by a limit. */
class LimitReasonTest {

    private static UsageState used(UsageLimit limit) {
        return new UsageState(UsageLevel.EXCEEDED, limit, 1_100, 1_000, Instant.EPOCH);
    }

    @ParameterizedTest
    @EnumSource(UsageLimit.class)
    void the_text_of_an_own_limit_names_it(UsageLimit limit) {
        LimitReason reason = LimitReason.own(limit);
        assertThat(reason.text(used(limit))).isEqualTo("Limit " + limit.wireName() + ": 1100 of 1000.");
        assertThat(LimitReason.of(reason.text(used(limit)))).contains(reason);
        assertThat(reason.scope()).isEqualTo("agent");
    }

    @ParameterizedTest
    @ValueSource(strings = {"coder", "of", "role coder", "a: 1 of 2.", "x.y:z"})
    void the_text_of_a_shared_limit_names_its_holder(String id) {
        UsageLimit limit = UsageLimit.TOKENS_PER_DAY;
        LimitReason ofRole = LimitReason.shared(limit, LimitHolder.role(id));
        LimitReason ofOwner = LimitReason.shared(limit, LimitHolder.owner(id));
        assertThat(LimitReason.of(ofRole.text(used(limit)))).contains(ofRole);
        assertThat(LimitReason.of(ofOwner.text(used(limit)))).contains(ofOwner);
        assertThat(ofRole.scope()).isEqualTo("role");
        assertThat(ofOwner.scope()).isEqualTo("owner");
        assertThat(ofOwner.sentence()).isEqualTo("the limit tokens_per_day of its owner");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fraud",
                "Limit tokens_per_week: 1 of 1.",
                "Limit tokens_per_day: much of it.",
                "Limit tokens_per_day of team a: 1 of 1.",
                "A Limit tokens_per_day: 1 of 1."
            })
    void another_text_is_no_limit(String text) {
        assertThat(LimitReason.of(text)).isEmpty();
    }

    @Test
    void the_sentence_of_an_own_limit_names_no_other() {
        assertThat(LimitReason.own(UsageLimit.EXECUTIONS_PER_HOUR).sentence())
                .isEqualTo("its limit executions_per_hour");
    }
}
