package dev.agenthealth.functions.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.EveryKindOfItem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.TestTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writes the fixtures of the layout that today's code writes, with {@code mvn verify -Dwrite=release}: before a release that writes more. Fixtures of
 * layouts that are still in use somewhere stay as they are.
 */
@Tag(GeneratedText.TAG)
class ItemFixtureWriterTest {

    private static final Path FOLDER = Path.of("src/test/resources/" + ItemFixtures.FOLDER);

    @Test
    void a_release_freezes_the_items_that_it_writes() throws IOException {
        assumeTrue(GeneratedText.isReleased(), "only a release writes fixtures");
        try (EveryKindOfItem everything = new EveryKindOfItem()) {
            ObjectNode items = Json.object();
            for (String table : List.of(TestTables.PULSES, TestTables.REGISTRY)) {
                ArrayNode array = items.putArray(table);
                everything
                        .system()
                        .tables()
                        .dynamoDb()
                        .scanPaginator(r -> r.tableName(table))
                        .items()
                        .forEach(item -> array.add(ItemFixtures.json(item)));
            }
            ObjectNode answers = Json.object();
            answers.put("at", everything.system().clock().instant().toString());
            ArrayNode array = answers.putArray("answers");
            for (String path : paths(everything)) {
                Response answer = ask(everything.api(), path);
                assertThat(answer.status()).as(path).isEqualTo(200);
                ObjectNode body = answer.json().deepCopy();
                // Encrypted with another key each time.
                body.remove("resume_token");
                if (path.endsWith("/agent-card.json")) {
                    // A digest of what the code makes of the items.
                    body.remove("version");
                }
                array.addObject().put("path", path).set("body", body);
            }
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve(ItemFixtures.ITEMS), lines(items));
            Files.writeString(FOLDER.resolve(ItemFixtures.ANSWERS), lines(answers));
        }
    }

    static Response ask(TestApi api, String path) {
        return api.get(path).key(TestSystem.ADMINISTRATOR_KEY).undescribed().send();
    }

    private static List<String> paths(EveryKindOfItem everything) {
        String agent = "/api/v1/agents/" + EveryKindOfItem.AGENT;
        return List.of(
                agent,
                agent + "/events",
                agent + "/leases",
                agent + "/health",
                agent + "/health/history",
                "/agents/" + EveryKindOfItem.AGENT + "/.well-known/agent-health",
                "/agents/" + EveryKindOfItem.AGENT + "/.well-known/agent-card.json",
                "/api/v1/agents/" + EveryKindOfItem.OTHER,
                "/api/v1/agents/" + EveryKindOfItem.ARCHIVED,
                "/api/v1/agents",
                "/api/v1/events",
                "/api/v1/health",
                "/api/v1/pools",
                "/api/v1/pools/billing",
                "/api/v1/workflows",
                "/api/v1/workflows/invoices",
                "/api/v1/intents/invoice/leases",
                "/api/v1/intents/invoice/events",
                "/v1/trust/agents/" + EveryKindOfItem.AGENT,
                "/v1/trust/providers",
                "/v1/health/agents/" + EveryKindOfItem.AGENT,
                "/v1/health/providers/acme",
                "/v1/receipts/" + everything.receipt(),
                "/v1/receipts/" + everything.waiting(),
                "/v1/admin/keys",
                "/v1/admin/hosts",
                "/v1/admin/configuration",
                "/v1/admin/notifications");
    }

    /** An item or an answer a line, so that differences can be read. */
    private static String lines(ObjectNode json) {
        return Json.text(json).replace("},{\"", "},\n{\"").replace("[{\"", "[\n{\"") + "\n";
    }
}
