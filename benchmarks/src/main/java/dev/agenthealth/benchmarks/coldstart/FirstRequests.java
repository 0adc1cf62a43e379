package dev.agenthealth.benchmarks.coldstart;

import dev.agenthealth.benchmarks.RowTemplate;
import dev.agenthealth.benchmarks.load.Comparison;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the processor time of the first heartbeats of a process, with and without the priming that a snapshot contains. DynamoDB is a
 * server on this machine that answers at once.
 */
public final class FirstRequests {

    private static final byte[] CONDITION_FAILED =
            "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\",\"message\":\"The conditional request failed\"}"
                    .getBytes(StandardCharsets.UTF_8);

    private FirstRequests() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int starts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        Path javaHome = Path.of(arguments.length > 1 ? arguments[1] : System.getProperty("java.home"));
        byte[] row = row();
        try (WebServer dynamoDb = WebServer.bind("127.0.0.1", 0, "dynamodb", EmulatorLog.none())) {
            dynamoDb.start(request -> answer(new String(request.body(), StandardCharsets.UTF_8), row));
            Map<String, List<String>> variants = new LinkedHashMap<>();
            variants.put("not primed, C1", List.of("-XX:TieredStopAtLevel=1", "unprimed"));
            variants.put("primed, C1", List.of("-XX:TieredStopAtLevel=1", "primed"));
            variants.put("primed, C1 and C2", List.of("-XX:+TieredCompilation", "primed"));
            if (Files.readString(javaHome.resolve("release")).contains("JAVA_VERSION=\"25")) {
                String compact = "-XX:+UseCompactObjectHeaders";
                variants.put("primed, C1, compact headers", List.of("-XX:TieredStopAtLevel=1", compact, "primed"));
                variants.put(
                        "primed, C1 and C2, compact headers", List.of("-XX:+TieredCompilation", compact, "primed"));
            }
            System.out.println("| variant | priming | 1st | 2nd | 3rd to 10th | 11th to 100th | 1,001st to 3,000th |");
            System.out.println("|---|---:|---:|---:|---:|---:|---:|");
            for (Map.Entry<String, List<String>> variant : variants.entrySet()) {
                List<double[]> measured = new ArrayList<>();
                for (int i = 0; i < starts; i++) {
                    measured.add(start(javaHome, variant.getValue(), dynamoDb.port()));
                }
                System.out.println(line(variant.getKey(), measured));
            }
        }
        System.exit(0);
    }

    private static String line(String name, List<double[]> measured) {
        StringBuilder line = new StringBuilder("| " + name);
        for (int i = 0; i < measured.get(0).length; i++) {
            int column = i;
            double[] values = measured.stream()
                    .mapToDouble(start -> start[column])
                    .sorted()
                    .toArray();
            line.append(String.format(Locale.ROOT, " | %.1f ms", Comparison.median(values)));
        }
        return line.append(" |").toString();
    }

    private static double[] start(Path javaHome, List<String> options, int port)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(javaHome.resolve("bin/java").toString()));
        command.addAll(options.subList(0, options.size() - 1));
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(PrimedProcess.class.getName(), options.get(options.size() - 1), Integer.toString(port)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n");
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the process failed: " + String.join("\n", lines));
        }
        return Arrays.stream(lines[lines.length - 1].split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static RawResponse answer(String request, byte[] row) {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        int status = 200;
        if (request.contains("UpdateExpression")) {
            boolean known = request.contains("agent_01");
            body = known ? row : CONDITION_FAILED;
            status = known ? 200 : 400;
        }
        return RawResponse.of(status, "application/x-amz-json-1.0", body).with("x-amzn-RequestId", "benchmark");
    }

    private static byte[] row() {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        new RowTemplate(name -> true).append(row, 1, System.currentTimeMillis());
        return ("{\"Attributes\":" + row.toString(StandardCharsets.UTF_8) + "}").getBytes(StandardCharsets.UTF_8);
    }
}
