package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineToolTest {

    private static CommandRun run(String... arguments) {
        return CommandRun.of(Map.of(), arguments);
    }

    @Test
    void help_lists_commands_variables_and_exit_statuses() {
        CommandRun help = run("--help");
        assertThat(help.status()).isZero();
        assertThat(help.out())
                .contains("serve", "demo", "login", "logout", "status", "agents", "keys", "fleet", "backup", "restore")
                .contains("AGENT_HEALTH_URL", "AGENT_HEALTH_KEY", "AGENT_HEALTH_TOKEN_FILE", "NO_COLOR", "Exit status");
        assertThat(help.errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "serve",
                "demo",
                "login",
                "logout",
                "status",
                "agents",
                "keys",
                "keys create",
                "keys limit",
                "keys rotate",
                "fleet",
                "backup",
                "restore",
                "check"
            })
    void every_command_has_help(String command) {
        CommandRun help = run((command + " --help").split(" "));
        assertThat(help.status()).isZero();
        assertThat(help.out()).startsWith("Usage: java -jar agent-health-local.jar " + command);
    }

    @Test
    void the_command_help_works_for_the_tool_and_for_each_command() {
        assertThat(run("help")).isEqualTo(run("--help"));
        assertThat(run("help", "agents")).isEqualTo(run("agents", "--help"));
        assertThat(run("help", "agnts").status()).isEqualTo(2);
    }

    @Test
    void options_without_a_command_are_those_of_serve() {
        CommandRun run = run("--port", "70000");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).contains("from 0 to 65535", "serve --help");
        assertThat(run("--prt", "8080").errors()).contains("'--prt'", "serve --help");
    }

    @Test
    void the_version_is_one_line() {
        CommandRun version = run("--version");
        assertThat(version.status()).isZero();
        assertThat(version.out()).matches("Agent Health .+\\R");
    }

    @ParameterizedTest
    @CsvSource({"--port", "start", "-x", "''"})
    void an_unknown_argument_is_an_error_and_starts_no_server(String argument) {
        CommandRun run = run(argument);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).contains("--help' lists the options");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void a_misspelt_command_is_answered_with_the_one_that_is_meant() {
        assertThat(run("agnts").errors()).contains("Did you mean", "agents");
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_HEALTH_PORT, http, is not a whole number",
        "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS, yes, is neither true nor false"
    })
    void a_wrong_value_of_a_variable_names_the_variable(String variable, String value, String mistake) {
        CommandRun run = CommandRun.of(Map.of(variable, value));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).contains("'" + value + "' " + mistake, variable);
    }

    @Test
    void an_option_wins_over_its_variable() {
        CommandRun run = CommandRun.of(Map.of("AGENT_HEALTH_PORT", "http"), "serve", "--port", "70000");
        assertThat(run.errors()).contains("from 0 to 65535").doesNotContain("http");
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_HEALTH_DATADIR, AGENT_HEALTH_DATA_DIR",
        "AGENT_HEALTH_KEYS, AGENT_HEALTH_KEY",
        "AGENT_HEALTH_AMDIN_KEY, AGENT_HEALTH_ADMIN_KEY"
    })
    void a_mistyped_variable_is_a_warning_with_the_nearest_name(String mistyped, String meant) {
        CommandRun run = CommandRun.of(Map.of(mistyped, "x"), "--version");
        assertThat(run.status()).isZero();
        assertThat(run.errors()).startsWith("Warning: " + mistyped + " ").contains("Is " + meant + " meant?");
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_HEALTH_URL",
        "AGENT_HEALTH_SMTP_PASSWORD",
        "AGENT_HEALTH_SERVICE_PORT",
        "AGENT_HEALTH_OWN_SETTING"
    })
    void other_variables_are_no_warning(String variable) {
        assertThat(CommandRun.of(Map.of(variable, "1"), "--version").errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"run", "sidecar"})
    void a_command_of_the_clients_program_is_answered_with_the_place_of_that_program(String command) {
        CommandRun run = run(command, "--", "true");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).contains("agent-health-agent " + command, "pip install", "docs/guides/run.md");
    }

    /** The clients' programs name the command that belongs to this program. */
    @Test
    void the_clients_programs_know_every_command() throws IOException {
        for (String file : new String[] {"clients/python/agent_health/command.py", "clients/typescript/src/run.ts"}) {
            Path root = Path.of("").toAbsolutePath();
            root = Files.exists(root.resolve("template.yaml")) ? root : root.getParent();
            String program = Files.readString(root.resolve(file));
            new CommandLineTool(new Terminal(Map.of(), System.out, System.err, false))
                    .line().getSubcommands().keySet().stream()
                            .filter(command -> !command.equals("help"))
                            .forEach(command ->
                                    assertThat(program).as(file).containsPattern("[ \"]" + command + "[ \"]"));
        }
    }

    @Test
    void keys_without_a_command_says_which_there_are() {
        CommandRun run = run("keys");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).contains("create, limit, list, rotate or revoke");
    }
}
