package dev.agenthealth.benchmarks.load;

import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/** How long DynamoDB Local takes in a new process until it has created the template's tables and answered its first request. */
public final class EmbeddedStart {

    private static final int STARTS = 10;

    private EmbeddedStart() {}

    /**
     * The process that is measured.
     *
     * @param arguments the file with the definitions of the tables
     */
    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        List<Object[]> definitions;
        try (InputStream file = Files.newInputStream(Path.of(arguments[0]))) {
            definitions = (List<Object[]>) new ObjectInputStream(file).readObject();
        }
        List<TableDefinition> tables = definitions.stream()
                .map(parts -> new TableDefinition(
                        (String) parts[0],
                        (String) parts[1],
                        (List<KeySchemaElement>) parts[2],
                        (List<AttributeDefinition>) parts[3],
                        (List<GlobalSecondaryIndex>) parts[4],
                        (String) parts[5],
                        (String) parts[6]))
                .toList();
        EmulatedTables database = EmulatedTables.inMemory().with(tables);
        database.client()
                .scan(request -> request.tableName(tables.get(0).name()).limit(1));
        System.out.println("answered");
        System.out.flush();
    }

    /** Measures it and prints one line. */
    static void print() throws IOException, InterruptedException {
        Path definitions = definitions();
        double[] clock = new double[STARTS];
        double[] processor = new double[STARTS];
        for (int start = 0; start < STARTS; start++) {
            long before = System.nanoTime();
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            EmbeddedStart.class.getName(),
                            definitions.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                if (process.getInputStream().read() < 0) {
                    throw new IllegalStateException("DynamoDB Local does not start");
                }
                clock[start] = (System.nanoTime() - before) / 1e6;
                processor[start] =
                        process.info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        Files.delete(definitions);
        System.out.printf(
                Locale.ROOT,
                "Start of a process to the first answer: %,.0f ms, %,.0f ms of processor time, median of %d.%n%n",
                Comparison.median(clock),
                Comparison.median(processor),
                STARTS);
    }

    /** Reads the template here, since reading it is no part of DynamoDB Local. */
    private static Path definitions() throws IOException {
        List<Object[]> parts = Template.find().stack(Resolution.local()).tables().stream()
                .map(table -> Stream.of(
                                table.logicalId(),
                                table.name(),
                                List.copyOf(table.keySchema()),
                                List.copyOf(table.attributeDefinitions()),
                                List.copyOf(table.indexes()),
                                table.streamViewType(),
                                table.ttlAttribute())
                        .toArray())
                .toList();
        Path file = Files.createTempFile("tables", ".bin");
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
            out.writeObject(List.copyOf(parts));
        }
        return file;
    }
}
