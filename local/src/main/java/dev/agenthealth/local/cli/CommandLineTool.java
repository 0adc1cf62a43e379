package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The command line: runs the command that the arguments name. */
final class CommandLineTool {

    private static final int HELP_WIDTH = 120;
    private static final String JAR = "agent-health-local.jar";

    /** The command that started this program, if it was not started by the jar. */
    private static final String NAME_PROPERTY = "agent-health.command";

    private static final List<String> COMMANDS = List.of(
            ServeCommand.NAME,
            DemoCommand.NAME,
            LoginCommand.NAME,
            LogoutCommand.NAME,
            "status",
            "agents",
            "agent",
            AvailabilityCommand.NAME,
            UsageCommand.NAME,
            VersionsCommand.NAME,
            "problems",
            "events",
            "calls",
            "leases",
            "drain",
            "restart",
            "block",
            "unblock",
            "blocks",
            "erase",
            StopCommand.NAME,
            ContainmentCommand.NAME,
            WatchCommand.NAME,
            PingUrlCommand.NAME,
            ImportCommand.NAME,
            "sources",
            "silences",
            StatusPageCommand.NAME,
            "notifications",
            "workflows",
            "configuration",
            "audit",
            "keys",
            IdentityProvidersCommand.NAME,
            "fleet",
            "backup",
            "restore",
            "check",
            "completion");

    /** The commands of the program of the Python and npm packages. */
    private static final Set<String> OF_CLIENTS = Set.of("run", "sidecar");

    private static final Set<String> OWN_OPTIONS = Set.of("-h", "--help", "-V", "--version");

    private final Terminal terminal;

    CommandLineTool(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs a command and returns its exit status; see {@link ExitStatus}. */
    int run(String... arguments) {
        new MistypedVariables().warnings(terminal.environment().keySet()).forEach(terminal.errors()::println);
        String[] named = isServe(arguments) ? withServe(arguments) : arguments;
        if (OF_CLIENTS.contains(named[0])) {
            terminal.errors()
                    .println(
                            "'" + named[0] + "' is a command of another program: run 'agent-health-agent " + named[0]
                                    + "', which 'pip install ./clients/python' or the npm package @agent-health/client installs; see docs/guides/run.md");
            return ExitStatus.USAGE;
        }
        // Reading the options of all commands takes longer than running most of them.
        return line(COMMANDS.contains(named[0]) ? List.of(named[0]) : COMMANDS).execute(named);
    }

    /** Returns true if the arguments name no command, and have no options of the tool itself. */
    private static boolean isServe(String... arguments) {
        return arguments.length == 0 || arguments[0].startsWith("-") && !OWN_OPTIONS.contains(arguments[0]);
    }

    private static String[] withServe(String... arguments) {
        return Stream.concat(Stream.of(ServeCommand.NAME), Stream.of(arguments)).toArray(String[]::new);
    }

    /** Returns all commands with their options. */
    CommandLine line() {
        return line(COMMANDS);
    }

    private Object command(String name) {
        return switch (name) {
            case ServeCommand.NAME -> new ServeCommand(terminal);
            case DemoCommand.NAME -> new DemoCommand(terminal);
            case LoginCommand.NAME -> new LoginCommand(terminal);
            case LogoutCommand.NAME -> new LogoutCommand(terminal);
            case "status" -> new StatusCommand(terminal);
            case "agents" -> new AgentsCommand(terminal);
            case "agent" -> new AgentCommand(terminal);
            case AvailabilityCommand.NAME -> new AvailabilityCommand(terminal);
            case UsageCommand.NAME -> new UsageCommand(terminal);
            case VersionsCommand.NAME -> new VersionsCommand(terminal);
            case "problems" -> new ProblemsCommand(terminal);
            case "events" -> new EventsCommand(terminal);
            case "calls" -> new CallsCommand(terminal);
            case "leases" -> new LeasesCommand(terminal);
            case "block" -> new BlockCommand.Block(terminal);
            case "unblock" -> new BlockCommand.Unblock(terminal);
            case "blocks" -> new BlockCommand.Blocks(terminal);
            case "erase" -> new EraseCommand(terminal);
            case "notifications" -> new NotificationsCommand(terminal);
            case "workflows" -> new WorkflowsCommand(terminal);
            case "configuration" -> new ConfigurationCommand(terminal);
            case "drain" -> new AgentRequest.Drain(terminal);
            case "restart" -> new AgentRequest.Restart(terminal);
            case StopCommand.NAME -> new StopCommand(terminal);
            case ContainmentCommand.NAME -> new ContainmentCommand(terminal);
            case WatchCommand.NAME -> new WatchCommand(terminal);
            case PingUrlCommand.NAME -> new PingUrlCommand(terminal);
            case ImportCommand.NAME -> new ImportCommand(terminal);
            case "sources" -> new SourcesCommand(terminal);
            case "silences" -> new SilencesCommand(terminal);
            case StatusPageCommand.NAME -> new StatusPageCommand(terminal);
            case "audit" -> new AuditCommand(terminal);
            case "keys" -> new KeysCommand(terminal);
            case IdentityProvidersCommand.NAME -> new IdentityProvidersCommand(terminal);
            case "fleet" -> new FleetCommand(terminal);
            case "backup" -> new BackupCommand(terminal);
            case "restore" -> new RestoreCommand(terminal);
            case "check" -> new CheckCommand(terminal);
            case "completion" -> new CompletionCommand(terminal, this::line);
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    private CommandLine line(List<String> commands) {
        CommandLine line = new CommandLine(new Root());
        commands.forEach(name -> line.addSubcommand(command(name)));
        line.addSubcommand(new CommandLine.HelpCommand());
        line.setCommandName(System.getProperty(NAME_PROPERTY, "java -jar " + JAR))
                .setOut(new PrintWriter(terminal.out(), true))
                .setErr(new PrintWriter(terminal.errors(), true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(HELP_WIDTH)
                .setUsageHelpLongOptionsMaxWidth(32)
                .setDefaultValueProvider(new EnvironmentDefaults(terminal))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedSubcommandsAllowed(false)
                .setParameterExceptionHandler(this::wrongArguments)
                .setExecutionExceptionHandler((failure, command, result) -> failed(failure, command));
        return line;
    }

    private int wrongArguments(ParameterException failure, String[] arguments) {
        ArgSpec argument = failure.getArgSpec();
        String message = failure.getMessage()
                .replaceFirst(" \\(case-insensitive\\)", "")
                .replaceFirst(" is not an int$", " is not a whole number")
                .replaceFirst(" is not a boolean$", " is neither true nor false");
        if (argument instanceof OptionSpec option && comesFromVariable(option, arguments)) {
            message += "; the value is that of " + EnvironmentDefaults.variable(option);
        }
        terminal.errors().println(message);
        CommandLine.UnmatchedArgumentException.printSuggestions(
                failure, failure.getCommandLine().getErr());
        terminal.errors()
                .println(
                        "'" + failure.getCommandLine().getCommandSpec().qualifiedName() + " --help' lists the options");
        return ExitStatus.USAGE;
    }

    private boolean comesFromVariable(OptionSpec option, String[] arguments) {
        String variable = EnvironmentDefaults.variable(option);
        return !variable.isEmpty()
                && !terminal.variable(variable).isEmpty()
                && Arrays.stream(arguments).noneMatch(argument -> argument.startsWith(option.longestName()));
    }

    private int failed(Exception failure, CommandLine command) {
        if (failure instanceof Terminal.OutputClosedException) {
            return ExitStatus.OUTPUT_CLOSED;
        }
        if (failure instanceof ParameterException usage) {
            return wrongArguments(usage, command.getParseResult().originalArgs().toArray(new String[0]));
        }
        if (failure instanceof CommandFailedException || failure instanceof AgentHealthException) {
            terminal.errors().println(oneLine(failure.getMessage()));
            return ExitStatus.FAILED;
        }
        terminal.errors().println("unexpected failure: " + oneLine(failure.toString()));
        return ExitStatus.FAILED;
    }

    static String oneLine(String text) {
        return Text.plain(text.strip().replaceAll("\\s+", " "));
    }

    /** The tool itself; a command is always named. */
    @Command(
            name = "java -jar " + JAR,
            description = {
                "A registry that knows whether your agents are alive, work as declared, and may be called.",
                "",
                "Without a command, with options or none, it does the same as @|bold serve|@. @|bold help|@ COMMAND lists the options of a command."
            },
            synopsisSubcommandLabel = "[COMMAND]",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:everything is fine",
                "1:the command could not do its work, or check found a problem",
                "2:the arguments or a variable are wrong",
                "3:the command worked, and found what is not fine (status --fail-on, import, fleet)"
            },
            footerHeading = "%nEnvironment:%n",
            footer = {
                "  AGENT_HEALTH_URL        address of the registry, for clients (http://localhost:8080)",
                "  AGENT_HEALTH_KEY        API key, for clients",
                "  AGENT_HEALTH_TOKEN_FILE file with a token of an identity provider, for clients without AGENT_HEALTH_KEY",
                "  AGENT_HEALTH_ADMIN_KEY  the administrator's key, 16 to 256 characters, for serve (generated and printed);",
                "                          clients use it where neither of the two above is set; a sign-in by 'login' where none of the three is",
                "  AGENT_HEALTH_...        each option of 'serve --help' has a variable",
                "  NO_COLOR                no colours; there are none outside of a terminal either"
            })
    static final class Root {}

    /** The version in the manifest of the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Version.class.getPackage().getImplementationVersion();
            return new String[] {"Agent Health " + (version == null ? "(not packaged)" : version)};
        }
    }
}
