package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(run.errors()).contains("--help' lists what there is");
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

    @Test
    void keys_without_a_command_says_which_there_are() {
        CommandRun run = run("keys");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).contains("create, list, rotate or revoke");
    }
}
