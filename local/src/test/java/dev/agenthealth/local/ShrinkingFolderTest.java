package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The data folder is small again after many agents came and went. */
@Tag("slow")
class ShrinkingFolderTest {

    private static final String KEY = "test-administrator-key";
    private static final long MEGABYTE = 1024 * 1024;
    private static final String MODEL = "agent-model";
    private static final List<TableDefinition> TABLES =
            Template.find().stack(Resolution.local()).tables();

    private final MutableClock clock = MutableClock.atExampleTime();

    @TempDir
    private Path folder;

    @Test
    void after_some_thousand_agents() throws IOException, SQLException {
        comeAndGo(2_000);
    }

    @Test
    @Tag("exhaustive")
    @Tag("long")
    void after_15_000_agents() throws IOException, SQLException {
        comeAndGo(15_000);
    }

    private void comeAndGo(int agents) throws IOException, SQLException {
        Map<String, List<Map<String, AttributeValue>>> model = itemsOfOneAgent();
        Path file = folder.resolve("agent-health.db");
        long small = Files.size(file);
        Settings settings = new Settings(file, true, Settings.Sync.NEVER);
        try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(settings, Set.of(), clock)) {
            database.checkpoints().declare(List.of("consumer"));
            for (int i = 0; i < agents; i++) {
                write(database.client(), model, String.format("agent%06d", i));
            }
            database.maintainOnce();
            long full = Files.size(file);
            assertThat(full).isGreaterThan(agents * 1_000L);
            for (int i = 0; i < agents; i++) {
                deleteWhatDoesNotExpire(database.client(), model, String.format("agent%06d", i));
            }
            clock.advance(Duration.ofDays(30));
            database.expire();
            database.checkpoints().store("consumer", database.inspect().streamRecords());
            database.maintainOnce();
            assertThat(database.check()).isEmpty();
            // SQLite leaves 256 free pages for new items, and this much of its log of changes until the end.
            assertThat(Files.size(file)).as("of " + full).isLessThan(small + 2 * MEGABYTE);
            assertThat(folder.resolve("agent-health.db-wal").toFile().length()).isLessThan(9 * MEGABYTE);
        }
    }

    /** The items that a deregistered agent leaves in the tables, all with an expiry. */
    private Map<String, List<Map<String, AttributeValue>>> itemsOfOneAgent() throws IOException {
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .dataFolder(folder)
                .out(new PrintStream(OutputStream.nullOutputStream()));
        Map<String, List<Map<String, AttributeValue>>> items = new TreeMap<>();
        try (LocalSystem system = LocalSystem.start(options)) {
            RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
            assertThat(caller.post(
                                    "/api/v1/agents",
                                    Json.object()
                                            .put("agent_id", MODEL)
                                            .put("owner_key_id", "administrator")
                                            .put("role_id", "role"))
                            .status())
                    .isEqualTo(201);
            for (TableDefinition table : TABLES) {
                items.put(
                        table.name(),
                        system.dynamoDb()
                                .scan(scan -> scan.tableName(table.name()))
                                .items());
            }
        }
        return items;
    }

    private void write(DynamoDbClient client, Map<String, List<Map<String, AttributeValue>>> model, String agentId) {
        Map<String, List<WriteRequest>> writes = new TreeMap<>();
        model.forEach((table, items) -> writes.put(
                table,
                items.stream()
                        .map(item -> WriteRequest.builder()
                                .putRequest(put -> put.item(renamed(item, agentId)))
                                .build())
                        .toList()));
        client.batchWriteItem(batch -> batch.requestItems(writes));
    }

    private void deleteWhatDoesNotExpire(
            DynamoDbClient client, Map<String, List<Map<String, AttributeValue>>> model, String agentId) {
        for (TableDefinition table : TABLES) {
            if (table.ttlAttribute().isEmpty()) {
                for (Map<String, AttributeValue> item : model.get(table.name())) {
                    Map<String, AttributeValue> key = renamed(item, agentId);
                    key.keySet()
                            .retainAll(table.keySchema().stream()
                                    .map(KeySchemaElement::attributeName)
                                    .toList());
                    client.deleteItem(delete -> delete.tableName(table.name()).key(key));
                }
            }
        }
    }

    private Map<String, AttributeValue> renamed(Map<String, AttributeValue> item, String agentId) {
        Map<String, AttributeValue> renamed = new TreeMap<>();
        item.forEach((name, value) -> renamed.put(
                name, value.s() == null ? value : AttributeValue.fromS(value.s().replace(MODEL, agentId))));
        renamed.put("ttl", AttributeValue.fromN(Long.toString(clock.millis() / 1_000 + 3_600)));
        return renamed;
    }
}
