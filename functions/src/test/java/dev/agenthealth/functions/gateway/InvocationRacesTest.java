package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.EvidenceScope;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestSqs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Concurrent attempts to start, release or end the same invocation: one succeeds, and the records agree with it. */
@Tag("SN-07")
@Tag("SN-05")
class InvocationRacesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration RUN = Duration.ofSeconds(60);

    private final GatewayHarness gateway = new GatewayHarness();
    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    @AfterEach
    void close() {
        threads.shutdown();
        gateway.close();
    }

    @Test
    void an_invocation_ends_once_and_the_figures_agree() throws Exception {
        gateway.agent("a", "https://nowhere.test/", "");
        ReceiptStore receipts = new ReceiptStore(gateway.system().database());
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        List<Callable<Boolean>> endings = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Receipt running = Receipt.synchronous("rcpt_" + i, "a", "key_1", TIMEOUT, TraceContext.NONE, now(), RUN);
            receipts.create(running);
            CallResult success = CallResult.success("", now(), 5);
            CallResult stopped = CallResult.failure(InvocationFailure.INTERRUPTED, now(), 0);
            Invocation invocation = new Invocation(
                    running.id(),
                    "a",
                    GatewayHarness.PROVIDER,
                    "key",
                    new Call(true, 5, Call.NO_LIMIT, now()),
                    EvidenceScope.REPUTATION);
            for (int j = 0; j < 2; j++) {
                endings.add(() -> receipts.finish(running, success, invocation) && ended.incrementAndGet() > 0);
                endings.add(() -> receipts.abandon(running, stopped) && interrupted.incrementAndGet() > 0);
            }
        }
        for (Future<Boolean> done : threads.invokeAll(endings)) {
            done.get();
        }
        assertThat(ended.get() + interrupted.get()).isEqualTo(50);
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(ended.get());
        assertThat(gateway.healthOfProvider().path("success_count").asInt()).isEqualTo(ended.get());
        assertThat(gateway.repair().counted()).isEqualTo(ended.get());
        assertThat(gateway.outcomes("a").successes()).isEqualTo(ended.get());
        assertThat(gateway.unsettled()).isEmpty();
    }

    @Test
    void an_invocation_is_started_once_per_attempt() throws Exception {
        ReceiptStore receipts = new ReceiptStore(gateway.system().database());
        Receipt accepted = Receipt.asynchronous("rcpt_1", "a", "key_1", TIMEOUT, TraceContext.NONE, now());
        receipts.create(accepted);
        assertThat(once(() -> receipts.start(accepted, RUN).isPresent())).isEqualTo(1);
        Receipt running = accepted.started(now(), RUN);
        assertThat(receipts.postpone(running)).isTrue();
        assertThat(receipts.start(accepted, RUN))
                .as("a start from before the release has no effect")
                .isEmpty();
        assertThat(receipts.finish(
                        running,
                        CallResult.success("", now(), 5),
                        new Invocation(
                                "rcpt_1",
                                "a",
                                "",
                                "key",
                                new Call(true, 5, Call.NO_LIMIT, now()),
                                EvidenceScope.REPUTATION)))
                .as("an end after the release has no effect")
                .isFalse();
        Receipt again = running.postponed(now());
        assertThat(once(() -> receipts.start(again, RUN).isPresent())).isEqualTo(1);
    }

    @Test
    void a_repair_that_read_an_invocation_before_its_release_does_not_end_it() {
        ReceiptStore receipts = new ReceiptStore(gateway.system().database());
        Receipt accepted = Receipt.asynchronous("rcpt_1", "a", "key_1", TIMEOUT, TraceContext.NONE, now());
        receipts.create(accepted);
        gateway.system().clock().advanceSeconds(1);
        assertThat(receipts.start(accepted, RUN)).isPresent();
        CallResult stopped = CallResult.failure(InvocationFailure.INTERRUPTED, now(), 0);
        assertThat(receipts.abandon(accepted, stopped)).isFalse();
        assertThat(receipts.find("rcpt_1").orElseThrow().state()).isEqualTo(ReceiptState.RUNNING);
    }

    @Test
    void a_delayed_write_of_a_new_receipt_changes_nothing() {
        ReceiptStore receipts = new ReceiptStore(gateway.system().database());
        Receipt running = Receipt.synchronous("rcpt_1", "a", "key_1", TIMEOUT, TraceContext.NONE, now(), RUN);
        receipts.create(running);
        CallResult success = CallResult.success("", now(), 5);
        assertThat(receipts.finish(
                        running,
                        success,
                        new Invocation(
                                "rcpt_1",
                                "a",
                                "",
                                "key",
                                new Call(true, 5, Call.NO_LIMIT, now()),
                                EvidenceScope.REPUTATION)))
                .isTrue();
        receipts.create(running);
        assertThat(receipts.find("rcpt_1").orElseThrow().result()).contains(success);
    }

    @Test
    void a_running_invocation_is_not_started_again() {
        ReceiptStore receipts = new ReceiptStore(gateway.system().database());
        Receipt accepted = Receipt.asynchronous("rcpt_1", "a", "key_1", TIMEOUT, TraceContext.NONE, now());
        receipts.create(accepted);
        receipts.putMessage("rcpt_1", "{\"parts\":[{\"text\":\"Hello\"}]}", now().plusSeconds(60));
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        gateway.agent("a", server);
        assertThat(receipts.start(accepted, RUN)).isPresent();
        assertThat(gateway.workerThrough(gateway.system().dynamoDb())
                        .handleRequest(
                                GatewayHarness.event(List.of(new TestSqs.Message("url", "m", "rcpt_1", "handle"))),
                                null)
                        .getBatchItemFailures())
                .isEmpty();
        assertThat(server.connections()).isZero();
    }

    @Test
    void concurrent_repairs_count_once() throws Exception {
        gateway.agent("a", "https://nowhere.test/", "");
        ReceiptStore receipts = new ReceiptStore(gateway.system().database());
        for (int i = 0; i < 20; i++) {
            Receipt running = Receipt.synchronous("rcpt_" + i, "a", "key_1", TIMEOUT, TraceContext.NONE, now(), RUN);
            receipts.create(running);
            assertThat(receipts.finish(
                            running,
                            CallResult.success("", now(), 5),
                            new Invocation(
                                    running.id(),
                                    "a",
                                    "",
                                    "key",
                                    new Call(true, 5, Call.NO_LIMIT, now()),
                                    EvidenceScope.REPUTATION)))
                    .isTrue();
        }
        gateway.system().clock().advanceSeconds(3_000);
        threads.invokeAll(List.<Callable<ReceiptRepair.Numbers>>of(gateway::repairNow, gateway::repairNow)).stream()
                .forEach(InvocationRacesTest::await);
        assertThat(gateway.outcomes("a").successes()).isEqualTo(20);
        assertThat(gateway.unsettled()).isEmpty();
    }

    private long once(Callable<Boolean> change) throws Exception {
        long done = 0;
        for (Future<Boolean> result : threads.invokeAll(Collections.nCopies(8, change))) {
            done += result.get() ? 1 : 0;
        }
        return done;
    }

    private static void await(Future<?> future) {
        try {
            future.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Instant now() {
        return gateway.system().clock().instant();
    }
}
