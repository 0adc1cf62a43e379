package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands of the first deployment, in the README and in docs/operations/deploying.md. */
@Tag("SYS-03")
class DeployCommandTest {

    private static final String DEPLOYING = "docs/operations/deploying.md";
    private static final String KEY = "AdminKeySha256";
    private static final Pattern COMMAND = Pattern.compile("(?m)^sam deploy (?:[^\\n]*\\\\\\n)*[^\\n]*$");
    private static final Pattern OVERRIDE = Pattern.compile("([A-Z]\\w+)=(\\$\\([^)]*\\)|[^\\s\"]+)");
    private static final Pattern ENVIRONMENT = Pattern.compile("(?s)\\[(\\w+)\\.deploy\\.parameters](.*?)(?=\\n\\[|$)");

    private final TemplateText text = new TemplateText();

    @Test
    void the_first_deployment_gives_what_the_file_gives_later_and_the_key() {
        assertThat(commands("README.md")).hasSize(1).allSatisfy(command -> assertThat(overrides(command))
                .isEqualTo(withKey(command, "default")));
        List<String> documented = commands(DEPLOYING);
        assertThat(documented).startsWith(commands("README.md").get(0)).hasSize(2);
        Map<String, String> production = overrides(documented.get(1));
        assertThat(documented.get(1)).startsWith("sam deploy --config-env prod ");
        assertThat(production.remove("AlarmEmail")).isNotNull();
        assertThat(production).isEqualTo(withKey(documented.get(1), "prod"));
    }

    @Test
    void the_commands_name_parameters_of_the_template_and_only_the_key_has_no_default() {
        for (String document : List.of("README.md", DEPLOYING)) {
            commands(document).forEach(command -> assertThat(text.parameters().keySet())
                    .as(document)
                    .containsAll(overrides(command).keySet()));
            assertThat(ProjectFiles.text(ProjectFiles.path(document)))
                    .as("with the questions of --guided, Enter ends with an error for an API without an authorizer")
                    .doesNotContain("--guided");
        }
        assertThat(text.parameters()).allSatisfy((name, parameter) -> assertThat(
                        TemplateText.map(parameter).containsKey("Default"))
                .as(name)
                .isNotEqualTo(name.equals(KEY)));
        assertThat(ProjectFiles.text(ProjectFiles.path("samconfig.toml"))).doesNotContain(KEY + "=");
    }

    @Test
    void the_command_computes_the_hash_that_the_functions_compare() throws IOException, InterruptedException {
        String hash = overrides(commands("README.md").get(0)).get(KEY);
        Process bash;
        try {
            bash = new ProcessBuilder(
                            "bash", "-c", "openssl version >/dev/null || exit 9; ADMIN='a key/+='; echo " + hash)
                    .start();
        } catch (IOException e) {
            assumeThat(false).as("bash is installed").isTrue();
            return;
        }
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assumeThat(bash.exitValue()).as("openssl is installed").isNotEqualTo(9);
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo(KeyHash.ofKey("a key/+=").hex())
                .matches(String.valueOf(TemplateText.at(text.parameters(), KEY, "AllowedPattern")));
    }

    private static Map<String, String> withKey(String command, String environment) {
        Matcher found = ENVIRONMENT.matcher(ProjectFiles.text(ProjectFiles.path("samconfig.toml")));
        while (found.find()) {
            if (found.group(1).equals(environment)) {
                String list = found.group(2)
                        .lines()
                        .filter(line -> line.startsWith("parameter_overrides"))
                        .findFirst()
                        .orElse("");
                Map<String, String> expected = overrides(list);
                expected.put(KEY, overrides(command).get(KEY));
                return expected;
            }
        }
        throw new AssertionError("samconfig.toml has no environment " + environment);
    }

    private static Map<String, String> overrides(String command) {
        Map<String, String> overrides = new TreeMap<>();
        Matcher matcher = OVERRIDE.matcher(command);
        while (matcher.find()) {
            overrides.put(matcher.group(1), matcher.group(2));
        }
        return overrides;
    }

    private static List<String> commands(String document) {
        List<String> commands = new ArrayList<>();
        Matcher matcher = COMMAND.matcher(ProjectFiles.text(ProjectFiles.path(document)));
        while (matcher.find()) {
            commands.add(matcher.group());
        }
        return commands;
    }
}
