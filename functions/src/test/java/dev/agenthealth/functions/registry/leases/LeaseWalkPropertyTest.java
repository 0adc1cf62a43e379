package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.leases.LeaseModel.Held;
import dev.agenthealth.functions.registry.leases.LeaseModel.Holder;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.Tries;
import dev.agenthealth.functions.testing.Troubles;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/** Storage and {@link LeaseModel} agree after every step of random sequences with two agents and two scopes. */
@Tag("R16-17")
@Tag("R16-19")
@Tag("R16-26")
@Tag("R16-27")
@Tag("R16-29")
class LeaseWalkPropertyTest {

    private static final TestSystem SYSTEM = TestSystem.withoutPauses();
    private static final AtomicInteger WALKS = new AtomicInteger();

    /** The kind of a step. */
    enum Kind {
        ACQUIRE,
        RENEW,
        RELEASE,
        WAIT,
        DRAIN,
        MARK_DEAD,
        REMOVE,
        REGISTER,
        REPLACE,
        SWEEP
    }

    /** One step: agent, scope or lease, and seconds. */
    record Act(Kind kind, int agent, int which, int seconds) {}

    @AfterContainer
    static void close() {
        SYSTEM.close();
    }

    @Provide
    Arbitrary<List<Act>> walks() {
        Arbitrary<Kind> kinds = Arbitraries.of(
                Kind.ACQUIRE,
                Kind.ACQUIRE,
                Kind.ACQUIRE,
                Kind.ACQUIRE,
                Kind.RENEW,
                Kind.RENEW,
                Kind.RELEASE,
                Kind.WAIT,
                Kind.WAIT,
                Kind.DRAIN,
                Kind.MARK_DEAD,
                Kind.REMOVE,
                Kind.REGISTER,
                Kind.REGISTER,
                Kind.REPLACE,
                Kind.SWEEP);
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.of(1, 2, 3, 299, 300, 301, 302, 303, 304, 1_000))
                .as(Act::new)
                .list()
                .ofMinSize(10)
                .ofMaxSize(30);
    }

    @Tries(60)
    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void storage_and_model_agree_after_every_step(@ForAll("walks") List<Act> acts) {
        walk(acts);
    }

    @Tries(72)
    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void storage_and_model_agree_whatever_troubles_the_database_has(
            @ForAll("walks") List<Act> acts, @ForAll(supplier = Troubles.Passing.class) Troubles troubles) {
        walk(acts, troubles);
    }

    private static void walk(List<Act> acts) {
        walk(acts, Troubles.NONE);
    }

    private static void walk(List<Act> acts, Troubles troubles) {
        Walk walk = new Walk(WALKS.incrementAndGet());
        for (int i = 0; i < acts.size(); i++) {
            Act act = acts.get(i);
            troubles.during(SYSTEM, i, () -> walk.step(act));
            walk.compare();
        }
        walk.compareEvents();
    }

    /** One sequence of steps, with its own agents and intent. */
    private static final class Walk {

        private final LeaseModel model = new LeaseModel();
        private final Database database = SYSTEM.database();
        private final List<TestAgent> agents;
        private final List<Holder> holders = List.of(new Holder(), new Holder());
        private final String intent;

        Walk(int number) {
            intent = "walk-" + number;
            agents = List.of(
                    TestAgent.registered(SYSTEM, "walker-" + number + "-a"),
                    TestAgent.registered(SYSTEM, "walker-" + number + "-b"));
        }

        void step(Act act) {
            Instant now = SYSTEM.clock().instant();
            TestAgent agent = agents.get(act.agent());
            Holder holder = holders.get(act.agent());
            switch (act.kind()) {
                case ACQUIRE -> acquire(act, agent, holder, now);
                case RENEW -> renew(act, now);
                case RELEASE -> release(act, now);
                case WAIT -> SYSTEM.clock().advanceSeconds(act.seconds());
                case DRAIN -> {
                    boolean allowed = holder.status == LifecycleStatus.ACTIVE;
                    if (holder.status != LifecycleStatus.DRAINING) {
                        assertThat(agent.drain(SYSTEM.api()).status()).isEqualTo(allowed ? 200 : 409);
                    }
                    if (allowed) {
                        holder.status = LifecycleStatus.DRAINING;
                        holder.drainsSince = now;
                    }
                }
                case MARK_DEAD -> {
                    if (holder.status == LifecycleStatus.ACTIVE) {
                        agent.becomeDead();
                        model.leaves(holder, LifecycleStatus.DEAD, LeaseReason.AGENT_DEAD);
                    }
                }
                case REMOVE -> {
                    assertThat(agent.deregister().status()).isEqualTo(204);
                    model.removed(holder, now);
                }
                case REGISTER -> {
                    assertThat(agent.register("").status()).isEqualTo(holder.isAlive() ? 409 : 201);
                    if (!holder.isAlive()) {
                        model.registered(holder);
                    }
                }
                case REPLACE -> {
                    assertThat(agent.register(",\"replace\":true").status()).isEqualTo(201);
                    model.replaced(holder, now);
                }
                case SWEEP -> sweep(now);
            }
        }

        private void acquire(Act act, TestAgent agent, Holder holder, Instant now) {
            String scope = "scope-" + act.which() % 2;
            TestApi.Response response = SYSTEM.api()
                    .post("/api/v1/intents/" + intent + "/leases")
                    .key(TestSystem.AGENT_KEY)
                    .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"" + scope + "\",\"duration_seconds\":"
                            + act.seconds() + "}")
                    .send();
            assertThat(response.status()).as(response.text()).isEqualTo(model.expectedStatus(holder, scope, now));
            JsonNode lease = response.json();
            if (response.status() == 200) {
                assertThat(lease.get("id").textValue())
                        .isEqualTo(model.last(scope).orElseThrow().id);
            } else if (response.status() == 201) {
                long token = lease.get("fencing_token").longValue();
                model.last(scope).ifPresent(previous -> assertThat(token).isGreaterThan(previous.token));
                model.granted(
                        new Held(lease.get("id").textValue(), holder, scope, token, now.plusSeconds(act.seconds())),
                        now);
            }
        }

        private void renew(Act act, Instant now) {
            if (model.leases.isEmpty()) {
                return;
            }
            Held lease = any(act);
            boolean valid = lease.isValid(now);
            assertThat(SYSTEM.api()
                            .patch(path(lease))
                            .key(TestSystem.AGENT_KEY)
                            .body("{\"duration_seconds\":" + act.seconds() + "}")
                            .send()
                            .status())
                    .isEqualTo(valid ? 200 : 412);
            if (valid) {
                lease.expiresAt = now.plusSeconds(act.seconds());
            }
        }

        private void release(Act act, Instant now) {
            if (!model.leases.isEmpty()) {
                Held lease = any(act);
                assertThat(SYSTEM.api()
                                .delete(path(lease))
                                .key(TestSystem.AGENT_KEY)
                                .send()
                                .status())
                        .isEqualTo(204);
                model.released(lease, now);
            }
        }

        /** The part of a sweep pass that handles leases, without checks for silence and deadlines. */
        private void sweep(Instant now) {
            new LeaseExpiry(new LeaseStore(database)).note(now, () -> true);
            for (TestAgent agent : agents) {
                Pulse pulse = agent.pulse();
                // With a grace period from now on, no deadline passes.
                DrainRule.end(pulse, new LeaseStore(database).holdsAny(pulse, now), now, now)
                        .ifPresent(end -> assertThat(new AgentStore(database)
                                        .change(end, agent.stored().profile()))
                                .isTrue());
                Pulse after = agent.pulse();
                if (after.cleanUp().isPending()) {
                    new LeaseCleanUp(new LeaseStore(database)).finish(after, now, () -> true, expired -> {});
                    // Whether it was cleared shows on the row: a repeated request finds the effect of the one before.
                    new FleetScan(database).clearCleanUp(after);
                    assertThat(agent.pulse().cleanUp().isPending()).isFalse();
                }
            }
            model.swept(holders, now);
        }

        void compare() {
            Instant now = SYSTEM.clock().instant();
            for (int i = 0; i < agents.size(); i++) {
                assertThat(agents.get(i).pulse().status()).isEqualTo(holders.get(i).status);
            }
            for (Held lease : model.leases) {
                Lease stored = new LeaseStore(database).find(intent, lease.id).orElseThrow();
                assertThat(stored.status()).isEqualTo(lease.status);
                assertThat(stored.reason()).isEqualTo(lease.reason);
                assertThat(stored.expiresAt()).isEqualTo(lease.expiresAt);
                assertThat(verified(lease)).isEqualTo(lease.isValid(now) ? 200 : 412);
            }
            for (String scope : List.of("scope-0", "scope-1")) {
                assertThat(model.leases.stream().filter(l -> l.scope.equals(scope) && l.isValid(now)))
                        .as("leases in force of one scope")
                        .hasSizeLessThanOrEqualTo(1);
            }
        }

        private int verified(Held lease) {
            return SYSTEM.api()
                    .post(path(lease) + "/verify")
                    .key(TestSystem.OTHER_AGENT_KEY)
                    .body("{\"fencing_token\":" + lease.token + "}")
                    .send()
                    .status();
        }

        void compareEvents() {
            List<JsonNode> events = new EventStore(database)
                    .ofIntent(
                            intent,
                            Caller.ofKey("administrator", "", Role.ADMINISTRATOR, Set.of(), KeyHash.NONE),
                            EventStore.Asked.first(Instant.EPOCH, 1_000))
                    .items();
            long ended = model.leases.stream()
                    .filter(lease -> lease.status != LeaseStatus.ACTIVE)
                    .count();
            assertThat(events).hasSize((int) (model.leases.size() + ended));
            for (Held lease : model.leases) {
                assertThat(events.stream()
                                .filter(event ->
                                        event.get("lease_id").textValue().equals(lease.id)))
                        .hasSize(lease.status == LeaseStatus.ACTIVE ? 1 : 2);
            }
            agents.forEach(agent -> agent.assertHistoryIsWhole(intent));
        }

        private Held any(Act act) {
            return model.leases.get(model.leases.size() - 1 - act.which() % model.leases.size());
        }

        private String path(Held lease) {
            return "/api/v1/intents/" + intent + "/leases/" + lease.id;
        }
    }
}
