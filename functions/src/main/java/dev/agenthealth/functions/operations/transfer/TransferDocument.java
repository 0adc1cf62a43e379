package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A document with the configuration of a registry, or a page of it.
 *
 * @param entries the objects by the name of their section, in the order in which they are imported
 */
record TransferDocument(Map<String, List<Entry>> entries) {

    /** The maximum size of a request, in bytes. Lambda accepts 6 MB, in which the body is a text inside JSON. */
    static final int MAX_BYTES = 4 * 1024 * 1024;

    /** The maximum number of objects in one request. An import of so many objects takes some seconds. */
    static final int MAX_ENTRIES = 100;

    static final String FORMAT = "agent-health-configuration";

    /** The version of the format. A change that an earlier version of Agent Health cannot read has another number. */
    static final int VERSION = 1;

    private static final String EXPORTED_AT = "exported_at";

    /** Returns a document without objects. */
    static ObjectNode head(String exportedAt) {
        return Json.object().put("format", FORMAT).put("version", VERSION).put(EXPORTED_AT, exportedAt);
    }

    /**
     * Reads a document.
     *
     * @throws ApiError 400 naming every invalid field
     */
    static TransferDocument of(Fields body, List<Section> sections) {
        body.require("format");
        body.oneOf("format", FORMAT);
        body.require("version");
        if (body.has("version") && !body.wholeNumber("version").equals(OptionalLong.of(VERSION))) {
            body.refuse("version", "must be " + VERSION + ": another version of Agent Health wrote the document");
        }
        body.timestamp(EXPORTED_AT);
        // A page of an export has a token for the next page. It says nothing about the objects of the page.
        body.text("next_token");
        Map<String, List<Entry>> entries = new LinkedHashMap<>();
        int count = 0;
        for (Section section : sections) {
            List<Fields> objects = objects(section, body);
            count += objects.size();
            if (count > MAX_ENTRIES) {
                body.refuse(
                        section.name(), "has the entry after number " + MAX_ENTRIES + ": import the document in parts");
                break;
            }
            entries.put(section.name(), read(section, objects));
        }
        if (count <= MAX_ENTRIES) {
            body.refuseUnknown();
        }
        body.check();
        return new TransferDocument(entries);
    }

    private static List<Fields> objects(Section section, Fields body) {
        if (!section.isOneObject()) {
            return body.objects(section.name(), MAX_ENTRIES);
        }
        Fields object = body.object(section.name());
        return body.has(section.name()) ? List.of(object) : List.of();
    }

    private static List<Entry> read(Section section, List<Fields> objects) {
        List<Entry> read = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        Set<String> values = new HashSet<>();
        for (Fields object : objects) {
            int errors = object.errorCount();
            Entry entry = section.read(object);
            boolean valid = object.errorCount() == errors;
            if (valid && !ids.add(entry.id())) {
                object.refuse(section.idField(object), "must not be the id of another entry");
            }
            entry.unique().forEach((field, value) -> {
                if (!values.add(value)) {
                    object.refuse(field, "must stand only once in the document");
                }
            });
            read.add(entry);
        }
        return read;
    }
}
