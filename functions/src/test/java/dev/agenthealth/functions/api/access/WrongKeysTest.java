package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Attacks on the deployment's own key: guesses without a pause. */
class WrongKeysTest {

    private static final String GUESSER = "203.0.113.7";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private Response get(String address, String key) {
        return system.api().get("/api/v1/me").key(key).from(address).send();
    }

    private void guess(String address, int number) {
        for (int i = 0; i < number; i++) {
            get(address, "guess-number-" + i);
        }
    }

    @Test
    void the_administrators_key_is_not_compared_after_ten_guesses_within_a_minute() {
        guess(GUESSER, 9);
        assertThat(get(GUESSER, TestSystem.ADMINISTRATOR_KEY).status()).isEqualTo(200);
        assertThat(get(GUESSER, "guess-number-9").status()).isEqualTo(401);
        Response right = get(GUESSER, TestSystem.ADMINISTRATOR_KEY);
        Response wrong = get(GUESSER, "guess-number-10");
        assertThat(right.status()).isEqualTo(429);
        assertThat(right.json().path("error").asText()).isEqualTo("too_many_requests");
        assertThat(right.header("Retry-After")).isEqualTo("60");
        assertThat(wrong.status())
                .as("no answer tells the right key from a wrong one")
                .isEqualTo(429);
        assertThat(wrong.json().path("detail")).isEqualTo(right.json().path("detail"));
        system.clock().advance(WrongKeys.WINDOW);
        assertThat(get(GUESSER, TestSystem.ADMINISTRATOR_KEY).status()).isEqualTo(200);
    }

    @Test
    void heartbeats_are_no_way_around_it() {
        TestAgent.registered(system, "a");
        for (int i = 0; i < 10; i++) {
            assertThat(heartbeat("guess-number-" + i).status()).isEqualTo(401);
        }
        assertThat(heartbeat(TestSystem.ADMINISTRATOR_KEY).status()).isEqualTo(429);
        assertThat(heartbeat(TestSystem.AGENT_KEY).status()).isEqualTo(200);
    }

    private Response heartbeat(String key) {
        return system.api()
                .post("/api/v1/agents/a/heartbeat")
                .key(key)
                .from(GUESSER)
                .body("{\"status\":\"active\",\"client_timestamp\":\""
                        + system.clock().instant() + "\"}")
                .send();
    }

    @Test
    void keys_that_were_issued_work_on_at_the_guessers_address() {
        system.addKey("operator", Role.ADMINISTRATOR, Set.of());
        guess(GUESSER, 50);
        assertThat(get(GUESSER, TestSystem.AGENT_KEY).status()).isEqualTo(200);
        assertThat(get(GUESSER, "operator").status()).isEqualTo(200);
    }

    @Test
    void guesses_of_one_address_lock_no_other_address_out() {
        guess(GUESSER, 50);
        assertThat(get("203.0.113.8", TestSystem.ADMINISTRATOR_KEY).status()).isEqualTo(200);
    }

    @Test
    void a_program_that_repeats_a_wrong_key_locks_nobody_out() {
        for (int i = 0; i < 50; i++) {
            assertThat(get(GUESSER, "old-key").status()).isEqualTo(401);
        }
        assertThat(get(GUESSER, TestSystem.ADMINISTRATOR_KEY).status()).isEqualTo(200);
    }

    @Test
    void agents_with_revoked_keys_lock_nobody_out_and_stop() {
        for (int i = 10; i < 60; i++) {
            assertThat(get(GUESSER, "ahk_" + "x".repeat(41) + i).status()).isEqualTo(401);
        }
        assertThat(get(GUESSER, TestSystem.ADMINISTRATOR_KEY).status()).isEqualTo(200);
    }

    @Test
    void addresses_of_one_ipv6_customer_count_together() {
        for (int i = 0; i < 10; i++) {
            get("2001:db8:1:2::" + i, "guess-number-" + i);
        }
        assertThat(get("2001:db8:1:2:ffff::1", TestSystem.ADMINISTRATOR_KEY).status())
                .isEqualTo(429);
        assertThat(get("2001:db8:1:3::1", TestSystem.ADMINISTRATOR_KEY).status())
                .isEqualTo(200);
    }

    @Test
    void many_addresses_fill_no_memory() {
        WrongKeys keys = new WrongKeys(system.clock());
        for (int i = 0; i < WrongKeys.MAX_GUESSES; i++) {
            keys.note(GUESSER, KeyHash.ofKey("guess-number-" + i));
        }
        assertThat(keys.wait(GUESSER)).isPresent();
        for (int i = 0; i < WrongKeys.MAX_ADDRESSES; i++) {
            keys.note("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255), KeyHash.ofKey("guess"));
        }
        assertThat(keys.wait(GUESSER))
                .as("the table dropped the oldest address")
                .isEmpty();
    }
}
