package dev.agenthealth.local.cli;

import dev.agenthealth.local.data.Backup;
import dev.agenthealth.local.data.Restore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Restores a backup to a data folder. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Restores a backup to an empty data folder, or with --force to any.",
            "The backup is unpacked and checked first; one that is damaged, or of another format, changes nothing."
        })
final class RestoreCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Option(
            names = "--data-dir",
            required = true,
            paramLabel = "FOLDER",
            description = "the data folder. AGENT_HEALTH_DATA_DIR")
    private Path dataDir;

    @Parameters(arity = "1", paramLabel = "FILE", description = "the backup")
    private Path file;

    @Option(names = "--force", description = "replace the data that the folder has")
    private boolean force;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    RestoreCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (Progress progress = new Progress(json ? terminal.quiet() : terminal, "restore")) {
            Backup.Summary summary = Restore.restore(file, dataDir, force, progress::show);
            progress.end();
            BackupCommand.print(terminal, json, "restored", file, dataDir, summary);
        } catch (IOException e) {
            throw new CommandFailedException("Nothing was restored: " + BackupCommand.reason(e), e);
        }
        return ExitStatus.OK;
    }
}
