package dev.agenthealth.functions.administration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.testing.InterleavedSystem;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.testkit.Interleavings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Heartbeats with both secrets of a key against rotation, sweep, transfer and revocation, in every order of their requests. */
@Tag("R16-31")
@Tag("R16-33")
class OwnerRacesTest {

    @AutoClose
    private final InterleavedSystem interleaved = new InterleavedSystem(request -> true);

    private final TestSystem system = interleaved.system();
    private final Interleavings orders = interleaved.interleavings();
    private final TestApi api = interleaved.api();
    private final Stores stores = interleaved.stores();
    private int runs;

    @Test
    void a_row_has_the_newest_secret_once_that_was_used_whatever_old_heartbeats_do() {
        orders.explore(() -> new Life(true) {
            @Override
            public List<Runnable> operations() {
                return List.of(() -> heartbeat(oldSecret), () -> heartbeat(newSecret));
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(answers).as("%s", order).containsOnly(200);
                assertThat(pulse().owner()).as("%s", order).isEqualTo(owner(newSecret));
                assertThat(pulse().heartbeatCount()).as("%s", order).isEqualTo(2);
            }
        });
    }

    @Test
    void heartbeats_go_on_while_the_key_is_rotated() {
        orders.explore(() -> new Life(false) {
            @Override
            public List<Runnable> operations() {
                return List.of(() -> heartbeat(oldSecret), this::rotate);
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(answers).as("%s", order).containsOnly(200);
                heartbeat(newSecret);
                assertThat(answers).as("%s", order).containsOnly(200);
                assertThat(pulse().owner()).as("%s", order).isEqualTo(owner(newSecret));
            }
        });
    }

    @Test
    @Tag("exhaustive")
    void heartbeats_go_on_while_the_sweep_replaces_the_old_secret() {
        orders.explore(() -> new Life(true) {
            @Override
            public List<Runnable> operations() {
                Pulse seen = pulse();
                return List.of(() -> heartbeat(oldSecret), () -> heartbeat(newSecret), () -> stores.agents()
                        .changeOwner(seen, owner(newSecret)));
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(answers).as("%s", order).containsOnly(200);
                assertThat(pulse().owner()).as("%s", order).isEqualTo(owner(newSecret));
                assertThat(pulse().heartbeatCount()).as("%s", order).isEqualTo(2);
            }
        });
    }

    @Test
    void a_transfer_wins_over_heartbeats_of_the_former_owner() {
        orders.explore(() -> new Life(true) {
            @Override
            public List<Runnable> operations() {
                Pulse seen = pulse();
                return List.of(() -> heartbeat(newSecret), () -> transferred = transfer(seen));
            }

            @Override
            public void check(List<Integer> order) {
                if (!transferred) {
                    assertThat(transfer(pulse())).as("%s", order).isTrue();
                }
                assertThat(answers).as("%s", order).isSubsetOf(200, 403);
                assertThat(pulse().owner()).as("%s", order).isEqualTo(OTHER);
                answers.clear();
                heartbeat(newSecret);
                assertThat(answers).as("%s", order).containsOnly(403);
            }
        });
    }

    @Test
    void no_heartbeat_restores_a_revoked_key() {
        orders.explore(() -> new Life(true) {
            @Override
            public List<Runnable> operations() {
                return List.of(() -> heartbeat(newSecret), () -> {
                    stores.keys().revoke(keyId);
                    Pulse seen = stores.pulses().find(agentId).orElseThrow();
                    stores.agents().changeOwner(seen, new Owner(keyId, KeyHash.NONE));
                });
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(answers).as("%s", order).isSubsetOf(200, 401);
                Owner ended = system.stores()
                        .keys()
                        .endedCredentials()
                        .get(pulse().owner().credential());
                assertThat(pulse().owner().credential().isNone()
                                || ended.credential().isNone())
                        .as("%s: cleared, or to be cleared by the next pass", order)
                        .isTrue();
            }
        });
    }

    private static final Owner OTHER =
            new Owner("key-" + TestSystem.OTHER_AGENT_KEY, KeyHash.ofKey(TestSystem.OTHER_AGENT_KEY));

    /** One agent and its key, which is rotated or will be. */
    private abstract class Life implements Interleavings.Scenario {

        final String agentId = "agent-" + runs++;
        final String keyId = "key-" + agentId;
        final String oldSecret = "old secret of " + agentId;
        final String newSecret = "new secret of " + agentId;
        final List<Integer> answers = Collections.synchronizedList(new ArrayList<>());
        boolean transferred;

        Life(boolean rotated) {
            system.stores()
                    .keys()
                    .add(ApiKey.issued(
                            keyId, KeyHash.ofKey(oldSecret), Role.AGENT, "", Set.of(), ProviderGrants.NONE, now()));
            assertThat(system.api()
                            .post("/api/v1/agents")
                            .key(oldSecret)
                            .body("{\"agent_id\":\"" + agentId + "\"}")
                            .send()
                            .status())
                    .isEqualTo(201);
            if (rotated) {
                rotate(system.stores());
            }
        }

        private Instant now() {
            return system.clock().instant();
        }

        void rotate() {
            rotate(stores);
        }

        private void rotate(Stores through) {
            ApiKey key = through.keys().find(keyId).orElseThrow();
            assertThat(through.keys()
                            .change(key, key.rotated(KeyHash.ofKey(newSecret), now().plusSeconds(3_600), now())))
                    .isTrue();
        }

        void heartbeat(String secret) {
            answers.add(api.post("/api/v1/agents/" + agentId + "/heartbeat")
                    .key(secret)
                    .body(TestAgent.HEARTBEAT_BODY.formatted(now()))
                    .send()
                    .status());
        }

        boolean transfer(Pulse seen) {
            return stores.agents().changeOwner(seen, OTHER);
        }

        Pulse pulse() {
            return system.stores().pulses().find(agentId).orElseThrow();
        }

        Owner owner(String secret) {
            return new Owner(keyId, KeyHash.ofKey(secret));
        }
    }
}
