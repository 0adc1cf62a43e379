package dev.agenthealth.functions.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TableContents;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Messages that are damaged anywhere are answered with the protocol's own error, and change nothing. */
class McpBadInputPropertyTest {

    private static final List<String> MESSAGES = List.of(
            """
                    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_agents",\
                    "arguments":{"verdict":["ok"],"limit":5}}}\
                    """,
            """
                    {"jsonrpc":"2.0","id":"x","method":"resources/read",\
                    "params":{"uri":"agent-health://agents/a/card"}}\
                    """,
            """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\
                    """,
            """
                    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agent_health",\
                    "arguments":{"agent_id":"a"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                    "io.modelcontextprotocol/clientCapabilities":{}}}}\
                    """);
    private static final String DAMAGE = "{}[]\",:\\0-e.é null\n/~";
    private static final List<String> VERSIONS = List.of("", "2026-07-28", "2025-06-18", "2099-01-01", "x");

    private static McpHarness mcp;

    @BeforeContainer
    static void start() {
        mcp = new McpHarness();
        new TestAgent(mcp.system(), "a").register(",\"endpoint\":\"https://agent.example.com/\"");
    }

    @AfterContainer
    static void close() {
        mcp.close();
    }

    @Property
    void a_damaged_message_never_fails_inside_and_changes_nothing(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int damages) {
        Random random = new Random(seed);
        StringBuilder body = new StringBuilder(MESSAGES.get(random.nextInt(MESSAGES.size())));
        for (int i = 0; i < damages; i++) {
            int at = random.nextInt(body.length());
            body.replace(at, at + random.nextInt(2), String.valueOf(DAMAGE.charAt(random.nextInt(DAMAGE.length()))));
        }
        TableContents before = TableContents.of(mcp.system().tables());
        TestApi.Request request = mcp.api()
                .post("/mcp")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header("mcp-method", "tools/call")
                .header("mcp-name", "agent_health");
        String version = VERSIONS.get(random.nextInt(VERSIONS.size()));
        TestApi.Response response = (version.isEmpty() ? request : request.header("mcp-protocol-version", version))
                .body(body.toString())
                .send();
        assertThat(response.status()).as(body + " " + response.text()).isIn(200, 202, 400, 404);
        assertThat(TableContents.of(mcp.system().tables())).isEqualTo(before);
    }
}
