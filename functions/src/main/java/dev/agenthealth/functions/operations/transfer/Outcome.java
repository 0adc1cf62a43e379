package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Author;
import java.util.Optional;

/**
 * The outcome of the import of one object.
 *
 * @param reason why the object was skipped; otherwise empty
 */
record Outcome(Result result, String reason) {

    /** The results. */
    enum Result implements WireNamed {
        CREATED("created"),
        UPDATED("updated"),
        UNCHANGED("unchanged"),
        SKIPPED("skipped");

        private final String wireName;

        Result(String wireName) {
            this.wireName = wireName;
        }

        @Override
        public String wireName() {
            return wireName;
        }
    }

    /** Returns the outcome that an import would have, as far as it follows from the object alone. Changes nothing. */
    static Outcome expected(Entry entry) {
        try {
            return compared(entry);
        } catch (ApiError refused) {
            return new Outcome(Result.SKIPPED, refused.line());
        }
    }

    private static Outcome compared(Entry entry) {
        if (!entry.obstacle().isEmpty()) {
            return new Outcome(Result.SKIPPED, entry.obstacle());
        }
        Optional<ObjectNode> current = entry.current().get();
        if (current.isEmpty()) {
            return new Outcome(Result.CREATED, "");
        }
        return new Outcome(current.get().equals(entry.wanted()) ? Result.UNCHANGED : Result.UPDATED, "");
    }

    /** Imports an object that differs from the present object. The registry may refuse the object, which is then skipped. */
    static Outcome of(Entry entry, Author author) {
        Outcome expected = expected(entry);
        if (expected.result() == Result.UNCHANGED || expected.result() == Result.SKIPPED) {
            return expected;
        }
        try {
            entry.write().accept(author);
            return expected;
        } catch (ApiError refused) {
            return new Outcome(Result.SKIPPED, refused.line());
        }
    }
}
