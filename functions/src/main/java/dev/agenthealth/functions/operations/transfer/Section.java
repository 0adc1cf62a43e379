package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A part of the document of a registry's configuration, such as its keys. A feature implements the section of its own objects. Thread-safe.
 */
public interface Section {

    /** Returns the field of the document. */
    String name();

    /** Returns the field with the id of an object, which is named if two objects have the same id. */
    default String idField(Fields object) {
        return "name";
    }

    /** Returns whether the field is one object. Otherwise the field is a list of objects. */
    default boolean isOneObject() {
        return false;
    }

    /**
     * Reads at most {@code limit} objects after a position.
     *
     * @param position empty for the beginning
     */
    ListPage<Exported> export(String position, int limit);

    /**
     * Reads an object of a document, and records an error for each invalid field. Use the result only if no error was recorded. Changes nothing.
     */
    Entry read(Fields fields);

    /** Returns the page of a list that was read as a whole. */
    static ListPage<Exported> pageOf(Stream<Exported> all, String position, int limit) {
        List<Exported> page = all.filter(one -> one.position().compareTo(position) > 0)
                .sorted(Comparator.comparing(Exported::position))
                .limit(limit)
                .toList();
        return ListPage.ofRead(page, limit, Exported::position);
    }

    /**
     * An object in the form of the document.
     *
     * @param position its position in the list
     */
    record Exported(String position, ObjectNode json) {}
}
