package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.ReadFailedException;
import dev.agenthealth.dynamodb.sqlite.Readers;
import dev.agenthealth.dynamodb.sqlite.WriteFailedException;
import dev.agenthealth.dynamodb.sqlite.Writer;
import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.time.Clock;
import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;

/**
 * The parts that all operations share. Thread-safe.
 *
 * @param unsyncedAttributes an update that changes these alone may be lost with the power within a second, unless all are synced
 * @param freeBytes writes are refused while the disk has less left; updates of unsynced attributes, which need no space of their own, are not
 */
record Engine(DatabaseFile file, Catalogue catalogue, Clock clock, Set<String> unsyncedAttributes, long freeBytes) {

    /** The status of HTTP with which a client does not retry: space does not come back by itself. */
    private static final int INSUFFICIENT_STORAGE = 507;

    private static final int INTERNAL_ERROR = 500;

    /** The result of a read, which sees every change that was committed before. */
    <T> T read(Readers.Read<T> read) {
        try {
            return file.readers().read(read);
        } catch (ReadFailedException e) {
            throw refused(e.getMessage(), INTERNAL_ERROR);
        }
    }

    /** The result of a committed change; the disk has it where {@code synced}. */
    <T> T write(Writer.Change<T> change, boolean synced) {
        return written(() -> file.writer().write(change, synced), synced);
    }

    /** The result of a change of a table, of which changes that are applied later see the definition in the catalogue. */
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

    Engine withFreeBytes(long bytes) {
        return new Engine(file, catalogue, clock, unsyncedAttributes, bytes);
    }
}
