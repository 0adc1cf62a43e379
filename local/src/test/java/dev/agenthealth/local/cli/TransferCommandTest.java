package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration of a registry moves to another registry by two commands. */
class TransferCommandTest {

    private static final String ADMINISTRATOR = "test-administrator-key";

    /** The number of agents needs more than two parts. */
    private static final int AGENTS = 220;

    @AutoClose
    private final LocalSystem here = system();

    @AutoClose
    private final LocalSystem there = system();

    @TempDir
    private Path folder;

    private static LocalSystem system() {
        try {
            return LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                    .byHand()
                    .out(new PrintStream(OutputStream.nullOutputStream())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_registry_moves_in_parts_and_a_second_import_changes_nothing() throws IOException {
        fill();
        Path document = exported(here, "document.json");
        CommandRun preview = run(there, "configuration", "import", document.toString(), "--dry-run");
        assertThat(preview.errors()).isEmpty();
        assertThat(preview.out()).contains("nothing was changed").contains((AGENTS + 3) + " created");
        assertThat(Json.read(Files.readString(exported(there, "empty.json"))).has("agents"))
                .isFalse();

        CommandRun moved = run(there, "configuration", "import", document.toString());
        assertThat(moved.errors()).isEmpty();
        assertThat(moved.status()).isEqualTo(ExitStatus.NOT_FINE);
        assertThat(moved.out())
                .contains((AGENTS + 3) + " created, 0 updated, 1 unchanged, 0 skipped")
                .contains("set target.url of notifications on-call");
        assertThat(body(exported(there, "there.json"))).isEqualTo(body(document));

        JsonNode again = Json.read(run(there, "configuration", "import", document.toString(), "-o", "json")
                .out());
        assertThat(again.at("/counts/created").asInt()).isZero();
        assertThat(again.at("/counts/updated").asInt()).isZero();
        assertThat(again.at("/counts/unchanged").asInt()).isEqualTo(AGENTS + 4);

        assertThat(run(
                                here,
                                "configuration",
                                "import",
                                exported(there, "there.json").toString())
                        .out())
                .contains("0 created, 0 updated, " + (AGENTS + 4) + " unchanged, 0 skipped");
        assertThat(body(exported(here, "back.json"))).isEqualTo(body(document));
    }

    @Test
    void an_invalid_field_is_named_by_its_place_in_the_whole_document_and_changes_nothing() throws IOException {
        fill();
        ObjectNode document = body(exported(here, "document.json"));
        ((ObjectNode) document.path("agents").get(150)).put("kind", "animal");
        Path wrong = Files.writeString(folder.resolve("wrong.json"), document.toString());
        CommandRun refused = run(there, "configuration", "import", wrong.toString());
        assertThat(refused.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(refused.errors()).contains("agents[150].kind");
        assertThat(body(exported(there, "untouched.json")).has("keys")).isFalse();
    }

    @Test
    void a_file_that_is_no_document_is_refused() throws IOException {
        Path text = Files.writeString(folder.resolve("text.json"), "[1]");
        assertThat(run(here, "configuration", "import", text.toString()).errors())
                .contains("no JSON object");
        assertThat(run(
                                here,
                                "configuration",
                                "import",
                                folder.resolve("none.json").toString())
                        .errors())
                .contains("cannot be read");
        Path later = Files.writeString(
                folder.resolve("later.json"), "{\"format\":\"agent-health-configuration\",\"version\":2,\"teams\":[]}");
        assertThat(run(here, "configuration", "import", later.toString()).errors())
                .contains("another version of Agent Health", "'teams' is not a field", "'version' must be 1")
                .doesNotContain("--version");
    }

    @Test
    void two_objects_with_one_id_in_different_parts_are_refused() throws IOException {
        fill();
        ObjectNode document = body(exported(here, "document.json"));
        document.withArray("agents").add(document.path("agents").get(0));
        Path twice = Files.writeString(
                folder.resolve("twice.json"), document.put("version", 2).toString());
        String errors = run(there, "configuration", "import", twice.toString()).errors();
        assertThat(errors).contains("agents[" + AGENTS + "].agent_id").containsOnlyOnce("must be 1");
        document.put("version", 1);
        Files.writeString(twice, document.toString());
        CommandRun refused = run(there, "configuration", "import", twice.toString());
        assertThat(refused.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(refused.errors()).contains("agents[" + AGENTS + "].agent_id");
        assertThat(body(exported(there, "untouched.json")).has("keys")).isFalse();
    }

    @Test
    void a_secret_of_two_keys_in_different_parts_is_refused() throws IOException {
        fill();
        ObjectNode document = body(exported(here, "document.json"));
        JsonNode key = document.path("keys").get(0);
        for (int i = 0; i < 120; i++) {
            ObjectNode other = document.withArray("keys").addObject().put("role", "agent");
            other.put("key_id", "key_01ARZ3NDEKTSV4RRFFQ69GX" + String.format("%03d", i));
        }
        ((ObjectNode) document.path("keys").get(120)).set("secret_sha256", key.path("secret_sha256"));
        Path twice = Files.writeString(folder.resolve("secrets.json"), document.toString());
        CommandRun refused = run(there, "configuration", "import", twice.toString(), "--dry-run");
        assertThat(refused.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(refused.errors()).contains("keys[120].secret_sha256", "must stand only once in the document");
    }

    private void fill() {
        RegistryCaller administrator = new RegistryCaller(here.baseUrl(), ADMINISTRATOR);
        String owner = administrator
                .post("/v1/admin/keys", Json.object().put("role", "agent"))
                .json()
                .path("key_id")
                .asText();
        for (int i = 0; i < AGENTS; i++) {
            administrator.post(
                    "/api/v1/agents",
                    Json.object().put("agent_id", "agent-" + i).put("owner_key_id", owner));
        }
        ObjectNode silence = Json.object().put("for_seconds", 3_600);
        silence.putObject("scope").put("everything", true);
        administrator.put("/v1/admin/silences/move", silence);
        ObjectNode rule = Json.object();
        rule.putArray("events").add("agent.lifecycle");
        rule.putObject("target").put("type", "slack").put("url", "https://hooks.slack.com/services/x");
        administrator.put("/v1/admin/notifications/on-call", rule);
    }

    private Path exported(LocalSystem system, String name) throws IOException {
        CommandRun run = run(system, "configuration", "export");
        assertThat(run.errors()).isEmpty();
        return Files.writeString(folder.resolve(name), run.out());
    }

    private static ObjectNode body(Path document) throws IOException {
        return ((ObjectNode) Json.read(Files.readString(document))).without("exported_at");
    }

    private static CommandRun run(LocalSystem system, String... arguments) {
        return CommandRun.of(
                Map.of("AGENT_HEALTH_URL", system.baseUrl(), "AGENT_HEALTH_KEY", ADMINISTRATOR), arguments);
    }
}
