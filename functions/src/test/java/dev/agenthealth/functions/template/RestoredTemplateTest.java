package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agenthealth.template.Template;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code docs/restored-template.sed} changes the template to the same system on existing tables given as parameters. */
@Tag("SYS-06")
class RestoredTemplateTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern RESOURCE = Pattern.compile("(?m)^  (\\w+):\\n    Type: (AWS::.*)$");

    @Test
    void only_the_tables_are_removed_and_no_reference_to_them_remains() throws IOException, InterruptedException {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/sed")) || Files.isExecutable(Path.of("/bin/sed")))
                .as("sed is installed")
                .isTrue();
        String template = Files.readString(ROOT.resolve("template.yaml"));
        String restored = restored("template.yaml");
        assertThat(resources(template))
                .contains("PulsesTable AWS::DynamoDB::Table", "RegistryTable AWS::DynamoDB::Table");
        assertThat(resources(restored))
                .isEqualTo(resources(template).stream()
                        .filter(resource -> !resource.endsWith("AWS::DynamoDB::Table"))
                        .toList());
        assertThat(restored)
                .contains("\n  RestoredPulses:\n", "\n  RestoredRegistry:\n", "\n  RestoredRegistryStream:\n")
                .contains("PULSES_TABLE: !Ref RestoredPulses", "Stream: !Ref RestoredRegistryStream");
        assertThat(restored)
                .contains("\n  RestoredSecretsKeyArn:\n", "\n  HasSecretsKey: ")
                .contains("\n  SecretsKey:\n    Type: AWS::KMS::Key\n    Condition: HasSecretsKey\n");
        assertThat(Pattern.compile("SecretsKey\\.Arn(?!, !Ref RestoredSecretsKeyArn\\])")
                        .matcher(restored)
                        .results()
                        .map(MatchResult::group))
                .as("uses of the key that ignore the parameter")
                .isEmpty();
        assertThat(Pattern.compile("(!Ref|!GetAtt|\\$\\{) *(PulsesTable|RegistryTable)\\b")
                        .matcher(restored)
                        .results()
                        .map(MatchResult::group))
                .isEmpty();
    }

    @Test
    void every_reference_is_to_something_that_the_restored_template_has_with_its_files()
            throws IOException, InterruptedException {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/sed")) || Files.isExecutable(Path.of("/bin/sed")))
                .as("sed is installed")
                .isTrue();
        Map<String, String> files = Map.of(
                "deploy/api.yaml", Files.readString(ROOT.resolve("deploy/api.yaml")),
                "deploy/version-check.yaml", Files.readString(ROOT.resolve("deploy/version-check.yaml")),
                "restored-alarms.yaml", restored("deploy/alarms.yaml"),
                "restored-dashboard.yaml", restored("deploy/dashboard.yaml"));
        Map<String, Object> document = Template.parse(restored("template.yaml"), "restored.yaml", files::get)
                .document();
        Set<String> has = new TreeSet<>(TemplateText.map(document, "Resources").keySet());
        has.addAll(TemplateText.map(document, "Parameters").keySet());
        Set<String> named = References.in(document).stream()
                .map(name -> name.replaceFirst("[.].*", ""))
                .filter(name -> !name.startsWith("AWS::"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).contains("RestoredPulses", "RestoredRegistry");
        named.removeAll(has);
        assertThat(named).isEmpty();
    }

    private static String restored(String file) throws IOException, InterruptedException {
        Process sed = new ProcessBuilder("sed", "-f", "docs/restored-template.sed", file)
                .directory(ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String text = new String(sed.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(sed.waitFor()).isZero();
        return text;
    }

    private static List<String> resources(String template) {
        return RESOURCE.matcher(template)
                .results()
                .map(found -> found.group(1) + " " + found.group(2))
                .toList();
    }
}
