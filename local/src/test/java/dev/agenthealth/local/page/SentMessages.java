package dev.agenthealth.local.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.runtime.wiring.MailServer.Mail;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.model.event.EventType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The messages about all problems of a registry: to a webhook, to a chat and by e-mail. */
final class SentMessages implements AutoCloseable {

    private static final Pattern NUMBER = Pattern.compile("([0-9]+) (?:events|recoveries): .*");

    private final List<JsonNode> hooks = new CopyOnWriteArrayList<>();
    private final List<JsonNode> chats = new CopyOnWriteArrayList<>();
    private final List<Mail> mails = new CopyOnWriteArrayList<>();
    private final HttpServer receiver;

    SentMessages() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/hook", exchange -> {
            hooks.add(Json.read(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.createContext("/chat", exchange -> {
            chats.add(Json.read(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
    }

    void send(Mail mail) {
        mails.add(mail);
    }

    /** Writes the rules: every kind of problem, in messages that collect the events of 20 seconds. */
    void order(RegistryCaller administrator) {
        String address = "http://127.0.0.1:" + receiver.getAddress().getPort();
        order(administrator, "hook", Json.object().put("type", "webhook").put("url", address + "/hook"));
        order(administrator, "chat", Json.object().put("type", "slack").put("url", address + "/chat"));
        order(administrator, "mail", Json.object().put("type", "email").put("address", "on-call@example.com"));
    }

    private static void order(RegistryCaller administrator, String name, ObjectNode target) {
        ObjectNode rule = Json.object().put("group_seconds", 20);
        ArrayNode events = rule.putArray("events");
        Arrays.stream(EventType.values())
                .filter(type -> type.description().canBeProblem())
                .forEach(type -> events.add(type.wireName()));
        // Notices, such as a registration, are no problems.
        rule.putObject("filter")
                .putArray("severities")
                .add("critical")
                .add("error")
                .add("warning");
        rule.set("target", target);
        RegistryCaller.Answer written = administrator.put("/v1/admin/notifications/" + name, rule);
        if (written.status() != 201) {
            throw new IllegalStateException("the rule " + name + " was refused: " + written.body());
        }
    }

    /** Returns the severity in the last message about each problem; {@code recovered} if the last message says that it is over. */
    Map<String, String> lastByProblem() {
        Map<String, String> last = new TreeMap<>();
        for (JsonNode hook : hooks) {
            hook.at("/data/events").forEach(event -> {
                if (event.has("problem_id")) {
                    last.put(
                            event.path("problem_id").asText(),
                            event.path("recovery").asBoolean()
                                    ? "recovered"
                                    : event.path("severity").asText());
                }
            });
        }
        return last;
    }

    /** Returns the number of events in each message of the webhook. */
    List<Integer> numbersOfHooks() {
        return hooks.stream().map(hook -> hook.at("/data/total").asInt()).toList();
    }

    /** Returns the number of events in the title of each chat message. */
    List<Integer> numbersOfChats() {
        return chats.stream().map(chat -> number(chat.path("text").asText())).toList();
    }

    /** Returns the number of events in the first line of each e-mail. */
    List<Integer> numbersOfMails() {
        return mails.stream()
                .map(mail -> number(mail.text().lines().findFirst().orElse("")))
                .toList();
    }

    /** Returns the lines of an e-mail that show an event, and the number in its last line: "and 3 more". */
    List<Integer> shownInMails() {
        return mails.stream()
                .map(mail -> (int) mail.text()
                                .lines()
                                .filter(line -> line.matches("\\d{4}-\\S+ .*\\[\\w+] .*"))
                                .count()
                        + mail.text()
                                .lines()
                                .filter(line -> line.matches("and \\d+ more"))
                                .mapToInt(line -> Integer.parseInt(line.split(" ")[1]))
                                .sum())
                .toList();
    }

    private static int number(String title) {
        Matcher matcher = NUMBER.matcher(title.lines().findFirst().orElse(""));
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 1;
    }

    @Override
    public void close() {
        receiver.stop(0);
    }
}
