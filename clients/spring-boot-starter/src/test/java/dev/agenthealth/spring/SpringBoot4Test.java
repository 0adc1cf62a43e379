package dev.agenthealth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.client.AgentHealthClient;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The starter in an application of Spring Boot 4, which the build puts into {@code target/spring-boot-4}. */
@Timeout(180)
@Tag("slow")
class SpringBoot4Test {

    @Test
    void the_agent_registers_drains_and_has_a_health_contributor() throws Exception {
        try (RegistryServer registry = new RegistryServer()) {
            String printed = run(registry);
            assertThat(printed).contains("Spring Boot 4.").contains(": UP {agent=");
            assertThat(registry.registrations())
                    .extracting(json -> json.path("agent_id").asText())
                    .containsExactly("billing");
            assertThat(registry.drained()).contains("billing");
        }
    }

    @Test
    void the_contributor_can_be_removed() throws Exception {
        try (RegistryServer registry = new RegistryServer()) {
            assertThat(run(registry, "--management.health.agentHealth.enabled=false"))
                    .contains(": no contributor");
        }
    }

    private static String run(RegistryServer registry, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                ApplicationOfBoot4.class.getName(),
                "--spring.main.banner-mode=off",
                "--agent-health.url=" + registry.url(),
                "--agent-health.key=key",
                "--agent-health.agent-id=billing"));
        command.addAll(List.of(more));
        Process application =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(application.waitFor()).as(printed).isZero();
        return printed;
    }

    /** Spring Boot 4, this module, the client and Jackson; nothing of Spring Boot 3. */
    private static String classPath() throws IOException {
        Path boot = Path.of("target", "spring-boot-4");
        Stream<Class<?>> others = Stream.of(
                ApplicationOfBoot4.class,
                ApplicationAgents.class,
                AgentHealthClient.class,
                ObjectMapper.class,
                com.fasterxml.jackson.core.JsonFactory.class,
                com.fasterxml.jackson.annotation.JsonProperty.class);
        try (Stream<Path> jars = Files.list(boot)) {
            return Stream.concat(jars.map(Path::toString), others.map(SpringBoot4Test::place))
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
