package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Callers of keys, and the time that they are cached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-31")
class AuthenticatorTest {

    @AutoClose
    private TestSystem system;

    private Authenticator authenticator;

    @BeforeAll
    void open() {
        system = new TestSystem();
        system.addKey("limited", Role.COORDINATOR, Set.of("billing"));
    }

    @BeforeEach
    void clearCache() {
        authenticator = Authenticator.of(system.wiring(Map.of()), system.database());
    }

    @Test
    void a_caller_has_the_role_and_the_limits_of_its_key_but_not_the_key() {
        Caller caller = authenticator.caller(KeyHash.ofKey("limited"));
        assertThat(caller)
                .isEqualTo(Caller.ofKey(
                        "key-limited", "limited", Role.COORDINATOR, Set.of("billing"), KeyHash.ofKey("limited")));
        assertThat(caller.toString()).doesNotContain(KeyHash.ofKey("limited").hex());
        assertThat(authenticator
                        .caller(KeyHash.ofKey(TestSystem.ADMINISTRATOR_KEY))
                        .isAdministrator())
                .isTrue();
    }

    @Test
    void an_unknown_key_is_looked_up_every_time() {
        for (int i = 0; i < 2; i++) {
            system.meter().reset();
            assertThatThrownBy(() -> authenticator.caller(KeyHash.ofKey("unknown")))
                    .isInstanceOf(ApiError.class)
                    .extracting(e -> ((ApiError) e).status())
                    .isEqualTo(401);
            assertThat(system.meter().operations()).containsExactly("GetItem");
        }
    }

    @Test
    void a_revocation_takes_effect_when_the_cache_entry_expires() {
        system.addKey("short-lived", Role.AGENT, Set.of());
        KeyHash key = KeyHash.ofKey("short-lived");
        authenticator.caller(key);
        new KeyStore(system.database()).revoke("key-short-lived");
        system.clock().advance(Authenticator.CACHE_TIME.minusMillis(1));
        assertThat(authenticator.caller(key).keyId()).isEqualTo("key-short-lived");
        system.clock().advanceSeconds(1);
        assertThatThrownBy(() -> authenticator.caller(key)).isInstanceOf(ApiError.class);
    }

    @Test
    void the_cache_is_bounded_and_drops_the_least_recently_used_key() {
        for (int i = 0; i < 3; i++) {
            system.addKey("many-" + i, Role.AGENT, Set.of());
        }
        Authenticator small =
                new Authenticator(KeyHash.ofKey("administrator"), system.wiring(Map.of()), system.database(), 2);
        for (int i : new int[] {0, 1, 0, 2}) {
            small.caller(KeyHash.ofKey("many-" + i));
        }
        system.meter().reset();
        small.caller(KeyHash.ofKey("many-0"));
        small.caller(KeyHash.ofKey("many-2"));
        assertThat(system.meter().calls()).isEmpty();
        small.caller(KeyHash.ofKey("many-1"));
        assertThat(system.meter().calls()).hasSize(1);
    }
}
