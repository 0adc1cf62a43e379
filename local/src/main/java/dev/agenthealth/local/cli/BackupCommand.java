package dev.agenthealth.local.cli;

import dev.agenthealth.local.data.Backup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a backup of the data folder. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Writes all data of a data folder to one file.",
            "A registry may use the folder meanwhile; the backup has its data as of one moment, and is checked before it is complete."
        })
final class BackupCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final Terminal terminal;

    @Option(
            names = "--data-dir",
            required = true,
            paramLabel = "FOLDER",
            description = "the data folder. AGENT_HEALTH_DATA_DIR")
    private Path dataDir;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "the backup; agent-health-<time>.zip in this folder without it")
    private Path file;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    BackupCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Instant now = Instant.now();
        Path archive = file == null ? Path.of("agent-health-" + TIME.format(now) + ".zip") : file;
        try (Progress progress = new Progress(json ? terminal.quiet() : terminal, "backup")) {
            String version = new CommandLineTool.Version().getVersion()[0];
            Backup.Summary summary = Backup.write(dataDir, archive, now, version, progress::show);
            progress.end();
            print(terminal, json, "wrote", archive, dataDir, summary);
        } catch (IOException e) {
            throw new CommandFailedException("No backup was written: " + reason(e), e);
        }
        return ExitStatus.OK;
    }

    /** Returns the message of a failure to read or write files; some exceptions have only the name of the file. */
    static String reason(IOException failure) {
        String message = failure.getMessage() == null ? "" : failure.getMessage();
        if (message.contains(" is in use by ")) {
            return message + "; stop it first";
        }
        return message.contains(" ")
                ? message
                : failure.getClass().getSimpleName().replace("Exception", "") + " " + message;
    }

    static void print(Terminal terminal, boolean json, String done, Path archive, Path folder, Backup.Summary summary) {
        if (json) {
            terminal.out()
                    .println(Text.json(Map.of(
                            "file", archive.toString(),
                            "data_dir", folder.toString(),
                            "files", summary.files(),
                            "bytes", summary.bytes(),
                            "created_at", summary.createdAt())));
        } else {
            terminal.out()
                    .printf(
                            "%s %s: %d files, %.1f MB, as of %s%n",
                            done, archive, summary.files(), summary.bytes() / 1e6, summary.createdAt());
        }
        terminal.checkOutput();
    }
}
