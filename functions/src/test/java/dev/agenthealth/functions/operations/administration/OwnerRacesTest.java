package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.hosts.HostStore;
import dev.agenthealth.functions.storage.hosts.HostStore.HostMapping;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.CredentialEnds;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.telemetry.SpanMapping;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.functions.testing.InterleavedSystem;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.telemetry.AgentName;
import dev.agenthealth.testkit.Interleavings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
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
    private final Database database = interleaved.database();
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
                return List.of(() -> heartbeat(oldSecret), () -> heartbeat(newSecret), () -> new AgentStore(database)
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
                    new KeyStore(database).revoke(keyId);
                    Pulse seen = new PulseStore(database).find(agentId).orElseThrow();
                    new AgentStore(database).changeOwner(seen, new Owner(keyId, KeyHash.NONE));
                });
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(answers).as("%s", order).isSubsetOf(200, 401);
                Owner ended = new CredentialEnds(system.database())
                        .endedCredentials()
                        .get(pulse().owner().credential());
                assertThat(pulse().owner().credential().isNone()
                                || ended.credential().isNone())
                        .as("%s: cleared, or to be cleared by the next pass", order)
                        .isTrue();
            }
        });
    }

    @Test
    @Tag("slow")
    void a_transfer_is_not_undone_by_a_registration_of_the_former_owner() {
        orders.explore(() -> new Life(false) {
            @Override
            public List<Runnable> operations() {
                return List.of(
                        () -> post("/api/v1/agents", oldSecret, "{\"agent_id\":\"%s\",\"replace\":true}"),
                        this::transferByAdministrator);
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(answers).as("%s", order).isSubsetOf(200, 201, 403);
                assertThat(pulse().owner().keyId()).as("%s", order).isEqualTo(OTHER.keyId());
            }
        });
    }

    @Test
    void a_transferred_agent_does_not_have_a_provider_that_its_new_owner_is_not_granted() {
        orders.explore(() -> new Life(false) {
            @Override
            public List<Runnable> operations() {
                ApiKey key = new KeyStore(system.database()).find(keyId).orElseThrow();
                new KeyStore(system.database())
                        .change(key, key.changed("", Set.of(), ProviderGrants.of(Set.of("granted")), key.limits()));
                return List.of(
                        () -> answers.add(api.patch("/api/v1/agents/" + agentId)
                                .key(oldSecret)
                                .header("if-match", EntityTag.ofVersion(1).value())
                                .body("{\"provider_id\":\"granted\"}")
                                .send()
                                .status()),
                        this::transferByAdministrator);
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(answers).as("%s", order).isSubsetOf(200, 403, 409);
                String provider = new AgentStore(system.database())
                        .profile(agentId)
                        .orElseThrow()
                        .description()
                        .providerId();
                assertThat(pulse().owner().keyId().equals(OTHER.keyId()) && !provider.isEmpty())
                        .as("%s %s", order, answers)
                        .isFalse();
            }
        });
    }

    @Test
    void a_host_that_is_mapped_to_another_agent_meanwhile_stays_mapped() {
        orders.explore(() -> new Life(false) {
            @Override
            public List<Runnable> operations() {
                HostMapping before = new HostMapping(agentId + ".example", agentId, now());
                new HostStore(system.database()).put(Optional.empty(), before);
                return List.of(() -> new HostStore(database).removeOf(agentId), this::mapToAnother);
            }

            private void mapToAnother() {
                HostStore hosts = new HostStore(database);
                HostMapping other = new HostMapping(agentId + ".example", "other", now());
                OptimisticUpdates.untilDone(() -> hosts.put(hosts.find(other.host(), true), other));
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(new HostStore(system.database()).find(agentId + ".example", true))
                        .as("%s", order)
                        .map(HostMapping::agentId)
                        .contains("other");
            }
        });
    }

    @Test
    void a_name_of_spans_that_means_another_agent_meanwhile_stays_mapped() {
        orders.explore(() -> new Life(false) {
            private final AgentName name = new AgentName("service", agentId);

            @Override
            public List<Runnable> operations() {
                new TelemetryStore(system.database())
                        .putFirst(keyId, new SpanMapping(name, agentId, false, false, now()));
                return List.of(() -> new TelemetryStore(database).removeOf(keyId, agentId), this::mapToAnother);
            }

            private void mapToAnother() {
                TelemetryStore mappings = new TelemetryStore(database);
                SpanMapping other = new SpanMapping(name, "other", false, false, now());
                OptimisticUpdates.untilDone(() -> mappings.put(keyId, mappings.find(keyId, name.id()), other));
            }

            @Override
            public void check(List<Integer> order) {
                assertThat(new TelemetryStore(system.database()).find(keyId, List.of(name)))
                        .as("%s", order)
                        .extractingByKey(name)
                        .returns("other", SpanMapping::agentId);
            }
        });
    }

    /** A key that is none of the system's: those are granted what a request names as long as it runs, and others run meanwhile. */
    private static final Owner OTHER = new Owner("other-owner", KeyHash.ofKey("secret of the other owner"));

    @BeforeEach
    void addOther() {
        new KeyStore(system.database())
                .add(ApiKey.issued(
                        OTHER.keyId(),
                        OTHER.credential(),
                        Role.AGENT,
                        "",
                        Set.of(),
                        ProviderGrants.NONE,
                        system.clock().instant()));
    }

    /** One agent and its key, which is rotated or will be. */
    private abstract class Life implements Interleavings.Scenario {

        final String agentId = "agent-" + runs++;
        final String keyId = "key-" + agentId;
        final String oldSecret = "old secret of " + agentId;
        final String newSecret = "new secret of " + agentId;
        final List<Integer> answers = Collections.synchronizedList(new ArrayList<>());
        boolean transferred;

        Life(boolean rotated) {
            new KeyStore(system.database())
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
                rotate(system.database());
            }
        }

        void post(String path, String secret, String body) {
            answers.add(api.post(path)
                    .key(secret)
                    .body(body.formatted(agentId))
                    .send()
                    .status());
        }

        void transferByAdministrator() {
            answers.add(api.put("/v1/admin/agents/" + agentId + "/owner")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"key_id\":\"" + OTHER.keyId() + "\"}")
                    .send()
                    .status());
        }

        Instant now() {
            return system.clock().instant();
        }

        void rotate() {
            rotate(database);
        }

        private void rotate(Database through) {
            ApiKey key = new KeyStore(through).find(keyId).orElseThrow();
            assertThat(new KeyStore(through)
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
            return new AgentStore(database).changeOwner(seen, OTHER);
        }

        Pulse pulse() {
            return new PulseStore(system.database()).find(agentId).orElseThrow();
        }

        Owner owner(String secret) {
            return new Owner(keyId, KeyHash.ofKey(secret));
        }
    }
}
