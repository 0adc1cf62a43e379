package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory that the thread of a request allocates for each agent of a page, which does not depend on the machine's speed. */
class PageCostTest {

    private static final int AGENTS = 100;
    private static final int ROUNDS = 300;

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeEach
    void register() {
        for (int i = 0; i < AGENTS; i++) {
            // As nearly all agents of a list, each has sent a heartbeat.
            assertThat(TestAgent.registered(system, "agent-" + i)
                            .sendHeartbeat()
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"/api/v1/agents,agents,10600", "/v1/trust/agents,items,11900"})
    void an_agent_of_a_page_allocates_little(String path, String items, long maxBytes) {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        // Compilation allocates now and then.
        for (int i = 0; i < ROUNDS; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            Response page = page(path);
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / AGENTS);
            assertThat(page.status()).isEqualTo(200);
        }
        System.out.println("an agent of a page of " + path + " allocates " + least + " bytes");
        assertThat(page(path).json().path(items)).hasSize(AGENTS);
        assertThat(least).isPositive().isLessThan(maxBytes);
    }

    private Response page(String path) {
        return system.api()
                .get(path)
                .key(TestSystem.COORDINATOR_KEY)
                .query("limit", Integer.toString(AGENTS))
                .undescribed()
                .send();
    }
}
