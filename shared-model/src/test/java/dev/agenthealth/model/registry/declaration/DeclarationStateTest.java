package dev.agenthealth.model.registry.declaration;

import static dev.agenthealth.model.registry.declaration.DeclarationKind.CARD;
import static dev.agenthealth.model.registry.declaration.DeclarationKind.MODEL;
import static dev.agenthealth.model.registry.declaration.DeclarationKind.TOOLS;
import static dev.agenthealth.model.registry.declaration.DeclaredPartsTest.parts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.profile.ModelInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What counts as changed, against what was accepted. */
class DeclarationStateTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final ModelInfo NO_MODEL = ModelInfo.UNKNOWN;
    private static final DeclaredParts A = parts("tool:a", "1");
    private static final DeclaredParts B = parts("tool:a", "1", "tool:b", "1");

    private static ModelInfo model(String name) {
        return new ModelInfo(name, "", Instant.MIN);
    }

    private static DeclarationState tools(DeclarationState before, DeclaredParts parts, int minute) {
        return before.observed(TOOLS, parts, NO_MODEL, NOW.plusSeconds(60L * minute));
    }

    private static final DeclarationState FIRST = tools(DeclarationState.NONE, A, 0);

    @Test
    void the_first_observation_is_accepted_and_no_news() {
        assertThat(FIRST.isChanged()).isFalse();
        assertThat(FIRST.isNewsAfter(DeclarationState.NONE)).isFalse();
        assertThat(tools(FIRST, A, 1)).as("no write").isEqualTo(FIRST);
    }

    @Test
    void changes_add_up_against_the_accepted_one_and_each_is_news() {
        DeclarationState second = tools(FIRST, B, 1);
        assertThat(second.isNewsAfter(FIRST)).isTrue();
        assertThat(second.difference().added()).containsExactly("tool:b");
        assertThat(second.changeOf()).isEqualTo(TOOLS);
        DeclarationState third = tools(second, parts("tool:b", "2"), 2);
        assertThat(third.difference())
                .isEqualTo(new DeclarationDifference(List.of("tool:b"), List.of("tool:a"), List.of()));
        DeclarationState fourth = tools(third, parts("tool:b", "3"), 3);
        assertThat(fourth.difference()).isEqualTo(third.difference());
        assertThat(fourth.isNewsAfter(third))
                .as("another content of the same part")
                .isTrue();
        assertThat(fourth.observedAt()).isEqualTo(NOW.plusSeconds(180));
    }

    @Test
    void what_is_back_or_accepted_is_no_change_and_news_once() {
        DeclarationState second = tools(FIRST, B, 1);
        DeclarationState back = tools(second, A, 2);
        assertThat(back.isChanged()).isFalse();
        assertThat(back.isNewsAfter(second)).isTrue();
        DeclarationState accepted = second.acceptPresent();
        assertThat(accepted.isChanged()).isFalse();
        assertThat(accepted.isNewsAfter(second)).isTrue();
        assertThat(tools(accepted, A, 3).difference().removed()).containsExactly("tool:b");
    }

    @Test
    void an_observation_that_is_older_than_the_last_change_is_left_out() {
        DeclarationState second = tools(FIRST, B, 2);
        assertThat(tools(second, A, 1)).isEqualTo(second);
    }

    @Test
    void another_model_is_a_change_and_the_first_one_is_not() {
        assertThat(DeclarationState.NONE.modelled(NO_MODEL, model("m1"), NOW)).isEqualTo(DeclarationState.NONE);
        DeclarationState changed = DeclarationState.NONE.modelled(model("m1"), model("m2"), NOW);
        assertThat(changed.isNewsAfter(DeclarationState.NONE)).isTrue();
        assertThat(changed.changeOf()).isEqualTo(MODEL);
        assertThat(changed.difference().altered()).containsExactly("model");
        assertThat(changed.modelled(model("m2"), model("m1"), NOW).isChanged()).isFalse();
        assertThat(changed.modelled(model("m2"), NO_MODEL, NOW).difference().removed())
                .containsExactly("model");
    }

    @Test
    void model_and_card_are_one_declaration() {
        DeclarationState card = DeclarationState.NONE.observed(CARD, parts("name", "n"), model("m1"), NOW);
        DeclarationState swapped = card.modelled(model("m1"), model("m2"), NOW.plusSeconds(60));
        assertThat(swapped.changeOf()).isEqualTo(MODEL);
        DeclarationState both = swapped.observed(CARD, parts("name", "o"), model("m2"), NOW.plusSeconds(120));
        assertThat(both.changeOf()).isEqualTo(CARD);
        assertThat(both.difference().altered()).containsExactly("model", "name");
        DeclarationState without = card.acceptPresent().modelled(NO_MODEL, model("m3"), NOW);
        assertThat(without.difference().altered())
                .as("the accepted one is known")
                .containsExactly("model");
    }

    @Test
    void a_first_model_beside_a_card_and_a_first_card_beside_a_model_are_accepted() {
        DeclarationState named = FIRST.modelled(NO_MODEL, model("m1"), NOW.plusSeconds(60));
        assertThat(named.isChanged()).isFalse();
        assertThat(named.present().hashes()).containsKey("model");
        assertThat(named.isNewsAfter(FIRST)).isFalse();
        DeclarationState swapped = DeclarationState.NONE.modelled(model("m1"), model("m2"), NOW);
        DeclarationState probed = swapped.observed(TOOLS, A, model("m2"), NOW.plusSeconds(60));
        assertThat(probed.difference().altered()).containsExactly("model");
        assertThat(probed.isNewsAfter(swapped)).isFalse();
        assertThat(probed.changeOf()).isEqualTo(MODEL);
    }

    @Test
    void another_served_model_is_a_change_and_the_one_before_it_is_accepted() {
        ModelInfo first = NO_MODEL.observing(Map.of("gpt", "gpt-1"), NOW);
        ModelInfo second = first.observing(Map.of("gpt", "gpt-2"), NOW);
        DeclarationState changed = FIRST.served(first, second, NOW.plusSeconds(60));
        assertThat(changed.difference().altered()).containsExactly("observed:gpt");
        assertThat(changed.changeOf()).isEqualTo(MODEL);
        assertThat(changed.isNewsAfter(FIRST)).isTrue();
        assertThat(FIRST.served(NO_MODEL, first, NOW)).isEqualTo(FIRST);
        assertThat(tools(changed, B, 120).difference().altered()).contains("observed:gpt");
        DeclarationState accepted = changed.acceptPresent();
        ModelInfo third = second.observing(Map.of("gpt", "gpt-3"), NOW);
        assertThat(accepted.served(second, third, NOW).difference().altered()).containsExactly("observed:gpt");
        DeclarationState both = DeclarationState.NONE.served(first, second, NOW).modelled(NO_MODEL, model("m1"), NOW);
        assertThat(both.difference().altered()).containsExactly("observed:gpt");
    }

    @Property
    void only_the_last_observation_and_the_accepted_one_count(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 3) Integer> observations) {
        DeclarationState state = FIRST;
        for (int i = 0; i < observations.size(); i++) {
            DeclarationState next = tools(state, parts("tool:a", "" + observations.get(i)), i + 1);
            assertThat(next.isNewsAfter(state)).isEqualTo(!next.equals(state));
            state = next;
        }
        assertThat(state.isChanged()).isEqualTo(observations.get(observations.size() - 1) != 1);
        assertThat(state.accepted()).isEqualTo(A);
    }

    @Test
    void each_change_has_the_next_revision() {
        assertThat(FIRST.revision()).isEqualTo(1);
        DeclarationState second = tools(FIRST, B, 1);
        assertThat(second.revision()).isEqualTo(2);
        assertThat(second.acceptPresent().revision()).isEqualTo(3);
        assertThat(second.modelled(model("m1"), model("m2"), NOW).revision()).isEqualTo(3);
        assertThat(FIRST.modelled(NO_MODEL, model("m1"), NOW).revision()).isEqualTo(2);
    }
}
