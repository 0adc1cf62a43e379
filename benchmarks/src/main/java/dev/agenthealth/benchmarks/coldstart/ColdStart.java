package dev.agenthealth.benchmarks.coldstart;

import dev.agenthealth.benchmarks.RowTemplate;
import dev.agenthealth.benchmarks.TemplateEnvironment;
import dev.agenthealth.benchmarks.heartbeat.HeartbeatPath;
import dev.agenthealth.benchmarks.load.Comparison;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.testkit.runtime.FunctionProcess;
import dev.agenthealth.testkit.runtime.RuntimeInterfaceClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Starts the heartbeat function in separate processes, variant after variant. Measures the time from the start of each process to its first
 * answer. DynamoDB is a server on this machine that answers at once.
 */
public final class ColdStart {

    /** The options that Lambda's runtime of Java 17 sets by itself. */
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m");

    private static final int MAX_TRIES = 5;

    private final Path folder;
    private final FunctionDefinition function;
    private final RuntimeInterfaceClient client;
    private final String dynamoDb;

    private ColdStart(Path folder, String dynamoDb) {
        this.folder = folder;
        this.dynamoDb = dynamoDb;
        this.client = new RuntimeInterfaceClient(folder);
        this.function = TemplateEnvironment.function("HeartbeatFunction");
    }

    /**
     * A start.
     *
     * @param millis milliseconds until the first answer
     * @param processorMillis the processor time until then
     */
    private record Start(double millis, double processorMillis) {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0 && arguments[0].startsWith("-")) {
            System.err.println("usage: benchmarks/run cold-start [STARTS [JAVA_HOME...]]");
            System.exit(2);
        }
        int starts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        List<Path> javaHomes = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            javaHomes.add(Path.of(arguments[i]));
        }
        if (javaHomes.isEmpty()) {
            javaHomes.add(Path.of(System.getProperty("java.home")));
        }
        EmulatorLog log = EmulatorLog.none();
        byte[] row = answer();
        try (WebServer dynamoDb = WebServer.bind("127.0.0.1", 0, "dynamodb", log)) {
            dynamoDb.start(request ->
                    RawResponse.of(200, "application/x-amz-json-1.0", row).with("x-amzn-RequestId", "benchmark"));
            Path folder = Files.createTempDirectory("cold-start");
            try {
                new ColdStart(folder, "http://127.0.0.1:" + dynamoDb.port()).run(javaHomes, starts);
            } finally {
                delete(folder);
            }
        }
        System.exit(0);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static byte[] answer() {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        new RowTemplate(name -> true).append(row, 1, System.currentTimeMillis());
        return ("{\"Attributes\":" + row.toString(StandardCharsets.UTF_8) + "}").getBytes(StandardCharsets.UTF_8);
    }

    private void run(List<Path> javaHomes, int starts) throws IOException {
        Packages packages = new Packages(folder);
        Path deployed = packages.deployed();
        Path ordinary = packages.ordinary();
        Path deployedJar = packages.jar(deployed);
        Path ordinaryJar = packages.jar(ordinary);
        System.out.printf(
                Locale.ROOT,
                "packages: deployed %.1f MB, ordinary %.1f MB%n%n",
                Files.size(deployedJar) / 1e6,
                Files.size(ordinaryJar) / 1e6);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Map<Variant, List<Start>> measured = new LinkedHashMap<>();
        for (Path javaHome : javaHomes) {
            variants(javaHome, deployed, deployedJar, ordinary, ordinaryJar, empty)
                    .forEach(variant -> measured.put(variant, new ArrayList<>()));
        }
        for (int round = 0; round < starts; round++) {
            List<Variant> order = new ArrayList<>(measured.keySet());
            Collections.rotate(order, round);
            for (Variant variant : order) {
                measured.get(variant).add(successful(variant));
            }
        }
        print(measured);
    }

    private List<Variant> variants(
            Path javaHome, Path deployed, Path deployedJar, Path ordinary, Path ordinaryJar, Path empty) {
        String handler = FunctionProcess.handler(function);
        String ordinaryHandler = OrdinaryHeartbeatFunction.class.getName() + "::handleRequest";
        String jdk = jdk(javaHome);
        Variant managed = new Variant(jdk + ", deployed", javaHome, OPTIONS, deployed, List.of(), handler, Map.of());
        Variant plain =
                new Variant(jdk + ", ordinary", javaHome, OPTIONS, ordinary, List.of(), ordinaryHandler, Map.of());
        Variant jar = new Variant(
                jdk + ", deployed, one jar", javaHome, OPTIONS, empty, List.of(deployedJar), handler, Map.of());
        Variant plainJar = new Variant(
                jdk + ", ordinary, one jar", javaHome, OPTIONS, empty, List.of(ordinaryJar), ordinaryHandler, Map.of());
        List<Variant> variants = new ArrayList<>(
                List.of(plain, managed, plainJar, archived(plainJar, "AppCDS"), jar, archived(jar, "AppCDS")));
        if (!jdk.equals("JDK 17")) {
            variants.add(archived(plainJar, "AOT cache"));
            variants.add(archived(jar, "AOT cache"));
        }
        return variants;
    }

    /** Returns the variant with an archive of the classes that a first run loaded. */
    private Variant archived(Variant variant, String kind) {
        Path archive = folder.resolve(variant.name().replaceAll("\\W+", "-") + "." + kind.replaceAll("\\W", ""));
        boolean classData = kind.equals("AppCDS");
        successful(variant.with(
                variant.name(),
                and(variant, (classData ? "-XX:ArchiveClassesAtExit=" : "-XX:AOTCacheOutput=") + archive)));
        return variant.with(
                variant.name() + ", " + kind,
                and(variant, (classData ? "-XX:SharedArchiveFile=" : "-XX:AOTCache=") + archive));
    }

    private static List<String> and(Variant variant, String option) {
        List<String> options = new ArrayList<>(variant.options());
        options.add(option);
        return options;
    }

    /** Returns a start with a successful answer. On a busy machine, the first write of a cold process may exceed its time limit. */
    private Start successful(Variant variant) {
        for (int tries = 1; ; tries++) {
            try {
                return start(variant);
            } catch (IllegalStateException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
                System.err.println(variant.name() + " failed and is started again");
            }
        }
    }

    private Start start(Variant variant) {
        Map<String, String> environment = new HashMap<>(variant.environment());
        environment.put("AWS_ENDPOINT_URL_DYNAMODB", dynamoDb);
        environment.put("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
        environment.put("_HANDLER", variant.handler());
        List<String> command =
                client.command(variant.javaHome(), variant.options(), variant.classPath(), variant.handler());
        byte[] event = HeartbeatPath.event(Instant.now()).getBytes(StandardCharsets.UTF_8);
        long before = System.nanoTime();
        try (FunctionProcess process = new FunctionProcess(
                function,
                command,
                new FunctionProcess.Place(variant.task(), folder),
                environment,
                EmulatorLog.none())) {
            String answer = new String(process.invoke(event), StandardCharsets.UTF_8);
            double millis = (System.nanoTime() - before) / 1e6;
            double processor = process.processorTime().toNanos() / 1e6;
            if (!answer.contains("\"statusCode\":200")) {
                throw new IllegalStateException(variant.name() + " answered " + answer + process.printed());
            }
            process.stop();
            return new Start(millis, processor);
        }
    }

    private static void print(Map<Variant, List<Start>> measured) {
        System.out.println("| variant | start to first answer, median | smallest–largest | processor time, median |");
        System.out.println("|---|---:|---:|---:|");
        measured.forEach((variant, starts) -> {
            double[] millis =
                    starts.stream().mapToDouble(Start::millis).sorted().toArray();
            double[] processor =
                    starts.stream().mapToDouble(Start::processorMillis).toArray();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f ms | %.0f–%.0f ms | %.0f ms |%n",
                    variant.name(),
                    Comparison.median(millis),
                    millis[0],
                    millis[millis.length - 1],
                    Comparison.median(processor));
        });
    }

    private static String jdk(Path javaHome) {
        try {
            return Files.readAllLines(javaHome.resolve("release")).stream()
                    .filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> "JDK " + line.replaceAll("[^0-9.]", "").replaceAll("\\..*", ""))
                    .findFirst()
                    .orElse("JDK");
        } catch (IOException e) {
            return javaHome.getFileName().toString();
        }
    }
}
