package dev.agenthealth.local.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data folder that an older version wrote opens, and agents go on with it. Each archive in {@code data-folders} has the folder of one
 * version: it is never written again, and a version that changes the format adds one.
 */
class OlderDataFolderTest {

    private static final String ADMINISTRATOR = "administrator-key-of-the-old-folder";
    private static final String AGENT = "ahk_5RtYwEA-lkBcFIoObZu-0Ljz0gJQoGBfmhkE2UBEWk4";
    private static final String VIEWER = "ahk_fR4BVbZBLP6NFKVpwNVxtRpOILutwS_O6-tFlRECWro";

    /** Five seconds after the folder was closed. */
    private final MutableClock clock = new MutableClock(Instant.parse("2026-11-22T13:08:15Z"));

    @TempDir
    private Path folder;

    @Test
    void agents_keys_leases_events_and_health_are_there_and_go_on() throws IOException {
        unpack("2026-11-22.zip");
        LocalOptions options = LocalOptions.of(Template.find(), "another-administrator-key")
                .preferKeptKey()
                .clock(clock, clock::advance)
                .byHand()
                .dataFolder(folder)
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options)) {
            system.runSchedules();
            system.drainStreams();
            everythingIsThere(system);
            agentsGoOn(system);
        }
        assertThat(folder.resolve("format")).hasContent("1");
        try (LocalSystem system = LocalSystem.start(options)) {
            assertThat(statusOf(system, "dead-1")).isEqualTo("active");
        }
    }

    private void everythingIsThere(LocalSystem system) {
        for (String status : new String[] {"active", "unhealthy", "dead", "draining", "deregistered"}) {
            assertThat(statusOf(system, status + "-1")).isEqualTo(status);
        }
        assertThat(statusOf(system, "archived-1")).isEqualTo("deregistered");
        RegistryCaller viewer = new RegistryCaller(system.baseUrl(), VIEWER);
        assertThat(viewer.get("/api/v1/health")
                        .json()
                        .path("by_lifecycle_status")
                        .path("active")
                        .asInt())
                .isEqualTo(1);
        JsonNode leases = viewer.get("/api/v1/intents/intent-1/leases").json().path("leases");
        assertThat(leases.findValuesAsText("scope")).containsExactly("section-3");
        assertThat(viewer.get("/api/v1/agents/dead-1/events")
                        .json()
                        .path("events")
                        .findValuesAsText("reason"))
                .contains("registered", "heartbeat_timeout");
        JsonNode health = viewer.get("/api/v1/agents/active-1/health").json();
        assertThat(health.path("executions").asInt()).isEqualTo(20);
        assertThat(health.path("verdict").asText()).isEqualTo("blocked");
        RegistryCaller administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        assertThat(administrator.get("/v1/admin/keys").json().path("keys").findValuesAsText("name"))
                .containsExactlyInAnyOrder("agents", "viewer");
        assertThat(administrator.get("/v1/admin/hosts").json().findValuesAsText("agent_id"))
                .containsExactly("active-1");
    }

    private static void agentsGoOn(LocalSystem system) {
        RegistryCaller owner = new RegistryCaller(system.baseUrl(), AGENT);
        assertThat(owner.post("/api/v1/agents/active-1/heartbeat").status()).isEqualTo(200);
        assertThat(owner.post("/api/v1/agents/unhealthy-1/heartbeat").status()).isEqualTo(200);
        assertThat(statusOf(system, "unhealthy-1")).isEqualTo("active");
        assertThat(owner.post("/api/v1/agents/dead-1/heartbeat").status()).isEqualTo(410);
        assertThat(owner.post("/api/v1/agents/archived-1/heartbeat").status()).isEqualTo(410);
        assertThat(owner.post("/api/v1/agents", Json.object().put("agent_id", "dead-1"))
                        .status())
                .isEqualTo(201);
        assertThat(owner.post("/api/v1/agents", Json.object().put("agent_id", "archived-1"))
                        .status())
                .isEqualTo(201);
        RegistryCaller viewer = new RegistryCaller(system.baseUrl(), VIEWER);
        JsonNode lease = viewer.get("/api/v1/intents/intent-1/leases")
                .json()
                .path("leases")
                .path(0);
        String path = "/api/v1/intents/intent-1/leases/"
                + lease.path("id").asText(lease.path("lease_id").asText());
        assertThat(owner.delete(path).status()).as(lease.toString()).isEqualTo(204);
    }

    private static String statusOf(LocalSystem system, String agentId) {
        return new RegistryCaller(system.baseUrl(), VIEWER)
                .get("/api/v1/agents/" + agentId)
                .json()
                .path("status")
                .asText();
    }

    private void unpack(String name) throws IOException {
        try (InputStream in = OlderDataFolderTest.class.getResourceAsStream("/data-folders/" + name);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
    }
}
