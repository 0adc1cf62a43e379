package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Moves the configuration of a registry to another registry, as one document without secrets, for administrators. Every method throws
 * {@link AgentHealthException} if a request fails. Thread-safe.
 */
public final class RegistryTransfer {

    private static final String EXPORT = "/v1/admin/export";
    private static final String IMPORT = "/v1/admin/import";
    private static final String NEXT = "next_token";

    /** The maximum time of an import of one part. */
    private static final long PART_MILLIS = 60_000;

    private final Api api;

    RegistryTransfer(Api api) {
        this.api = api;
    }

    /** Returns the whole document. Objects of each list are in the order of their ids, so that two exports of one configuration are equal. */
    public ObjectNode export() {
        List<JsonNode> pages = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = api.send(Call.get(EXPORT).query(NEXT, token));
            pages.add(page);
            token = Json.text(page, NEXT);
        } while (!token.isEmpty());
        return TransferParts.joined(pages);
    }

    /**
     * Imports a document of any size. First checks the whole document, so that an invalid field changes nothing.
     *
     * @param dryRun whether to check only, and say what the import would do
     * @return the answer for all objects together: {@code counts}, {@code entries} and {@code secrets_to_set}
     * @throws ProblemException with the fields of the whole document that break a rule
     */
    public ObjectNode importDocument(ObjectNode document, boolean dryRun) {
        List<TransferParts.Part> parts = TransferParts.of(document);
        ObjectNode checked = send(parts, TransferParts.repeated(document), true);
        return dryRun ? checked : send(parts, Set.of(), false);
    }

    /** @param found the errors that no single part shows */
    private ObjectNode send(List<TransferParts.Part> parts, Set<ObjectNode> found, boolean dryRun) {
        ObjectNode report = Json.object().put("dry_run", dryRun);
        ObjectNode counts = report.putObject("counts");
        ArrayNode entries = report.putArray("entries");
        ArrayNode secrets = report.putArray("secrets_to_set");
        // An error of the head is in the answer to every part.
        Set<ObjectNode> errors = new LinkedHashSet<>();
        Refusal refused = null;
        for (TransferParts.Part part : parts) {
            try {
                JsonNode answer = api.send(Call.post(IMPORT)
                        .query("dry_run", dryRun ? "true" : "")
                        .body(part.document())
                        .waitsAtLeast(PART_MILLIS));
                answer.path("counts")
                        .properties()
                        .forEach(count -> counts.put(
                                count.getKey(),
                                counts.path(count.getKey()).asInt()
                                        + count.getValue().asInt()));
                answer.path("entries").forEach(entries::add);
                answer.path("secrets_to_set").forEach(secrets::add);
            } catch (ProblemException problem) {
                if (problem.errors().isEmpty()) {
                    throw problem;
                }
                refused = new Refusal(problem.status(), problem.document(), problem.retryAfter());
                problem.errors()
                        .forEach(error ->
                                errors.add(TransferParts.error(part.fieldOfDocument(error.field()), error.message())));
            }
        }
        errors.addAll(found);
        if (!errors.isEmpty()) {
            Refusal all = refused == null ? invalid() : refused;
            all.document().putArray("errors").addAll(errors);
            throw all.exception();
        }
        return report;
    }

    private static Refusal invalid() {
        ObjectNode document = Json.object()
                .put("status", 400)
                .put("error", "invalid_request")
                .put("detail", "The document is invalid.");
        return new Refusal(400, document, Optional.empty());
    }
}
