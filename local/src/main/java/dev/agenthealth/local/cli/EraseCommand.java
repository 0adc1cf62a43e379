package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Erases an agent that is gone. */
@Command(
        name = "erase",
        mixinStandardHelpOptions = true,
        description = "Erases all data of an agent that is gone. This cannot be undone. Needs an administrator's key.")
final class EraseCommand implements Callable<Integer> {

    /** An erasure continues on the registry; a person can run the command again. */
    private static final int MAX_REQUESTS = 120;

    private static final long MAX_PAUSE_SECONDS = 10;

    private final Terminal terminal;
    private final Pause pause;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "AGENT", description = "the agent's id")
    private String agentId;

    @Option(names = "--yes", description = "do not ask; required if no person is at the terminal")
    private boolean yes;

    EraseCommand(Terminal terminal) {
        this(terminal, Pause.ofThread());
    }

    EraseCommand(Terminal terminal, Pause pause) {
        this.terminal = terminal;
        this.pause = pause;
    }

    @Override
    public Integer call() throws IOException {
        if (!yes && !isConfirmed()) {
            throw new CommandFailedException("nothing was erased");
        }
        registry.call(terminal, "administrator", this::erase);
        terminal.out().println(Text.plain(agentId) + " is erased");
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    private boolean isConfirmed() throws IOException {
        if (!terminal.interactive()) {
            throw new ParameterException(spec.commandLine(), "--yes is needed, since no person can be asked");
        }
        terminal.errors().print("Erase all data of " + Text.plain(agentId) + "? Type its id: ");
        terminal.errors().flush();
        String typed = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        return agentId.equals(typed);
    }

    private JsonNode erase(AgentHealthClient client) {
        for (int request = 0; request < MAX_REQUESTS; request++) {
            JsonNode progress = client.call("DELETE", "/v1/admin/agents/" + Segment.of(agentId), Map.of());
            if (!progress.has("done") || progress.path("done").asBoolean()) {
                return progress;
            }
            if (request == 0) {
                terminal.errors()
                        .println("The registry erases " + Text.plain(agentId) + ", which takes about two minutes.");
            }
            long seconds = Math.max(1, progress.path("retry_after_seconds").asLong());
            try {
                pause.sleep(Duration.ofSeconds(Math.min(MAX_PAUSE_SECONDS, seconds)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new CommandFailedException(
                "The registry still erases " + Text.plain(agentId) + ". Run the command again.");
    }
}
