package dev.agenthealth.model.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("SN-03")
class BlockTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    @Test
    void a_new_agent_is_not_blocked() {
        assertThat(Block.NONE.inForce()).isFalse();
        assertThat(Block.NONE.unblocked("key-1", NOW)).isEmpty();
    }

    @Test
    void a_block_says_why_by_whom_and_when() {
        assertThat(Block.NONE.blocked("manual review", Instant.MAX, "key-1", NOW))
                .contains(new Block(true, "manual review", "key-1", NOW, 1));
    }

    @Test
    void blocking_again_for_the_same_reason_changes_nothing() {
        Block block =
                Block.NONE.blocked("manual review", Instant.MAX, "key-1", NOW).orElseThrow();
        assertThat(block.blocked("manual review", Instant.MAX, "key-2", LATER)).isEmpty();
    }

    @Test
    void another_reason_replaces_the_first() {
        Block block =
                Block.NONE.blocked("manual review", Instant.MAX, "key-1", NOW).orElseThrow();
        assertThat(block.blocked("fraud", Instant.MAX, "key-2", LATER))
                .contains(new Block(true, "fraud", "key-2", LATER, 2));
    }

    @Test
    void an_unblocked_one_remembers_what_for_it_was_blocked() {
        Block block =
                Block.NONE.blocked("manual review", Instant.MAX, "key-1", NOW).orElseThrow();
        Block unblocked = block.unblocked("key-2", LATER).orElseThrow();
        assertThat(unblocked).isEqualTo(new Block(false, "manual review", "key-2", LATER, 2));
        assertThat(unblocked.unblocked("key-2", LATER)).isEmpty();
        assertThat(unblocked.blocked("manual review", Instant.MAX, "key-1", LATER))
                .contains(new Block(true, "manual review", "key-1", LATER, 3));
    }

    @Test
    void a_decision_is_not_earlier_than_the_one_before_it() {
        Instant behind = NOW.minusMillis(700);
        Block block = Block.NONE.blocked("cool down", LATER, "key-1", NOW).orElseThrow();
        Block unblocked = block.unblocked("key-2", behind).orElseThrow();
        assertThat(unblocked.at()).isEqualTo(NOW);
        assertThat(unblocked
                        .blocked("fraud", Instant.MAX, "key-1", behind)
                        .orElseThrow()
                        .at())
                .isEqualTo(NOW);
    }

    @Test
    void its_end_is_noted_once_and_not_before_it_has_passed() {
        Block block = Block.NONE.blocked("cool down", LATER, "key-1", NOW).orElseThrow();
        assertThat(block.ended(LATER.minusMillis(1))).isEmpty();
        Block ended = block.ended(LATER).orElseThrow();
        assertThat(ended).isEqualTo(new Block(false, "cool down", LATER, "key-1", LATER, 2));
        assertThat(ended.ended(LATER)).isEmpty();
        assertThat(Block.NONE.ended(LATER)).isEmpty();
    }

    @Test
    void a_block_with_an_end_is_in_force_until_then() {
        Block block = Block.NONE.blocked("cool down", LATER, "key-1", NOW).orElseThrow();
        assertThat(block.hasEnd()).isTrue();
        assertThat(block.asOf(LATER.minusMillis(1))).isSameAs(block);
        assertThat(block.asOf(LATER)).isEqualTo(new Block(false, "cool down", LATER, "key-1", NOW, 1));
        Block endless = Block.NONE.blocked("review", Instant.MAX, "key-1", NOW).orElseThrow();
        assertThat(endless.hasEnd()).isFalse();
        assertThat(endless.asOf(LATER)).isSameAs(endless);
        assertThat(Block.NONE.asOf(LATER)).isSameAs(Block.NONE);
    }

    @Test
    void a_person_takes_over_the_block_of_a_limit_with_the_same_reason_and_end() {
        String reason = "Limit tokens_per_day: 25 of 10.";
        Block ofLimit =
                Block.NONE.blocked(reason, LATER, PendingDrain.REGISTRY, NOW).orElseThrow();
        Block ofPerson = ofLimit.blocked(reason, LATER, "key-1", NOW).orElseThrow();
        assertThat(ofLimit.limit()).isPresent();
        assertThat(ofPerson.limit()).isEmpty();
        assertThat(ofPerson.blocked(reason, LATER, PendingDrain.REGISTRY, NOW)).isEmpty();
        assertThat(ofLimit.blocked(reason, LATER, PendingDrain.REGISTRY, NOW)).isEmpty();
    }
}
