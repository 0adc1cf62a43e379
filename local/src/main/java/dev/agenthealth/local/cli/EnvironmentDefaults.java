package dev.agenthealth.local.cli;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Reads a missing option from its environment variable: {@code --data-dir} from {@code AGENT_HEALTH_DATA_DIR}. */
final class EnvironmentDefaults implements IDefaultValueProvider {

    private static final String PREFIX = "AGENT_HEALTH_";

    private static final Set<String> WITH_VARIABLE = Set.of(
            "--url",
            "--port",
            "--host",
            "--public-url",
            "--data-dir",
            "--sweep-seconds",
            "--sync-heartbeats",
            "--heartbeat-url-port",
            "--event-retention-days",
            "--audit-retention-days",
            "--stack",
            "--functions",
            "--allow-loopback-endpoints",
            "--smtp-host",
            "--smtp-port",
            "--smtp-security",
            "--smtp-user",
            "--smtp-from");

    private final Terminal terminal;

    EnvironmentDefaults(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public String defaultValue(ArgSpec argument) {
        String variable = variable(argument);
        String value = variable.isEmpty() ? "" : terminal.variable(variable);
        return value.isEmpty() ? null : value;
    }

    /** Returns the variables of all options. */
    static List<String> variables() {
        return WITH_VARIABLE.stream().map(EnvironmentDefaults::variable).toList();
    }

    private static String variable(String option) {
        return PREFIX + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Returns the variable of an option; empty if the option has no variable. */
    static String variable(ArgSpec argument) {
        return argument instanceof OptionSpec option && WITH_VARIABLE.contains(option.longestName())
                ? variable(option.longestName())
                : "";
    }
}
