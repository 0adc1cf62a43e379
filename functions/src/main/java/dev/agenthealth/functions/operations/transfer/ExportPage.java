package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.AnswerItems;
import dev.agenthealth.functions.runtime.paging.ListPage;
import java.util.List;
import java.util.Optional;

/**
 * A page of an exported document. It ends after a number of objects or of reads, or before the answer is larger than a function may return. Not
 * thread-safe.
 */
final class ExportPage {

    /** Separates the name of a section from a position in the section. No name contains it. */
    private static final char SEPARATOR = ' ';

    /** The maximum number of reads for a page. A read may find no object. */
    private static final int MAX_READS = 40;

    private final ObjectNode page;
    private int room;
    private int reads;
    private Optional<AnswerItems> lists = Optional.empty();

    /** @param limit the maximum number of objects */
    ExportPage(ObjectNode page, int limit) {
        this.page = page;
        this.room = limit;
    }

    /**
     * Adds the objects after a position.
     *
     * @param position the end of the previous page; empty for the first page
     * @return the end of this page; empty if no object follows
     */
    String fill(List<Section> sections, String position) {
        int split = position.indexOf(SEPARATOR);
        String first = split < 0 ? "" : position.substring(0, split);
        String after = position.substring(split + 1);
        boolean begun = first.isEmpty();
        for (Section section : sections) {
            begun = begun || section.name().equals(first);
            if (begun) {
                Optional<String> end = add(section, after);
                if (end.isPresent()) {
                    return section.name() + SEPARATOR + end.get();
                }
                after = "";
            }
        }
        return "";
    }

    /** Adds the objects of a section. Returns the position at which the page ends; empty if no object of the section is left. */
    private Optional<String> add(Section section, String position) {
        String after = position;
        boolean begun = false;
        while (room > 0 && reads < MAX_READS) {
            ListPage<Section.Exported> read = section.export(after, room);
            reads++;
            for (Section.Exported object : read.items()) {
                if (section.isOneObject()) {
                    page.set(section.name(), object.json());
                } else {
                    AnswerItems list = begun ? lists.orElseThrow() : begin(section.name());
                    begun = true;
                    if (!list.add(object.json())) {
                        return Optional.of(after);
                    }
                }
                after = object.position();
                room--;
            }
            if (!read.hasMore()) {
                return Optional.empty();
            }
            after = read.next();
        }
        return Optional.of(after);
    }

    private AnswerItems begin(String name) {
        AnswerItems list = lists.map(before -> before.next(name)).orElseGet(() -> new AnswerItems(page, name));
        lists = Optional.of(list);
        return list;
    }
}
