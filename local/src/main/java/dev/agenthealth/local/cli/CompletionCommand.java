package dev.agenthealth.local.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a script for completion. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script by which a shell completes commands and options.",
        footer = {
            "",
            "  bash: source <(agent-health completion bash)",
            "  zsh:  source <(agent-health completion zsh)",
            "  fish: agent-health completion fish | source"
        })
final class CompletionCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final Supplier<CommandLine> program;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell;

    /** The shells, in lower case for input. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    /** @param program returns the program with all commands */
    CompletionCommand(Terminal terminal, Supplier<CommandLine> program) {
        this.terminal = terminal;
        this.program = program;
    }

    @Override
    public Integer call() {
        Completion completion = new Completion(CommandTree.of(program.get()), "agent-health");
        terminal.out()
                .print(
                        switch (shell) {
                            case bash -> completion.bash();
                            case zsh -> completion.zsh();
                            case fish -> completion.fish();
                        });
        terminal.checkOutput();
        return ExitStatus.OK;
    }
}
