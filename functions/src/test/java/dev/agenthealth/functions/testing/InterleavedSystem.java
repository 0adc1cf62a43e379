package dev.agenthealth.functions.testing;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.testkit.Interleavings;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** A system, and an API and a database whose storage requests run in every order. */
public final class InterleavedSystem implements AutoCloseable {

    private final TestSystem system = new TestSystem();
    private final Interleavings interleavings;
    private final TestApi api;
    private final Database database;

    /**
     * @param isStep which requests are ordered
     */
    public InterleavedSystem(Predicate<DynamoDbRequest> isStep) {
        this.interleavings = new Interleavings(system.dynamoDb(), isStep);
        this.api = system.apiThrough(interleavings.client());
        this.database = system.databaseThrough(interleavings.client());
    }

    /** The system itself, whose requests are not ordered. */
    public TestSystem system() {
        return system;
    }

    public Interleavings interleavings() {
        return interleavings;
    }

    public TestApi api() {
        return api;
    }

    public Database database() {
        return database;
    }

    @Override
    public void close() {
        interleavings.close();
        system.close();
    }
}
