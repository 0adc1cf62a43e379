package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records and memory of a registration on one machine, which do not depend on the machine's speed. */
@Tag("slow")
class RegistrationCostTest {

    private static final String KEY = "test-administrator-key";

    private static final int WARM_UP = 200;
    private static final int BATCHES = 20;
    private static final int BATCH = 10;

    /** The events of a registration: the new agent, and its entry in the audit log. */
    private static final int EVENTS = 2;

    /** Includes the event of the HTTP API, which is read from JSON here. */
    private static final long MAX_BYTES = 172_000;

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());

    @AutoClose
    private LocalSystem system;

    private int registered;

    @BeforeEach
    void start() throws IOException {
        system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .byHand()
                .database(database)
                .out(new PrintStream(OutputStream.nullOutputStream())));
    }

    @Test
    void a_registration_adds_only_its_two_events_to_the_stream() {
        long before = database.inspect().streamRecords();
        register(BATCH);
        assertThat(database.inspect().streamRecords() - before).isEqualTo(EVENTS * BATCH);
        assertThat(system.drainStreams()).isEqualTo(EVENTS * BATCH);
    }

    @Test
    void a_registration_allocates_little() {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        register(WARM_UP);
        // Compilation allocates now and then; the least of several batches is without it.
        long least = Long.MAX_VALUE;
        for (int i = 0; i < BATCHES; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            register(BATCH);
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / BATCH);
        }
        System.out.println("a registration allocates " + least + " bytes");
        assertThat(least).isPositive().isLessThan(MAX_BYTES);
    }

    private void register(int agents) {
        for (int i = 0; i < agents; i++) {
            byte[] answer = system.invoke("RegistryFunction", Json.bytes(request("agent-" + registered++)));
            assertThat(new String(answer, StandardCharsets.UTF_8)).contains("\"statusCode\":201");
        }
    }

    private static ObjectNode request(String agentId) {
        ObjectNode agent = Json.object()
                .put("agent_id", agentId)
                .put("owner_key_id", "administrator")
                .put("role_id", "role");
        agent.putArray("capabilities").add("benchmark").add("skill");
        agent.putObject("capacity").put("max_concurrent_tasks", 8);
        ObjectNode event = Json.object()
                .put("version", "2.0")
                .put("routeKey", "POST /api/v1/agents")
                .put("rawPath", "/api/v1/agents")
                .put("rawQueryString", "")
                .put("body", Json.text(agent))
                .put("isBase64Encoded", false);
        event.putObject("headers").put("content-type", "application/json").put("x-api-key", KEY);
        event.putObject("requestContext")
                .putObject("http")
                .put("method", "POST")
                .put("path", "/api/v1/agents")
                .put("sourceIp", "127.0.0.1");
        return event;
    }
}
