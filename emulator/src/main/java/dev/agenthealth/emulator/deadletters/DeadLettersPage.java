package dev.agenthealth.emulator.deadletters;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.agenthealth.emulator.http.Exchanges;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;

/** Shows what was given up: {@code GET /_local/dead-letters} answers {@code {"dead_letters": [...]}}. */
public final class DeadLettersPage implements HttpHandler {

    /** Where the page is. */
    public static final String PATH = "/_local/dead-letters";

    private final DeadLetters letters;

    public DeadLettersPage(DeadLetters letters) {
        this.letters = letters;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("GET")) {
            Exchanges.sendMessage(exchange, 404, "Not Found");
            return;
        }
        ObjectNode answer = Json.object();
        ArrayNode array = answer.putArray("dead_letters");
        letters.all().forEach(letter -> {
            ObjectNode json = array.addObject();
            json.put("function", letter.functionName())
                    .put("at", letter.at().toString())
                    .put("reason", letter.reason());
            json.set("record", letter.event());
        });
        Exchanges.send(exchange, 200, "application/json", Json.bytes(answer));
    }
}
