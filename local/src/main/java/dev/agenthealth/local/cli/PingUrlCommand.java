package dev.agenthealth.local.cli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Issues and revokes the ping address of an agent. */
@Command(
        name = PingUrlCommand.NAME,
        mixinStandardHelpOptions = true,
        description = {
            "Issues the ping address of an agent, and revokes the one before: a request there, without a key, says that the agent is done.",
            "The address ends with the key that issues it. Only that of the agent's owner registers a dead agent again.",
            "Prints the address alone on standard output, and how jobs use it on standard error."
        })
final class PingUrlCommand implements Callable<Integer> {

    static final String NAME = "ping-url";

    private static final String CURL = "curl -fsS -m 10 --retry 3 -o /dev/null ";

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "AGENT", description = "the agent's id")
    private String agentId;

    @Option(names = "--revoke", description = "revoke all addresses of the agent, and issue none")
    private boolean revoke;

    @Option(names = "--json", description = "print JSON: the answer of POST /api/v1/agents/AGENT/ping-url")
    private boolean json;

    PingUrlCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return registry.call(terminal, "agent or administrator", client -> {
            if (revoke) {
                client.agents().revokePingUrl(agentId);
                terminal.errors().println("the ping address of " + Text.plain(agentId) + " is revoked");
            } else {
                print(client.agents().issuePingUrl(agentId));
            }
            terminal.checkOutput();
            return ExitStatus.OK;
        });
    }

    private void print(String url) {
        if (json) {
            terminal.out().println(Text.json(Map.of("ping_url", url)));
            return;
        }
        terminal.errors()
                .println("The ping address of " + Text.plain(agentId)
                        + "; it is shown this once, and is the only secret of a ping:");
        terminal.out().println(url);
        terminal.errors().println();
        usage(url).forEach(terminal.errors()::println);
    }

    /** Returns lines that run a command and report its start and exit code, for schedulers of jobs. */
    static List<String> usage(String url) {
        String start = CURL + url + "/start; ";
        return List.of(
                "crontab:",
                "  0 2 * * * " + start + "your-command; " + CURL + url + "/$?",
                "Kubernetes CronJob, whose image has a shell and curl:",
                "  command: [sh, -c, '" + start + "your-command; code=$?; " + CURL + url + "/$code; exit $code']",
                "GitHub Actions, as the last step:",
                "  - if: always()",
                "    run: " + CURL + url + "/${{ job.status != 'success' && 'fail' || '0' }}",
                "PowerShell:",
                "  your-command; Invoke-RestMethod \"" + url + "/$LASTEXITCODE\"");
    }
}
