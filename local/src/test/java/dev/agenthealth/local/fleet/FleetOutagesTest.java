package dev.agenthealth.local.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.sweep.MassRestartRule;
import dev.agenthealth.testkit.Attack;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Parts of the registry are down, one after the other, while agents of a fleet live, die and return: none is marked as dead that lives, each that died is
 * found in the time that is promised, each event is delivered once, and messages are as few as promised.
 */
@Tag("exhaustive")
@Tag(Attack.TAG)
class FleetOutagesTest {

    private static final int AGENTS = Attack.size(120, 4_000);

    private static final int HALF = AGENTS / 2;
    private static final int FEW = Attack.size(10, 50);

    /** One minute until the pass that sees the threshold passed, and one for the minute of the agent's last heartbeat. */
    private static final int FOUND_WITHIN = OutageFleet.DEAD_AFTER_MINUTES + 2;

    /** The API's outage, the sweep's, the sleep, and the jump forward: the hour that the clock shows again is added up already. */
    private static final int UNKNOWN_MINUTES = 11 + 30 + 540 + 45;

    private final Attack attack = Attack.begin("fleet-outages");

    @AutoClose
    private final OutageFleet fleet = new OutageFleet();

    private final List<String> died = new ArrayList<>();

    FleetOutagesTest() throws IOException {}

    @Test
    void outages_of_each_part_mark_no_living_agent_as_dead_and_lose_nothing() {
        fleet.register(0, AGENTS);
        fleet.pass(4);
        theApiIsDownWhileHalfOfTheFleetDies();
        allReturnAtOnce();
        theSweepIsDown();
        thePublisherIsDown();
        receiversAreDown();
        theMachineSleeps();
        theClockJumps();
        figuresAreRight();
        assertThat(fleet.eventIds()).doesNotHaveDuplicates();
        attack.figure("agents", AGENTS)
                .figure("deaths", died.size())
                .figure("false deaths", fleet.changed("dead").size() - died.size())
                .figure("events delivered", fleet.events.size())
                .figure("messages", fleet.messages.size())
                .end();
    }

    private void theApiIsDownWhileHalfOfTheFleetDies() {
        fleet.ingestion(false);
        die(0, HALF);
        fleet.pass(10);
        assertThat(fleet.changed("unhealthy"))
                .as("nothing changes while heartbeats cannot arrive")
                .isEmpty();
        assertThat(fleet.health()
                        .path("registry")
                        .path("self_check_failing_since")
                        .isTextual())
                .isTrue();
        fleet.ingestion(true);
        int before = fleet.messages.size();
        found();
        fleet.pass(2);
        assertThat(fleet.changed("unhealthy")).hasSize(HALF);
        assertThat(fleet.messages.size() - before)
                .as("unhealthy and dead, a message each, and the registry")
                .isBetween(2, 4);
        assertThat(fleet.inStatus("active")).isEqualTo(AGENTS - HALF);
    }

    private void allReturnAtOnce() {
        die(AGENTS - FEW, AGENTS);
        fleet.pass(OutageFleet.DEAD_AFTER_MINUTES - 1);
        fleet.register(0, HALF);
        fleet.pass(1);
        assertThat(fleet.inStatus("active")).isEqualTo(AGENTS - FEW);
        // In the short form too few restart for others to be waited for.
        if (HALF >= MassRestartRule.MIN_RESTARTS) {
            assertThat(restartsSince()).isTrue();
            assertThat(fleet.inStatus("unhealthy")).isEqualTo(FEW);
        }
        fleet.pass(3);
        assertThat(restartsSince()).isFalse();
        assertFound();
        fleet.register(AGENTS - FEW, AGENTS);
        fleet.pass(2);
    }

    private boolean restartsSince() {
        return fleet.health().path("registry").path("mass_restart_since").isTextual();
    }

    private void theSweepIsDown() {
        fleet.sweep(false);
        die(HALF, HALF + FEW);
        fleet.pass(30);
        fleet.sweep(true);
        found();
        fleet.register(HALF, HALF + FEW);
        fleet.pass(2);
    }

    private void thePublisherIsDown() {
        die(HALF, HALF + FEW);
        fleet.publisher(false);
        int before = fleet.events.size();
        fleet.pass(FOUND_WITHIN);
        assertThat(fleet.inStatus("dead")).isEqualTo(FEW);
        assertThat(fleet.events).hasSize(before);
        fleet.publisher(true);
        fleet.pass(1);
        assertFound();
        fleet.register(HALF, HALF + FEW);
        fleet.pass(2);
    }

    /** In the hour, a few die, return, and die again. */
    private void receiversAreDown() {
        fleet.pass(3);
        int reported = fleet.notified();
        int received = fleet.messages.size();
        fleet.receiver(false);
        for (int i = 0; i < 3; i++) {
            die(HALF + i * FEW, HALF + (i + 1) * FEW);
            fleet.pass(FOUND_WITHIN);
            fleet.register(HALF + i * FEW, HALF + (i + 1) * FEW);
            fleet.pass(10);
        }
        assertThat(fleet.notified()).isEqualTo(reported);
        assertThat(fleet.refusedMessages()).isBetween(3, 60);
        fleet.receiver(true);
        fleet.pass(20);
        assertThat(fleet.notified() - reported)
                .as("unhealthy, dead and active again")
                .isEqualTo(3 * 3 * FEW);
        assertThat(fleet.messages.size() - received)
                .as("the one that failed, and all since")
                .isEqualTo(2);
    }

    private void theMachineSleeps() {
        fleet.suspend(Duration.ofHours(9));
        die(HALF, HALF + FEW);
        found();
        fleet.register(HALF, HALF + FEW);
        fleet.pass(2);
    }

    private void theClockJumps() {
        die(HALF, HALF + FEW);
        fleet.suspend(Duration.ofMinutes(-45));
        fleet.pass(45 + FOUND_WITHIN);
        assertFound();
        fleet.register(HALF, HALF + FEW);
        fleet.pass(2);
        fleet.suspend(Duration.ofMinutes(45));
        fleet.pass(FOUND_WITHIN);
        assertFound();
    }

    private void figuresAreRight() {
        JsonNode health = fleet.health();
        assertThat(health.path("agents").asInt()).isEqualTo(AGENTS);
        assertThat(fleet.inStatus("active")).isEqualTo(AGENTS);
        assertThat(health.at("/survival/rate").asDouble()).isEqualTo(1);
        JsonNode living = fleet.availability(AGENTS - FEW - 1);
        assertThat(living.path("availability").asDouble()).isEqualTo(1);
        assertThat(living.path("incidents")).isEmpty();
        assertThat(living.path("unknown_seconds").asLong()).isEqualTo(UNKNOWN_MINUTES * 60);
        JsonNode lost = fleet.availability(HALF);
        // The clock goes back into the incident before, and the death is found at once: both incidents are one.
        assertThat(lost.path("incidents")).hasSize(4);
        assertThat(lost.path("unknown_seconds").asLong()).isEqualTo(UNKNOWN_MINUTES * 60);
        assertThat(lost.path("up_seconds").asLong()
                        + lost.path("degraded_seconds").asLong()
                        + lost.path("down_seconds").asLong())
                .isEqualTo(living.path("up_seconds").asLong());
    }

    private void die(int from, int to) {
        fleet.kill(from, to);
        IntStream.range(from, to).mapToObj(OutageFleet::id).forEach(died::add);
    }

    /** Lets pass what detection may take, and sees that every agent that died was found, and no other. */
    private void found() {
        fleet.pass(FOUND_WITHIN);
        assertFound();
    }

    private void assertFound() {
        assertThat(fleet.changed("dead")).containsExactlyInAnyOrderElementsOf(died);
    }
}
