package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.ReadFailedException;
import dev.agenthealth.dynamodb.sqlite.Readers;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.WriteFailedException;
import dev.agenthealth.dynamodb.sqlite.Writer;
import dev.agenthealth.dynamodb.table.StreamFilter;
import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;

/**
 * The parts that all operations share. Thread-safe.
 *
 * @param unsyncedAttributes updates that change only these attributes are synced within a second, unless every commit is synced
 * @param streamFilter decides which changes the streams store
 * @param freeBytes writes are refused while the disk has fewer bytes left, except updates of unsynced attributes, which need no space
 */
record Engine(
        DatabaseFile file,
        Catalogue catalogue,
        Clock clock,
        Set<String> unsyncedAttributes,
        AtomicReference<StreamFilter> streamFilter,
        long freeBytes) {

    /** The HTTP status that a client does not retry: a retry would not free space. */
    private static final int INSUFFICIENT_STORAGE = 507;

    private static final int INTERNAL_ERROR = 500;

    /** Returns the parts of an opened file, whose streams store every change at first. */
    static Engine of(DatabaseFile file, Clock clock, Set<String> unsyncedAttributes, long freeBytes) {
        return new Engine(
                file,
                new Catalogue(file),
                clock,
                Set.copyOf(unsyncedAttributes),
                new AtomicReference<>(StreamFilter.ALL),
                freeBytes);
    }

    /** Runs a read, which sees every earlier commit, and returns its result. */
    <T> T read(Readers.Read<T> read) {
        file.writer().commitBeforeRead();
        try {
            return file.readers().read(read);
        } catch (ReadFailedException e) {
            throw refused(e.getMessage(), INTERNAL_ERROR);
        }
    }

    /** Runs several reads on one snapshot, which sees every earlier commit, and returns their result. */
    <T> T snapshot(Readers.Read<T> reads) {
        file.writer().commitBeforeRead();
        try {
            return file.readers().snapshot(reads);
        } catch (ReadFailedException e) {
            throw refused(e.getMessage(), INTERNAL_ERROR);
        }
    }

    /** Commits a change and returns its result; if {@code synced}, the change is then on the disk. */
    <T> T write(Writer.Change<T> change, boolean synced) {
        return written(() -> file.writer().write(change, synced), synced);
    }

    /** Commits a change of a table definition and returns its result. Later changes see the new definition in the catalogue. */
    <T> T writeAlone(Writer.Change<T> change) {
        return written(() -> file.writer().writeAlone(change), true);
    }

    private <T> T written(Supplier<T> write, boolean synced) {
        if (synced && freeBytes > 0 && file.usableBytes() < freeBytes) {
            throw refused("the disk has less than " + freeBytes + " bytes left", INSUFFICIENT_STORAGE);
        }
        try {
            return write.get();
        } catch (WriteFailedException e) {
            throw e.isDiskFull()
                    ? refused("the disk is full: " + e.getMessage(), INSUFFICIENT_STORAGE)
                    : refused("the database cannot be written: " + e.getMessage(), INTERNAL_ERROR);
        }
    }

    private static RuntimeException refused(String message, int status) {
        return DynamoDbErrors.as("InternalServerError", message, InternalServerErrorException.builder())
                .statusCode(status)
                .build();
    }

    /** Returns the origin of a change that a request makes now. */
    Rows.Origin origin() {
        return origin(clock.millis(), false);
    }

    /**
     * Returns the origin of a change.
     *
     * @param millis epoch milliseconds
     * @param expiry true if the item is removed because it has expired
     */
    Rows.Origin origin(long millis, boolean expiry) {
        return new Rows.Origin(millis, expiry, streamFilter.get());
    }

    Engine withFreeBytes(long bytes) {
        return new Engine(file, catalogue, clock, unsyncedAttributes, streamFilter, bytes);
    }
}
