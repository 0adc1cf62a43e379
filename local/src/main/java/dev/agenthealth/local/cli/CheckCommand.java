package dev.agenthealth.local.cli;

import dev.agenthealth.dynamodb.CheckReport;
import dev.agenthealth.local.data.FolderCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks that a data folder is undamaged. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Reads all data of a data folder and prints whether it is whole, or one line for each problem (exit status 1).",
            "A registry may use the folder meanwhile."
        })
final class CheckCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Option(
            names = "--data-dir",
            required = true,
            paramLabel = "FOLDER",
            description = "the data folder. AGENT_HEALTH_DATA_DIR")
    private Path dataDir;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        FolderCheck.Report report;
        try {
            report = FolderCheck.of(dataDir);
        } catch (IOException e) {
            throw new CommandFailedException("Nothing was checked: " + BackupCommand.reason(e), e);
        }
        if (json) {
            printJson(report);
        } else {
            print(report);
        }
        terminal.checkOutput();
        return report.problems().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private void print(FolderCheck.Report report) {
        report.problems().forEach(problem -> terminal.out().println(CommandLineTool.oneLine(problem)));
        CheckReport database = report.database();
        if (report.problems().isEmpty()) {
            terminal.out()
                    .printf(
                            Locale.ROOT,
                            "whole: %,d items, %,d index entries, %,d stream records, %,d queue messages%n",
                            database.items(),
                            database.indexEntries(),
                            database.streamRecords(),
                            report.messages());
        }
    }

    private void printJson(FolderCheck.Report report) {
        CheckReport database = report.database();
        terminal.out()
                .println(Text.json(Map.of(
                        "data_dir", dataDir.toString(),
                        "whole", report.problems().isEmpty(),
                        "problems", report.problems(),
                        "items", database.items(),
                        "index_entries", database.indexEntries(),
                        "stream_records", database.streamRecords(),
                        "queue_messages", report.messages())));
    }
}
