package dev.agenthealth.emulator.dynamodb;

import java.io.File;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.exceptions.AWSExceptionFactory;
import software.amazon.dynamodb.services.exceptions.DynamoDBLocalServiceException;
import software.amazon.dynamodb.services.local.embedded.DDBExceptionMappingInvocationHandler;
import software.amazon.dynamodb.services.local.shared.access.LocalDBAccess;
import software.amazon.dynamodb.services.local.shared.access.LocalDBClient;
import software.amazon.dynamodb.services.local.shared.access.LocalDBInputConverter;
import software.amazon.dynamodb.services.local.shared.access.LocalDBOutputConverter;
import software.amazon.dynamodb.services.local.shared.access.api.dp.TransactWriteItemsFunction;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.dataaccess.LocalDocumentFactory;
import software.amazon.dynamodb.services.local.shared.env.LocalDBEnv;
import software.amazon.dynamodb.services.local.shared.jobs.JobsRegister;

/** DynamoDB Local as its {@code DynamoDBEmbedded} assembles it, but without proxies; see {@link ForwardingClient}. Thread-safe. */
final class EmbeddedDynamoDb extends ForwardingClient {

    private static final String LOG4J_FACTORY = "log4j2.loggerContextFactory";

    /** As many as DynamoDB Local uses for its work in the background. */
    private static final int THREADS = 10;

    /** The longest name of a key attribute. */
    private static final int MAX_NAME_BYTES = 64 * 1024;

    static {
        // The full set-up of Log4j takes as long as the start of all functions; the simple one still shows errors.
        if (System.getProperty(LOG4J_FACTORY) == null) {
            System.setProperty(LOG4J_FACTORY, "org.apache.logging.log4j.simple.SimpleLoggerContextFactory");
        }
        DiskErrors.SQLITE.setLevel(Level.WARNING);
        ParsedSchemas.keep();
    }

    private final LocalDBClient local;
    private final TransactWriteItemsFunction transactions;
    private final ReadWriteLock closing = new ReentrantReadWriteLock();
    private boolean closed;

    private EmbeddedDynamoDb(SQLiteDBAccess file) {
        LocalDBAccess database = KnownTables.of(file);
        this.local = new LocalDBClient(database, new JobsRegister(Executors.newFixedThreadPool(THREADS), false));
        this.transactions = transactions(database);
    }

    /** As DynamoDB Local's client makes it anew for each transaction, with a JSON mapper that takes a quarter of its time. */
    private static TransactWriteItemsFunction transactions(LocalDBAccess database) {
        LocalDBEnv environment = new LocalDBEnv();
        LocalDocumentFactory documents = new LocalDocumentFactory();
        AWSExceptionFactory failures = new AWSExceptionFactory();
        return new TransactWriteItemsFunction(
                database,
                new LocalDBInputConverter(environment, failures, documents, MAX_NAME_BYTES),
                new LocalDBOutputConverter(),
                failures,
                environment,
                documents);
    }

    static EmbeddedDynamoDb inMemory() {
        return new EmbeddedDynamoDb(new SQLiteDBAccess());
    }

    static EmbeddedDynamoDb inFile(File file) {
        return new EmbeddedDynamoDb(new SQLiteDBAccess(file));
    }

    /** Loads its classes. */
    static void load() {
        // The static initializer does it.
    }

    @Override
    <R> R send(Object request, Function<DynamoDbClient, R> operation) {
        return answer(() -> operation.apply(local.dynamoDbClient()));
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        return answer(() -> transactions.apply(request));
    }

    /** Failures become those of the SDK. */
    private <R> R answer(Supplier<R> operation) {
        closing.readLock().lock();
        try {
            if (closed) {
                throw AwsServiceException.builder()
                        .message("DynamoDB Local is closed")
                        .build();
            }
            return operation.get();
        } catch (DynamoDBLocalServiceException e) {
            throw mapped(e);
        } finally {
            closing.readLock().unlock();
        }
    }

    private static RuntimeException mapped(DynamoDBLocalServiceException failure) {
        try {
            DDBExceptionMappingInvocationHandler.handleDynamoDBLocalServiceException(failure);
            return failure;
        } catch (RuntimeException e) {
            return e;
        } catch (Throwable e) {
            throw new IllegalStateException("DynamoDB Local failed", e);
        }
    }

    DynamoDbStreamsClient streams() {
        return new Streams();
    }

    /** Waits for requests that are processed; later ones fail. */
    @Override
    public void close() {
        closing.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                local.shutdown();
            }
        } finally {
            closing.writeLock().unlock();
        }
    }

    /** The operations that read a stream. */
    private final class Streams implements DynamoDbStreamsClient {

        @Override
        public DescribeStreamResponse describeStream(DescribeStreamRequest request) {
            return answer(() -> local.dynamoDbStreamsClient().describeStream(request));
        }

        @Override
        public GetRecordsResponse getRecords(GetRecordsRequest request) {
            return answer(() -> local.dynamoDbStreamsClient().getRecords(request));
        }

        @Override
        public GetShardIteratorResponse getShardIterator(GetShardIteratorRequest request) {
            return answer(() -> local.dynamoDbStreamsClient().getShardIterator(request));
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        /** Does nothing: the owner of the database closes it. */
        @Override
        public void close() {}
    }
}
