package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.data.Backup;
import dev.agenthealth.local.data.DataFolder;
import dev.agenthealth.local.data.FolderCheck;
import dev.agenthealth.local.data.Restore;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One bit of the database differs: the check of the folder finds it, or every item is as it was. A backup is the way back. */
@Tag(Attack.TAG)
class FlippedBitTest {

    private static final int FLIPS = Attack.size(150, 10_000);
    private static final String KEY = "test-administrator-key";
    private static final List<TableDefinition> TABLES =
            Template.find().stack(Resolution.local()).tables();

    private final Attack attack = Attack.begin("flipped-bits");
    private final Random random = new Random(attack.seed());
    private final MutableClock clock = MutableClock.atExampleTime();

    @TempDir
    private Path folder;

    private Path data;
    private Path backup;
    private byte[] whole;

    @BeforeEach
    void fill() throws IOException {
        data = folder.resolve("data");
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .dataFolder(data)
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options)) {
            RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
            for (int i = 0; i < 20; i++) {
                assertThat(caller.post(
                                        "/api/v1/agents",
                                        Json.object()
                                                .put("agent_id", "agent-" + i)
                                                .put("owner_key_id", "administrator"))
                                .status())
                        .isEqualTo(201);
            }
        }
        backup = folder.resolve("backup.zip");
        Backup.write(data, backup, clock.instant(), "1", (done, all) -> {});
        whole = Files.readAllBytes(data.resolve(DataFolder.DATABASE));
    }

    private void flip(int bit) throws IOException {
        byte[] bytes = whole.clone();
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        try (Stream<Path> files = Files.list(data)) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith(DataFolder.DATABASE))
                    .toList()) {
                Files.delete(file);
            }
        }
        Files.write(data.resolve(DataFolder.DATABASE), bytes);
    }

    private Set<Map<String, AttributeValue>> items() {
        Set<Map<String, AttributeValue>> items = new HashSet<>();
        Settings settings = new Settings(data.resolve(DataFolder.DATABASE), true, Settings.Sync.NEVER);
        try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(settings, Set.of(), Clock.systemUTC())) {
            for (TableDefinition table : TABLES) {
                database.client()
                        .scanPaginator(scan -> scan.tableName(table.name()))
                        .items()
                        .forEach(items::add);
            }
        }
        return items;
    }

    @Test
    void a_bit_that_differs_is_found_or_harmless() throws IOException {
        Set<Map<String, AttributeValue>> before = items();
        List<Integer> unseen = new ArrayList<>();
        long found = 0;
        for (int i = 0; i < FLIPS; i++) {
            int bit = random.nextInt(8 * whole.length);
            flip(bit);
            List<String> problems = FolderCheck.of(data).problems();
            if (!problems.isEmpty()) {
                assertThat(problems).allSatisfy(problem -> assertThat(problem).isNotBlank());
                found++;
            } else if (!items().equals(before)) {
                unseen.add(bit);
            }
        }
        assertThat(unseen).isEmpty();
        assertThat(found).isGreaterThan(FLIPS / 10);
        Restore.restore(backup, data, true, (done, all) -> {});
        assertThat(FolderCheck.of(data).problems()).isEmpty();
        assertThat(items()).isEqualTo(before);
        attack.figure("bits", FLIPS)
                .figure("found", found)
                .figure("harmless", FLIPS - found)
                .figure("changed items that were not found", unseen.size())
                .end();
    }
}
