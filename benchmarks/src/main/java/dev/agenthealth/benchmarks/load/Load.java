package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.benchmarks.load.Measure.Settings;
import dev.agenthealth.benchmarks.load.RunningSystem.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

/** Measures one or several systems and prints a table. It takes each measure of all systems in turn. */
public final class Load {

    private static final String USAGE =
            """
            Measures registries over HTTP, in turn, and prints medians, the smallest and the largest value.

              benchmarks/run load --jar NAME=PATH [--stored NAME=PATH] [--peer NAME=COMMAND] [options]

              --jar NAME=PATH      the jar of the local run; may be given twice, to compare two revisions
              --stored NAME=PATH   the same with an empty data folder
              --peer NAME=COMMAND  starts OpenIntent's reference server on port $PORT of 127.0.0.1, with an empty database
              --eureka NAME=COMMAND  the same for a Eureka server
              --etcd NAME=COMMAND  the same for an etcd server
              --agents N           agents of the fleet (10000)
              --rounds N           values of each measure and system (3); differences are compared with noise from 6 on
              --shared-rounds N    the same for measures that all systems have (as --rounds)
              --seconds N          of each rate (4)
              --only REGEX         measures whose name contains it
              --json FILE          writes every value to a file
            """;

    /** The warm-up, long enough for a JVM's compiler on two cores to compile the code of all requests. A real registry runs for days. */
    private static final double WARM_UP_SECONDS = 30;

    private static final int CONNECTIONS = 8;

    private Load() {}

    public static void main(String[] arguments) throws IOException {
        List<Start> starts = new ArrayList<>();
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : usage();
            String[] named = value.split("=", 2);
            switch (arguments[i]) {
                case "--jar" -> starts.add(Start.jar(named[0], Path.of(named[1])));
                case "--stored" ->
                    starts.add(Start.jar(named[0], Path.of(named[1])).stored());
                case "--peer" -> starts.add(Start.other(named[0], Dialect.OPENINTENT, named[1]));
                case "--eureka" -> starts.add(Start.other(named[0], Dialect.EUREKA, named[1]));
                case "--etcd" -> starts.add(Start.other(named[0], Dialect.ETCD, named[1]));
                case "--agents", "--rounds", "--shared-rounds", "--seconds", "--only", "--json" ->
                    options.put(arguments[i], value);
                default -> usage();
            }
        }
        if (starts.isEmpty()) {
            usage();
        }
        Settings settings = new Settings(
                Integer.parseInt(options.getOrDefault("--agents", "10000")),
                Double.parseDouble(options.getOrDefault("--seconds", "4")));
        String rounds = options.getOrDefault("--rounds", "3");
        int own = Integer.parseInt(rounds);
        int shared = Integer.parseInt(options.getOrDefault("--shared-rounds", rounds));
        Pattern only = Pattern.compile(options.getOrDefault("--only", ""));
        List<Measure> measures = Measure.all().stream()
                .filter(measure -> only.matcher(measure.name()).find())
                .toList();
        Results results = run(starts, measures, measure -> measure.both() ? shared : own, settings);
        System.out.println(results.table());
        System.out.println(machine());
        if (options.containsKey("--json")) {
            new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValue(
                            Path.of(options.get("--json")).toFile(),
                            results.json().put("machine", machine()));
        }
    }

    private static String usage() {
        System.err.print(USAGE);
        System.exit(2);
        return "";
    }

    private static Results run(
            List<Start> starts, List<Measure> measures, ToIntFunction<Measure> rounds, Settings settings) {
        Results results = new Results(starts.stream().map(Start::name).toList());
        Map<RunningSystem, Fleet> systems = new LinkedHashMap<>();
        try {
            for (Start start : starts) {
                systems.keySet().forEach(RunningSystem::suspend);
                RunningSystem system = new RunningSystem(start);
                systems.put(system, registered(system, settings));
            }
            systems.keySet().forEach(RunningSystem::suspend);
            for (Measure measure : measures) {
                for (RunningSystem system : systems.keySet()) {
                    if (measure.isOf(system.dialect())) {
                        system.resume();
                        measure.warmUp().accept(system);
                        system.suspend();
                    }
                }
                for (int round = 0; round < rounds.applyAsInt(measure); round++) {
                    for (RunningSystem system : inTurn(systems, round)) {
                        if (measure.isOf(system.dialect())) {
                            system.resume();
                            results.add(
                                    measure, system.name(), measure.method().of(system, systems.get(system), settings));
                            system.suspend();
                        }
                    }
                }
                System.err.println(measure.name() + " measured");
            }
            return results;
        } finally {
            systems.keySet().forEach(RunningSystem::close);
        }
    }

    /** Returns the systems in order; every other round begins with another system. */
    private static List<RunningSystem> inTurn(Map<RunningSystem, Fleet> systems, int round) {
        List<RunningSystem> inTurn = new ArrayList<>(systems.keySet());
        Collections.rotate(inTurn, round);
        return inTurn;
    }

    private static Fleet registered(RunningSystem system, Settings settings) {
        Fleet fleet = new Fleet(system, "fleet");
        if (system.dialect().preparation(0).length > 0) {
            Senders.count(system.url(), CONNECTIONS, settings.agents(), fleet.preparations());
        }
        Rate rate = Senders.count(system.url(), CONNECTIONS, settings.agents(), fleet.registrations());
        System.err.println(system.name() + ": registered " + settings.agents() + " agents, "
                + Results.number(rate.perSecond()) + "/s");
        Senders.during(system.url(), CONNECTIONS, 0, WARM_UP_SECONDS, fleet.heartbeats());
        return fleet;
    }

    private static String machine() {
        String processor = "";
        try {
            processor = Files.lines(Path.of("/proc/cpuinfo"))
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip() + ", ")
                    .orElse("");
        } catch (IOException | RuntimeException notLinux) {
            // The rest of the row does not need it.
        }
        return Runtime.getRuntime().availableProcessors() + " processors, " + processor
                + System.getProperty("java.runtime.version") + ", "
                + Clock.systemUTC().instant();
    }
}
