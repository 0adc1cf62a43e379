package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The commands in documents, units and the Dockerfile are ones that there are, and so are the variables. */
@Tag("slow")
class DocumentedCommandLineTest {

    /** The jar or the program of the archive, and what follows in the same command. */
    private static final Pattern COMMAND = Pattern.compile(
            "(?:-jar \\S*agent-health-local\\.jar|(?:^|\\s|/bin/)agent-health(?= (?:serve|demo|login|logout|status-page|status|agents|agent|problems|events|calls|leases|drain|restart|stop|block|unblock|blocks|erase|notifications|workflows|configuration|watch|ping-url|import|sources|silences|audit|identity-providers|keys|fleet|backup|restore|check|completion)\\b))((?: +[^\\s|&;>)`'.,][^\\s|&;>)`']*)*)");

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final Pattern VARIABLE = Pattern.compile("AGENT_HEALTH_[A-Z_]+[A-Z]");

    private static final Path ROOT = root();

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("template.yaml")) ? here : here.getParent();
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(
                List.of(ROOT.resolve("README.md"), ROOT.resolve("Dockerfile"), ROOT.resolve("compose.yaml")));
        for (String folder : new String[] {"docs", "deploy", "examples"}) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().matches(".*\\.(md|service)")
                                && !file.toString().contains("/target/"))
                        .forEach(documents::add);
            }
        }
        return documents;
    }

    @Test
    void every_documented_command_is_understood() throws IOException {
        int commands = 0;
        for (Path document : documents()) {
            for (String line : Files.readAllLines(document)) {
                Matcher command = COMMAND.matcher(line.replaceAll("\\$\\(.*?\\)", "x"));
                while (command.find()) {
                    String[] arguments = words(command.group(1));
                    if (arguments.length > 0) {
                        commands++;
                        assertThatCode(() -> parse(arguments))
                                .as(document + ": " + line)
                                .doesNotThrowAnyException();
                    }
                }
            }
        }
        assertThat(commands).isGreaterThan(10);
    }

    private static void parse(String... arguments) {
        Terminal terminal = new Terminal(Map.of("AGENT_HEALTH_DATA_DIR", "data"), System.out, System.err, false);
        new CommandLineTool(terminal).line().parseArgs(arguments);
    }

    private static String[] words(String arguments) {
        return WORD.matcher(arguments)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toArray(String[]::new);
    }

    @Test
    void every_variable_of_units_and_images_is_one_of_the_command_line() throws IOException {
        String help = CommandRun.of(Map.of(), "--help").out()
                + CommandRun.of(Map.of(), "serve", "--help").out();
        for (String file : new String[] {
            "Dockerfile", "compose.yaml", "deploy/agent-health.service", "deploy/agent-health-backup.service"
        }) {
            VARIABLE.matcher(Files.readString(ROOT.resolve(file)))
                    .results()
                    .forEach(variable -> assertThat(help).as(file).contains(variable.group()));
        }
    }

    /** A row is {@code | `VARIABLE`, … | default | meaning |}; several variables have several defaults. */
    @Test
    void the_reference_names_variables_of_options_with_their_defaults() throws IOException {
        Map<String, ArgSpec> options = new HashMap<>();
        Terminal terminal = new Terminal(Map.of(), System.out, System.err, false);
        new CommandLineTool(terminal)
                .line().getSubcommands().get("serve").getCommandSpec().options().stream()
                        .filter(option -> !EnvironmentDefaults.variable(option).isEmpty())
                        .forEach(option -> options.put(EnvironmentDefaults.variable(option), option));
        String commonVariables =
                Files.readString(ROOT.resolve("docs/reference/variables.md")).split("\n## ")[0];
        int rows = 0;
        for (String line :
                commonVariables.lines().filter(row -> row.startsWith("| `")).toList()) {
            List<String> variables = VARIABLE.matcher(line.split(" \\| ")[0])
                    .results()
                    .map(MatchResult::group)
                    .toList();
            List<String> defaults = List.of(line.split(" \\| ")[1].split(", "));
            for (int i = 0; i < variables.size(); i++) {
                rows++;
                if (!variables.get(i).equals("AGENT_HEALTH_ADMIN_KEY")) {
                    assertThat(options).containsKey(variables.get(i));
                    String standard = defaults.get(i);
                    assertThat(String.join(" ", options.get(variables.get(i)).description()))
                            .as(line)
                            .contains(standard.equals("false") ? "=true" : "(" + standard + ")");
                }
            }
        }
        assertThat(rows).isGreaterThan(10);
    }

    @Test
    void the_variable_at_the_end_of_a_description_sets_the_option() {
        Terminal terminal = new Terminal(Map.of(), System.out, System.err, false);
        for (CommandLine command :
                new CommandLineTool(terminal).line().getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                String text = String.join(" ", option.description());
                VARIABLE.matcher(text)
                        .results()
                        .map(MatchResult::group)
                        .filter(variable -> text.matches("(?s).*\\. " + variable + "(=true)?"))
                        .forEach(variable -> assertThat(EnvironmentDefaults.variable(option))
                                .as(option.longestName())
                                .isEqualTo(variable));
            }
        }
    }
}
