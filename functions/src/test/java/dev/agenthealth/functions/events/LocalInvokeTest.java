package dev.agenthealth.functions.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ProjectFiles;
import dev.agenthealth.testkit.SampleEvents;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code events/README.md} says about {@code sam local invoke}, against the template. */
@Tag("SYS-03")
class LocalInvokeTest {

    private static final Pattern VARIABLE = Pattern.compile("\"([A-Z][A-Z0-9_]+)\": \"\\$\\((\\w+)([^)]*)\\)\"");
    private static final Pattern INVOCATION = Pattern.compile(
            "(?m)^sam local invoke (\\w+) --event (events/[\\w-]+\\.json) --env-vars environment\\.json$");

    private final String readme = ProjectFiles.text(ProjectFiles.path("events/README.md"));
    private final Template template = Template.find();

    @Test
    void the_environment_file_has_every_variable_that_only_a_deployment_knows() {
        Set<String> given = new TreeSet<>();
        Matcher matcher = VARIABLE.matcher(readme);
        while (matcher.find()) {
            given.add(matcher.group(1));
            if (matcher.group(2).equals("output")) {
                assertThat(outputs().containsKey(matcher.group(3).strip()))
                        .as(matcher.group(3))
                        .isTrue();
            }
        }
        assertThat(given).isEqualTo(deployed());
    }

    @Test
    void the_samples_carry_the_key_whose_hash_the_file_has() {
        assertThat(readme).contains("printf %s sample-administrator-key | openssl dgst -sha256");
        assertThat(new SampleEvents().text("registry-register.json")).contains("\"sample-administrator-key\"");
    }

    @Test
    void the_commands_invoke_functions_with_their_own_samples() {
        Matcher matcher = INVOCATION.matcher(readme);
        int commands = 0;
        while (matcher.find()) {
            String file = matcher.group(2);
            String function = matcher.group(1);
            assertThat(new SampleEvents().rows())
                    .anySatisfy(row -> assertThat("events/" + row.file() + " " + row.function())
                            .isEqualTo(file + " " + function));
            assertThat(Files.isRegularFile(ProjectFiles.path(file))).isTrue();
            commands++;
        }
        assertThat(commands)
                .isEqualTo(readme.split("(?m)^sam local invoke ", -1).length - 1)
                .isPositive();
    }

    @Test
    void the_copy_for_x86_differs_from_the_template_in_the_architecture_only() {
        String text = ProjectFiles.text(ProjectFiles.path("template.yaml"));
        assertThat(readme).contains("sed 's/\\[arm64\\]/[x86_64]/' template.yaml > template-x86.yaml");
        assertThat(text.lines().filter(line -> line.contains("[arm64]")))
                .as("the lines that the command changes")
                .allMatch(line -> line.strip().equals("Architectures: [arm64]"))
                .isNotEmpty();
        assertThat(Template.parse(text.replace("[arm64]", "[x86_64]"), "copy", ProjectFiles::text)
                        .document())
                .isNotEqualTo(template.document());
    }

    /** The variables whose values differ between two stacks of the same name in different accounts, and the administrator's hash. */
    private Set<String> deployed() {
        Map<String, String> first = environment("000000000000", "a");
        Map<String, String> second = environment("111111111111", "b");
        Set<String> differing = new TreeSet<>();
        first.forEach((variable, value) -> {
            if (!value.equals(second.get(variable))) {
                differing.add(variable);
            }
        });
        // Named by their logical ids where nothing is deployed; CloudFormation names them.
        differing.add("PULSES_TABLE");
        differing.add("REGISTRY_TABLE");
        differing.remove("STACK_NAME");
        return differing;
    }

    private Map<String, String> environment(String account, String stackName) {
        Resolution resolution = new Resolution(
                Map.of("AdminKeySha256", KeyHash.ofKey(stackName).hex()),
                Map.of("HttpApi.ApiEndpoint", "https://" + stackName),
                stackName,
                "us-east-1",
                account);
        Map<String, String> environment = new TreeMap<>();
        template.stack(resolution).functions().stream()
                .map(FunctionDefinition::environment)
                .forEach(environment::putAll);
        return environment;
    }

    private Map<?, ?> outputs() {
        return (Map<?, ?>) template.document().get("Outputs");
    }
}
