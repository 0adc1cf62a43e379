package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.gateway.CardAddress;
import dev.agenthealth.model.registry.profile.AgentProfile;

/**
 * The parts of an agent's own card that appear in the card of the gateway: texts of limited length, and no address.
 *
 * @param shown the fields of the card by name; the names are the same in A2A 0.3 and 1.0
 * @param extended whether the agent has an extended card for authenticated clients
 * @param streaming whether the agent streams answers
 * @param pushing whether the agent sends push notifications about tasks
 */
public record OwnCard(ObjectNode shown, boolean extended, boolean streaming, boolean pushing) {

    /** For an agent without a card, or with an unknown card. */
    public static final OwnCard NONE = new OwnCard(Json.object(), false, false, false);

    private static final int MAX_SKILLS = 100;
    private static final int MAX_ELEMENTS = 20;

    /** The maximum length of a text, in characters. */
    private static final int MAX_TEXT = 2_000;

    private static final int MAX_NAME = 200;

    private static final String ID = "id";
    private static final String NAME = "name";
    private static final String DESCRIPTION = "description";
    private static final String TAGS = "tags";
    static final String SKILLS = "skills";
    private static final String[] MODES = {"defaultInputModes", "defaultOutputModes"};

    /** Reads a card of A2A 0.3 or 1.0. */
    public static OwnCard of(JsonNode card) {
        ObjectNode shown = Json.object();
        putText(card, DESCRIPTION, MAX_TEXT, shown);
        for (String modes : MODES) {
            putTexts(card, modes, MAX_NAME, shown);
        }
        ArrayNode skills = Json.object().putArray(SKILLS);
        for (JsonNode skill : card.path(SKILLS)) {
            String id = skill.path(ID).asText(skill.path(NAME).asText());
            if (isText(id) && skills.size() < MAX_SKILLS) {
                skills.add(skill(skill, id));
            }
        }
        if (!skills.isEmpty()) {
            shown.set(SKILLS, skills);
        }
        boolean extended = card.at("/capabilities/extendedAgentCard").asBoolean()
                || card.path("supportsAuthenticatedExtendedCard").asBoolean();
        return new OwnCard(
                shown,
                extended,
                card.at("/capabilities/streaming").asBoolean(),
                card.at("/capabilities/pushNotifications").asBoolean());
    }

    OwnCard withoutStreaming() {
        return new OwnCard(shown, extended, false, pushing);
    }

    private static ObjectNode skill(JsonNode skill, String id) {
        ObjectNode shown = Json.object();
        // The official SDKs do not accept a card without these fields.
        shown.put(ID, cut(id, MAX_NAME)).put(NAME, cut(id, MAX_NAME)).put(DESCRIPTION, cut(id, MAX_NAME));
        putText(skill, NAME, MAX_NAME, shown);
        putText(skill, DESCRIPTION, MAX_TEXT, shown);
        shown.putArray(TAGS);
        putTexts(skill, TAGS, MAX_NAME, shown);
        putTexts(skill, "examples", MAX_TEXT, shown);
        putTexts(skill, "inputModes", MAX_NAME, shown);
        putTexts(skill, "outputModes", MAX_NAME, shown);
        return shown;
    }

    private static void putText(JsonNode from, String name, int longest, ObjectNode to) {
        if (from.path(name).isTextual() && isText(from.path(name).asText())) {
            to.put(name, cut(from.path(name).asText(), longest));
        }
    }

    private static void putTexts(JsonNode from, String name, int longest, ObjectNode to) {
        ArrayNode texts = Json.object().putArray(name);
        for (JsonNode text : from.path(name)) {
            if (text.isTextual() && isText(text.asText()) && texts.size() < MAX_ELEMENTS) {
                texts.add(cut(text.asText(), longest));
            }
        }
        if (!texts.isEmpty()) {
            to.set(name, texts);
        }
    }

    /**
     * Returns whether a text is well-formed. Half of a surrogate pair has no canonical form, so that a card with it could not be signed.
     */
    private static boolean isText(String text) {
        return !text.isBlank() && text.codePoints().noneMatch(point -> Character.getType(point) == Character.SURROGATE);
    }

    private static String cut(String text, int longest) {
        return text.codePointCount(0, text.length()) <= longest
                ? text
                : text.substring(0, text.offsetByCodePoints(0, longest));
    }

    /** Returns whether a card belongs to an agent. Several agents may share a host, so the card must name the agent's endpoint. */
    static boolean isOf(AgentProfile agent, JsonNode card) {
        String endpoint = agent.agentInterface().endpoint();
        return card.path(NAME).isTextual()
                && card.findValuesAsText("url").stream().anyMatch(address -> CardAddress.names(address, endpoint));
    }
}
