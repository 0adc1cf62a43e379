package dev.agenthealth.emulator.dynamodb;

import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** DynamoDB Local inside this JVM, with the template's tables. */
public final class EmulatedTables implements AutoCloseable {

    private static final String FILE = "tables.db";

    private final EmbeddedDynamoDb local;
    private final DynamoDbClient client;
    private final Turns turns = new Turns();
    private final String name;
    private final Consumer<String> firstTable;
    private final Runnable afterwards;

    private EmulatedTables(
            EmbeddedDynamoDb local,
            DynamoDbClient client,
            String name,
            Consumer<String> firstTable,
            Runnable afterwards) {
        this.local = local;
        this.client = client;
        this.name = name;
        this.firstTable = firstTable;
        this.afterwards = afterwards;
    }

    /** Begins to load DynamoDB Local, which takes longest at a start, and returns. Opening a database waits for it, and fails where it failed. */
    public static void preload() {
        DaemonThreads.named("preload").newThread(EmulatedTables::load).start();
    }

    private static void load() {
        try {
            EmbeddedDynamoDb.load();
        } catch (LinkageError e) {
            // Opening a database fails with the same.
        }
    }

    /** Opens an empty database in memory. */
    public static EmulatedTables inMemory() {
        EmbeddedDynamoDb local = EmbeddedDynamoDb.inMemory();
        return new EmulatedTables(local, local, "in memory", name -> {}, () -> {});
    }

    /**
     * Opens the database in a folder that no other process uses. It refuses writes when the disk is nearly full or fails.
     *
     * @param refusal makes what a refused write throws, of the reason
     * @throws IllegalStateException when the database cannot be used
     */
    public static EmulatedTables inFolder(Path folder, Function<String, RuntimeException> refusal) {
        Path file = folder.resolve(FILE);
        DiskErrors errors = DiskErrors.watched();
        try {
            // DynamoDB Local waits without limit for a file that it cannot open.
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
            EmbeddedDynamoDb local = EmbeddedDynamoDb.inFile(file.toFile());
            AtomicReference<String> table = new AtomicReference<>();
            DiskGuard.Disk disk = new DiskGuard.Disk(
                    file.toFile()::getUsableSpace,
                    errors::happened,
                    // DynamoDB Local works in the order of the calls.
                    () -> local.scan(request -> request.tableName(table.get()).limit(1)));
            return new EmulatedTables(
                    local, DiskGuard.guarded(local, disk, refusal), file.toString(), table::set, errors::close);
        } catch (IOException | RuntimeException e) {
            errors.close();
            throw unusable(file.toString(), e);
        }
    }

    /** A client that is made by its first request. */
    public static DynamoDbClient later(Supplier<DynamoDbClient> client) {
        return new ForwardingClient() {
            @Override
            <R> R send(Object request, Function<DynamoDbClient, R> operation) {
                return operation.apply(client.get());
            }
        };
    }

    /**
     * Creates those of the tables that the database lacks. A client may exist before, but cannot be used.
     *
     * @throws IllegalStateException when the database cannot be used
     */
    public EmulatedTables with(List<TableDefinition> tables) {
        try {
            Tables.create(local, tables);
            tables.stream().findFirst().map(TableDefinition::name).ifPresent(firstTable);
            return this;
        } catch (RuntimeException e) {
            throw unusable(name, e);
        }
    }

    private static IllegalStateException unusable(String name, Exception e) {
        return new IllegalStateException("the database " + name + " cannot be used: " + e.getMessage(), e);
    }

    public DynamoDbClient client() {
        return client;
    }

    /**
     * The client of a function, whose requests share the database fairly with those of others: heartbeats come first. It sums up no capacity
     * of scans.
     */
    public DynamoDbClient fairClient(FunctionDefinition function) {
        return new FairRequests(client, turns, Caller.of(function));
    }

    public DynamoDbStreamsClient streams() {
        return local.streams();
    }

    @Override
    public void close() {
        local.close();
        afterwards.run();
    }
}
