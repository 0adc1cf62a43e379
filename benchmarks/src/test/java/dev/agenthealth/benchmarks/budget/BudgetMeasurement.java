package dev.agenthealth.benchmarks.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.testkit.StreamRecords;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** Runs every operation that has a budget, and measures what it consumes. */
final class BudgetMeasurement {

    private static final int OFTEN = 4;
    private static final int FOUND = 20;
    private static final int WATCHED = 50;
    private static final String MESSAGE = "{\"message\":\"Pay invoice 42, please.\"}";

    private final Map<String, Budget> budgets = new TreeMap<>();
    private double requestLineBytes;
    private double idleMetrics;

    /** A measurement from beginning to end; it takes some seconds. */
    static Budgets now() {
        BudgetMeasurement measurement = new BudgetMeasurement();
        measurement.sweep();
        measurement.silence();
        measurement.everyday();
        measurement.probes();
        measurement.budgets.replaceAll((operation, budget) -> budget.rounded());
        return new Budgets(measurement.requestLineBytes, measurement.idleMetrics, measurement.budgets);
    }

    private void sweep() {
        try (MeasuredFleet fleet = new MeasuredFleet()) {
            fleet.tick(0);
            Gauge empty = fleet.gauge();
            fleet.pass(30);
            empty.run(fleet::sweep);
            budgets.put("sweep_pass", empty.mean());
            fleet.measure();
            idleMetrics = fleet.metrics().size();

            fleet.register(0, 1);
            fleet.tick(1);
            fleet.tick(1);
            fleet.copyRow(1_000);
            fleet.tick(1);
            Gauge full = fleet.gauge();
            fleet.pass(30);
            fleet.sendHeartbeats(0, 1);
            full.run(() -> assertThat(fleet.sweep().path("monitored").asInt()).isEqualTo(1_001));
            budgets.put("swept_thousand", more(full.mean(), empty.mean(), 1));
        }
    }

    private void silence() {
        int agents = 10;
        try (MeasuredFleet fleet = new MeasuredFleet()) {
            fleet.register(0, agents);
            for (int i = 0; i < 5; i++) {
                fleet.tick(agents);
            }
            fleet.pass(30);
            Gauge idle = fleet.gauge();
            idle.run(fleet::sweep);
            fleet.tick(0);
            Gauge silent = fleet.gauge();
            fleet.pass(40);
            silent.run(() ->
                    assertThat(fleet.sweep().path("transitions").asInt(agents)).isEqualTo(agents));
            budgets.put("silence", more(silent.mean(), idle.mean(), 1.0 / agents));

            Gauge recovery = fleet.gauge();
            for (int i = 0; i < agents; i++) {
                recovery.request(fleet.heartbeat(i), fleet.heartbeatBody(""));
            }
            budgets.put("recovery", recovery.mean());
            publication(fleet);
        }
    }

    /** The agents of one message: what their probes found is kept at first, and five minutes later. */
    private void probes() {
        try (MeasuredFleet fleet = new MeasuredFleet()) {
            for (int i = 0; i < WATCHED; i++) {
                fleet.watch(i);
            }
            probeMinute(fleet, fleet.gauge());
            Gauge probing = fleet.gauge();
            for (int i = 0; i < OFTEN; i++) {
                probeMinute(fleet, probing);
            }
            Gauge keeping = fleet.gauge();
            probeMinute(fleet, keeping);
            Gauge idle = fleet.gauge();
            idle.run(() -> assertThat(fleet.probe()).isZero());
            budgets.put("probe_run", idle.mean());
            budgets.put("probe", more(probing.mean(), idle.mean(), 1.0 / WATCHED));
            budgets.put("probe_state", more(keeping.mean(), probing.mean(), 1.0 / WATCHED));
        }
    }

    private static void probeMinute(MeasuredFleet fleet, Gauge gauge) {
        fleet.pass(60);
        fleet.queueProbes(WATCHED);
        gauge.run(() -> assertThat(fleet.probe()).isEqualTo(WATCHED));
    }

    private void publication(MeasuredFleet fleet) {
        List<ObjectNode> events = StreamRecords.events(fleet.tables());
        Gauge publication = fleet.gauge();
        double bytes = 0;
        List<ObjectNode> latest = events.subList(events.size() - OFTEN, events.size());
        for (ObjectNode event : latest) {
            publication.run(() -> fleet.publish(List.of(event)));
            bytes += eventBytes(fleet.sent().get(0));
        }
        budgets.put(
                "publication",
                publication.mean().plus(new Budget(Map.of(Measure.EVENT_BYTES, bytes / latest.size())), 1));
    }

    /** As EventBridge counts: 14 for the time, and the bytes of all texts. */
    private static double eventBytes(PutEventsRequestEntry entry) {
        double bytes = 14;
        for (String text : List.of(entry.source(), entry.detailType(), entry.detail())) {
            bytes += text.getBytes(StandardCharsets.UTF_8).length;
        }
        return bytes;
    }

    private void everyday() {
        try (MeasuredFleet fleet = new MeasuredFleet()) {
            fleet.register(0, 1);
            Gauge registration = fleet.gauge();
            for (int i = 1; i <= OFTEN; i++) {
                registration.request(fleet.registration(), fleet.registrationOf(i));
            }
            budgets.put("registration", registration.mean());

            lifecycle(fleet);
            leases(fleet);
            invocations(fleet);
            health(fleet);
            discovery(fleet);
            pings(fleet);
            heartbeats(fleet);
        }
    }

    private void lifecycle(MeasuredFleet fleet) {
        Gauge deregistration = fleet.gauge();
        Gauge back = fleet.gauge();
        for (int i = 1; i <= OFTEN; i++) {
            deregistration.request(fleet.deregistration(i), "");
            back.request(fleet.registration(), fleet.registrationOf(i));
        }
        budgets.put("deregistration", deregistration.mean());
        budgets.put("return", back.mean());
    }

    /** All at the same time, as under load: the cost of periodic writes is shared by many requests. */
    private void heartbeats(MeasuredFleet fleet) {
        fleet.sendHeartbeats(0, 1);
        Gauge single = fleet.gauge();
        for (int i = 0; i < OFTEN; i++) {
            single.request(fleet.heartbeat(0), fleet.heartbeatBody(""));
        }
        budgets.put("heartbeat", single.mean());

        Gauge refused = fleet.gauge();
        refused.run(fleet::unknownHeartbeat);
        requestLineBytes = refused.mean().of(Measure.LOG_BYTES);

        fleet.copyRow(100);
        Gauge batch = fleet.gauge();
        JsonNode answer =
                batch.request(fleet.heartbeats(), fleet.heartbeatsBody(0, 100)).json();
        assertThat(answer.findValuesAsText("status_code")).hasSize(100).containsOnly("200");
        budgets.put("heartbeats_of_100", batch.mean());
    }

    private void discovery(MeasuredFleet fleet) {
        fleet.register(OFTEN + 1, FOUND);
        fleet.discovery(FOUND).send();
        Gauge discovery = fleet.gauge();
        JsonNode answer = discovery.request(fleet.discovery(FOUND), "").json();
        assertThat(answer.path("agents")).hasSize(FOUND);
        budgets.put("discovery", discovery.mean());
    }

    private void pings(MeasuredFleet fleet) {
        String address = fleet.pingAddress(1);
        Gauge start = fleet.gauge();
        Gauge end = fleet.gauge();
        for (int i = 0; i < OFTEN; i++) {
            fleet.pass(3_600);
            start.request(fleet.ping(address + "/start"), "");
            fleet.pass(30);
            end.request(fleet.ping(address + "/0"), "done");
        }
        budgets.put("ping_start", start.mean());
        budgets.put("ping_end", end.mean());
    }

    private void leases(MeasuredFleet fleet) {
        Gauge acquisition = fleet.gauge();
        Gauge renewal = fleet.gauge();
        Gauge release = fleet.gauge();
        fleet.leaseOf().body(fleet.lease(0, "warm")).send();
        for (int i = 0; i < OFTEN; i++) {
            JsonNode lease = acquisition
                    .request(fleet.leaseOf(), fleet.lease(i, "scope-" + i))
                    .json();
            fleet.pass(1);
            renewal.request(fleet.renewal(lease), "{\"duration_seconds\":600}");
            release.request(fleet.release(lease), "");
        }
        budgets.put("lease_acquisition", acquisition.mean());
        budgets.put("lease_renewal", renewal.mean());
        budgets.put("lease_release", release.mean());
    }

    private void invocations(MeasuredFleet fleet) {
        Gauge waited = fleet.gauge();
        Gauge accepted = fleet.gauge();
        Gauge delivered = fleet.gauge();
        fleet.invocation(0).body(MESSAGE).send();
        for (int i = 0; i < OFTEN; i++) {
            fleet.pass(1);
            waited.request(fleet.invocation(i), MESSAGE);
            accepted.request(fleet.asyncInvocation(i), MESSAGE);
            delivered.run(fleet::deliver);
        }
        budgets.put("invocation", waited.mean());
        budgets.put("async_invocation", accepted.mean());
        budgets.put("async_delivery", delivered.mean());
    }

    /** In each hour the agent reports once, is measured and is read. The first report makes it healthy, which causes an event. */
    private void health(MeasuredFleet fleet) {
        fleet.healthDocument(0).send();
        fleet.warmReports(0);
        assertThat(fleet.report(0).body("{" + fleet.outcomes() + "}").send().status())
                .isEqualTo(202);
        fleet.pass(60);
        fleet.measure();
        fleet.pass(60);
        fleet.measure();
        Gauge idle = fleet.gauge();
        Gauge quiet = fleet.gauge();
        Gauge sources = fleet.gauge();
        Gauge report = fleet.gauge();
        Gauge busy = fleet.gauge();
        Gauge read = fleet.gauge();
        Gauge riding = fleet.gauge();
        for (int i = 0; i < OFTEN; i++) {
            fleet.pass(3_600);
            fleet.measure();
            fleet.pass(60);
            idle.run(() -> assertThat(fleet.measured()).isZero());
            quiet.run(fleet::notifyOperators);
            sources.run(fleet::readSources);
            fleet.sendHeartbeats(0, 1);
            if (i % 2 == 0) {
                fleet.warmReports(0);
                report.request(fleet.report(0), "{" + fleet.outcomes() + "}");
            } else {
                riding.request(fleet.heartbeat(0), fleet.heartbeatBody("," + fleet.outcomes()));
            }
            fleet.pass(60);
            busy.run(() -> assertThat(fleet.measured()).isEqualTo(1));
            read.request(fleet.healthDocument(0), "");
        }
        budgets.put("measurement_run", idle.mean());
        budgets.put("notification_run", quiet.mean());
        budgets.put("source_run", sources.mean());
        budgets.put("outcomes", report.mean());
        budgets.put("heartbeat_with_outcomes", riding.mean());
        budgets.put("measurement", more(busy.mean(), idle.mean(), 1));
        budgets.put("health_read", read.mean());
    }

    /** The difference of two budgets times a factor; at least 0. */
    private static Budget more(Budget larger, Budget smaller, double factor) {
        Map<Measure, Double> more = new EnumMap<>(Measure.class);
        larger.plus(smaller, -1)
                .amounts()
                .forEach((measure, amount) -> more.put(measure, factor * Math.max(0, amount)));
        return new Budget(more);
    }
}
