package dev.agenthealth.emulator.deadletters;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.support.Json;

/** Shows the dead letters: {@code GET /_local/dead-letters} answers {@code {"dead_letters": [...]}}, oldest first. */
public final class DeadLettersPage implements Endpoint {

    public static final String PATH = "/_local/dead-letters";

    private final DeadLetters deadLetters;

    public DeadLettersPage(DeadLetters deadLetters) {
        this.deadLetters = deadLetters;
    }

    @Override
    public RawResponse answer(RawRequest request) {
        if (!request.method().equals("GET")) {
            return RawResponse.problem(404, "route_not_found", "There is nothing at this path.");
        }
        ObjectNode answer = Json.object();
        ArrayNode array = answer.putArray("dead_letters");
        deadLetters.all().forEach(deadLetter -> {
            ObjectNode json = array.addObject();
            json.put("function", deadLetter.functionName())
                    .put("at", deadLetter.at().toString())
                    .put("reason", deadLetter.reason());
            json.set("record", deadLetter.event());
        });
        return RawResponse.json(200, answer);
    }
}
