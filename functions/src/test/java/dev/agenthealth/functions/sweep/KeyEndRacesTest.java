package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.InterleavedSystem;
import dev.agenthealth.model.event.KeyEvents;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Interleavings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two sweeps that announce the end of a key which an administrator changes meanwhile, in every order of their requests. */
class KeyEndRacesTest {

    @AutoClose
    private final InterleavedSystem interleaved = new InterleavedSystem(request -> true);

    private final KeyStore keys = new KeyStore(interleaved.database());
    private int runs;

    @Test
    void an_end_is_announced_once_and_not_after_it_was_changed() {
        interleaved.interleavings().explore(Changed::new);
    }

    private final class Changed implements Interleavings.Scenario {

        private final Instant now = interleaved.system().clock().instant();
        private final Instant end = now.plus(KeyLimits.WARNED_AHEAD).plusSeconds(60);
        private final String id = "ends-" + runs++;
        private final ApiKey key = ApiKey.issued(
                        id, KeyHash.ofKey(id), Role.AGENT, "", Set.of(), ProviderGrants.NONE, now)
                .limitedTo(until(end));
        private final List<String> done = Collections.synchronizedList(new ArrayList<>());

        @Override
        public List<Runnable> operations() {
            new KeyStore(interleaved.system().database()).add(key);
            return List.of(this::announce, this::announce, () -> {
                ApiKey later = key.changed("", Set.of(), ProviderGrants.NONE, until(end.plus(Duration.ofDays(1))));
                assertThat(keys.change(key, later)).isTrue();
                done.add("changed");
            });
        }

        private void announce() {
            if (keys.announce(
                    key, end.minus(KeyLimits.WARNED_AHEAD), KeyEvents.expiring(id, "", Role.AGENT, end, now))) {
                done.add("announced");
            }
        }

        @Override
        public void check(List<Integer> order) {
            assertThat(done).as("%s", order).isIn(List.of("changed"), List.of("announced", "changed"));
        }

        private static KeyLimits until(Instant moment) {
            return new KeyLimits(Optional.of(moment), List.of(), Set.of());
        }
    }
}
